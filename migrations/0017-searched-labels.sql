-- Which tags, metadata and place of a document are in its word index: a change of them makes a new generation.
ALTER TABLE index_generations ADD COLUMN labels_hash TEXT NOT NULL DEFAULT '';
