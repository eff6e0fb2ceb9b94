-- Owner tokens get kinds: 'owner' opens the owner routes, 'metrics' the metrics and nothing else. A
-- check cannot be changed in place, so the table is made anew.
CREATE TABLE tokens_of_kinds (
    token_hash   BLOB PRIMARY KEY,
    fingerprint  TEXT NOT NULL UNIQUE,
    kind         TEXT NOT NULL CHECK (kind IN ('client', 'owner', 'metrics')),
    package_no   INTEGER REFERENCES packages (package_no),
    label        TEXT,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT,
    family_no    INTEGER REFERENCES oauth_families (family_no),
    resource     TEXT CHECK (resource IN ('mcp', 'v1')),
    CHECK ((kind = 'client') = (package_no IS NOT NULL))
) WITHOUT ROWID;

INSERT INTO tokens_of_kinds (
       token_hash, fingerprint, kind, package_no, label, created_at, expires_at, revoked_at,
       last_used_at, family_no, resource)
SELECT token_hash, fingerprint, kind, package_no, label, created_at, expires_at, revoked_at,
       last_used_at, family_no, resource
  FROM tokens;

DROP TABLE tokens;
ALTER TABLE tokens_of_kinds RENAME TO tokens;
CREATE INDEX tokens_by_package ON tokens (package_no);
CREATE INDEX tokens_by_family ON tokens (family_no);
