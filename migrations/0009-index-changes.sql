-- Which generations became live or ceased to be, in order: the search worker's copy of the index follows these rows instead
-- of comparing all generations. A reader that is behind the kept rows compares all of them.
DROP TRIGGER generation_begins_live;
DROP TRIGGER generation_changes_state;
DROP TABLE index_changes;
CREATE TABLE index_changes (
  number INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL
) STRICT;
CREATE TRIGGER generation_begins_live AFTER INSERT ON index_generations WHEN new.state = 'live' BEGIN
  INSERT INTO index_changes (generation_id) VALUES (new.id);
END;
CREATE TRIGGER generation_changes_state AFTER UPDATE OF state ON index_generations
WHEN (old.state = 'live') <> (new.state = 'live') BEGIN
  INSERT INTO index_changes (generation_id) VALUES (new.id);
END;
-- The last row is always kept, so that numbers only increase.
CREATE TRIGGER index_change_is_stored AFTER INSERT ON index_changes BEGIN
  DELETE FROM index_changes WHERE number <= new.number - 10000;
END;
