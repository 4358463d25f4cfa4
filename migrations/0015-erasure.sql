-- After a deletion, what is left of the texts in the file and in its log is erased: src/maintenance/erasure.ts.
CREATE TRIGGER document_is_erased AFTER DELETE ON documents BEGIN
  INSERT INTO instance (key, value) VALUES ('erasure', 'requested')
  ON CONFLICT (key) DO UPDATE SET value = 'requested' WHERE value <> 'requested';
END;
CREATE TRIGGER prompt_is_erased AFTER DELETE ON prompts BEGIN
  INSERT INTO instance (key, value) VALUES ('erasure', 'requested')
  ON CONFLICT (key) DO UPDATE SET value = 'requested' WHERE value <> 'requested';
END;
CREATE TRIGGER collection_is_erased AFTER DELETE ON collections BEGIN
  INSERT INTO instance (key, value) VALUES ('erasure', 'requested')
  ON CONFLICT (key) DO UPDATE SET value = 'requested' WHERE value <> 'requested';
END;
