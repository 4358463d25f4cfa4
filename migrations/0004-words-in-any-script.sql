-- Vowel signs and points belong to their words in many scripts (Devanagari, Thai, Hebrew, Arabic): without the category M
-- the tokenizer cuts there. The rows come back with the generations that follow; the model's new windows make them all.
DROP TABLE chunk_words;
CREATE VIRTUAL TABLE chunk_words USING fts5 (
  context, text, content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
