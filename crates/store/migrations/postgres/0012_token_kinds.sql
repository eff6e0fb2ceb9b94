-- Owner tokens get kinds: 'owner' opens the owner routes, 'metrics' the metrics and nothing else.
ALTER TABLE tokens DROP CONSTRAINT tokens_kind_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_kind_check CHECK (kind IN ('client', 'owner', 'metrics'));
