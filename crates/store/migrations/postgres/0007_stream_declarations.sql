-- The declaration that a stream was last described by. A later declaration of its source may leave the
-- stream out; its records, typed copies and index rows then stay as they were described.

ALTER TABLE collections
  ADD COLUMN declaration_no bigint REFERENCES declarations (declaration_no);
