-- Accounts that keep themselves current, one for each connection at most. credential is sealed under a key
-- that is not in this database. Who runs an account holds its lease; run_no counts its runs, and with them
-- everything that a run writes: an earlier run writes nothing any more.
CREATE TABLE accounts (
    connection_no INTEGER PRIMARY KEY,
    kind          TEXT NOT NULL,
    settings_json TEXT NOT NULL,
    credential    BLOB,
    every_seconds INTEGER NOT NULL,
    paused        INTEGER NOT NULL,
    created_at    TEXT NOT NULL,
    next_run_at   TEXT NOT NULL,
    failures      INTEGER NOT NULL,
    current_at    TEXT,
    fresh_at      TEXT,
    run_no        INTEGER NOT NULL,
    lease_until   TEXT
);

-- How far a folder of an account was read, in the words of its kind.
CREATE TABLE account_folders (
    connection_no INTEGER NOT NULL,
    folder        TEXT NOT NULL,
    state_json    TEXT NOT NULL,
    PRIMARY KEY (connection_no, folder)
) WITHOUT ROWID;

-- Where the records of an account stand at their source. epoch is the numbering of the folder: a source may
-- number it anew.
CREATE TABLE account_items (
    connection_no INTEGER NOT NULL,
    folder        TEXT NOT NULL,
    epoch         INTEGER NOT NULL,
    item          INTEGER NOT NULL,
    record_id     TEXT NOT NULL,
    marks         TEXT NOT NULL,
    PRIMARY KEY (connection_no, folder, epoch, item)
) WITHOUT ROWID;
CREATE INDEX account_items_by_record ON account_items (connection_no, record_id);

CREATE TABLE account_runs (
    connection_no INTEGER NOT NULL,
    run_no        INTEGER NOT NULL,
    is_scheduled  INTEGER NOT NULL,
    started_at    TEXT NOT NULL,
    ended_at      TEXT,
    fault_code    TEXT,
    fault         TEXT,
    added         INTEGER NOT NULL,
    changed       INTEGER NOT NULL,
    kept          INTEGER NOT NULL,
    rejected      INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,
    PRIMARY KEY (connection_no, run_no)
) WITHOUT ROWID;
