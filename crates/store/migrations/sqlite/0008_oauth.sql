-- The authorization server: clients, requests and their consent, families of tokens, fetched documents.
--
-- Secrets are kept as SHA-256. What must be shown again is sealed under a key that is not kept here.

CREATE TABLE oauth_clients (
    client_no     INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id     TEXT NOT NULL UNIQUE,
    kind          TEXT NOT NULL CHECK (kind IN ('dcr', 'cimd', 'manual')),
    -- The name that packages and the audit log carry: the client's own, made unique.
    handle        TEXT NOT NULL UNIQUE,
    metadata_json TEXT NOT NULL,
    -- Names redirect addresses, way of authentication and keys: a change of it ends refreshing.
    security_hash BLOB NOT NULL,
    created_at    TEXT NOT NULL,
    approved_at   TEXT,
    last_used_at  TEXT
);

CREATE TABLE oauth_requests (
    request_no      INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id      TEXT NOT NULL UNIQUE,
    client_no       INTEGER NOT NULL REFERENCES oauth_clients (client_no),
    -- Where the answer goes; null for a device, which fetches it.
    redirect_uri    TEXT,
    state           TEXT,
    code_challenge  TEXT,
    resource        TEXT NOT NULL CHECK (resource IN ('mcp', 'v1')),
    scope           TEXT NOT NULL,
    details_json    TEXT,
    -- The issuer as the client knows it: it is repeated in the answer, byte for byte.
    issuer          TEXT NOT NULL,
    requested_from  TEXT,
    -- Session and parameters: opening the same address again finds the same request.
    same_as         BLOB,
    user_code_hash  BLOB UNIQUE,
    device_hash     BLOB UNIQUE,
    poll_interval   INTEGER NOT NULL,
    polled_at       TEXT,
    status          TEXT NOT NULL CHECK (status IN ('open', 'approved', 'denied')),
    draft_json      TEXT,
    review_digest   BLOB,
    review_json     TEXT,
    created_at      TEXT NOT NULL,
    expires_at      TEXT NOT NULL,
    decided_at      TEXT,
    decided_in      TEXT,
    package_no      INTEGER REFERENCES packages (package_no),
    code_hash       BLOB UNIQUE,
    code_sealed     BLOB,
    code_expires_at TEXT,
    redeemed_at     TEXT,
    family_no       INTEGER
);
CREATE INDEX oauth_requests_by_sameness ON oauth_requests (same_as);
CREATE INDEX oauth_requests_by_package ON oauth_requests (package_no);
CREATE INDEX oauth_requests_by_end ON oauth_requests (expires_at);

CREATE TABLE oauth_pushed (
    uri_hash    BLOB PRIMARY KEY,
    client_no   INTEGER NOT NULL REFERENCES oauth_clients (client_no),
    params_json TEXT NOT NULL,
    expires_at  TEXT NOT NULL
) WITHOUT ROWID;

-- One sign-in of one client: at most one of its refresh tokens is active.
CREATE TABLE oauth_families (
    family_no     INTEGER PRIMARY KEY AUTOINCREMENT,
    package_no    INTEGER NOT NULL REFERENCES packages (package_no),
    client_no     INTEGER NOT NULL REFERENCES oauth_clients (client_no),
    resource      TEXT NOT NULL CHECK (resource IN ('mcp', 'v1')),
    scope         TEXT NOT NULL,
    security_hash BLOB NOT NULL,
    -- The client proved a key when it signed in, and must go on doing so.
    by_key        INTEGER NOT NULL,
    created_at    TEXT NOT NULL,
    expires_at    TEXT NOT NULL,
    revoked_at    TEXT,
    revoked_why   TEXT
);
CREATE INDEX oauth_families_by_package ON oauth_families (package_no);

CREATE TABLE oauth_refresh_tokens (
    token_hash       BLOB PRIMARY KEY,
    family_no        INTEGER NOT NULL REFERENCES oauth_families (family_no),
    generation       INTEGER NOT NULL,
    created_at       TEXT NOT NULL,
    expires_at       TEXT NOT NULL,
    superseded_at    TEXT,
    -- The next token, sealed under a key made from this one; erased soon after.
    successor_sealed BLOB,
    UNIQUE (family_no, generation)
) WITHOUT ROWID;
CREATE UNIQUE INDEX oauth_one_active_refresh ON oauth_refresh_tokens (family_no)
    WHERE superseded_at IS NULL;

-- Fetched client metadata and key sets, failures too; until fresh_until nobody asks again.
CREATE TABLE oauth_documents (
    url         TEXT PRIMARY KEY,
    body        TEXT,
    fetched_at  TEXT NOT NULL,
    fresh_until TEXT NOT NULL
) WITHOUT ROWID;

-- Assertions that were used, until they could not be used again anyway.
CREATE TABLE oauth_assertions (
    assertion_hash BLOB PRIMARY KEY,
    expires_at     TEXT NOT NULL
) WITHOUT ROWID;

-- A token of a sign-in belongs to its family and is good for one resource; one made at the command
-- line belongs to none and is good for both.
ALTER TABLE tokens ADD COLUMN family_no INTEGER REFERENCES oauth_families (family_no);
ALTER TABLE tokens ADD COLUMN resource TEXT CHECK (resource IN ('mcp', 'v1'));
CREATE INDEX tokens_by_family ON tokens (family_no);
