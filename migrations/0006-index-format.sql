-- Records how the rows of a generation were made (INDEX_FORMAT in src/retrieval/generations.ts). At start the server
-- indexes again every document whose live generation has another format. 0004 dropped all rows of chunk_words: generations
-- without words get format 0, so that they are indexed again even if the embedding model never changed.
ALTER TABLE index_generations ADD COLUMN format INTEGER NOT NULL DEFAULT 0;
UPDATE index_generations SET format = 1 WHERE EXISTS (
  SELECT 1 FROM chunk_words WHERE rowid >= first_chunk AND rowid < first_chunk + chunk_count
);
