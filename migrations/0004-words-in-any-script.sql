-- Vowel signs and points belong to their words in many scripts (Devanagari, Thai, Hebrew, Arabic): without the category M
-- the tokenizer cuts there; symbols (So) are words too. The rows come back with the generations that follow; the model's new windows make them all.
DROP TABLE chunk_words;
CREATE VIRTUAL TABLE chunk_words USING fts5 (
  context, text, content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M* So'"
);

-- Counts what comes and goes in the live index, so that a search need not ask after every commit of anything.
CREATE TABLE index_changes (
  number INTEGER NOT NULL
) STRICT;
INSERT INTO index_changes VALUES (0);
CREATE TRIGGER generation_begins_live AFTER INSERT ON index_generations WHEN new.state = 'live' BEGIN
  UPDATE index_changes SET number = number + 1;
END;
CREATE TRIGGER generation_changes_state AFTER UPDATE OF state ON index_generations BEGIN
  UPDATE index_changes SET number = number + 1;
END;
