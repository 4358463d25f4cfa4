-- Which key and which program of the user wrote a version. Earlier versions stored only the user.
ALTER TABLE document_versions ADD COLUMN agent TEXT;
ALTER TABLE prompt_versions ADD COLUMN agent TEXT;
