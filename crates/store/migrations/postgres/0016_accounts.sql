-- Accounts that keep themselves current, one for each connection at most. credential is sealed under a key
-- that is not in this database. Who runs an account holds its lease; run_no counts its runs, and with them
-- everything that a run writes: an earlier run writes nothing any more.
CREATE TABLE accounts (
    connection_no bigint PRIMARY KEY,
    kind          text COLLATE "C" NOT NULL,
    settings_json text COLLATE "C" NOT NULL,
    credential    bytea,
    every_seconds bigint NOT NULL,
    paused        bigint NOT NULL,
    created_at    text COLLATE "C" NOT NULL,
    next_run_at   text COLLATE "C" NOT NULL,
    failures      bigint NOT NULL,
    current_at    text COLLATE "C",
    fresh_at      text COLLATE "C",
    run_no        bigint NOT NULL,
    lease_until   text COLLATE "C"
);

-- How far a folder of an account was read, in the words of its kind.
CREATE TABLE account_folders (
    connection_no bigint NOT NULL,
    folder        text COLLATE "C" NOT NULL,
    state_json    text COLLATE "C" NOT NULL,
    PRIMARY KEY (connection_no, folder)
);

-- Where the records of an account stand at their source. epoch is the numbering of the folder: a source may
-- number it anew.
CREATE TABLE account_items (
    connection_no bigint NOT NULL,
    folder        text COLLATE "C" NOT NULL,
    epoch         bigint NOT NULL,
    item          bigint NOT NULL,
    record_id     text COLLATE "C" NOT NULL,
    marks         text COLLATE "C" NOT NULL,
    PRIMARY KEY (connection_no, folder, epoch, item)
);
CREATE INDEX account_items_by_record ON account_items (connection_no, record_id);

CREATE TABLE account_runs (
    connection_no bigint NOT NULL,
    run_no        bigint NOT NULL,
    is_scheduled  bigint NOT NULL,
    started_at    text COLLATE "C" NOT NULL,
    ended_at      text COLLATE "C",
    fault_code    text COLLATE "C",
    fault         text COLLATE "C",
    added         bigint NOT NULL,
    changed       bigint NOT NULL,
    kept          bigint NOT NULL,
    rejected      bigint NOT NULL,
    bytes         bigint NOT NULL,
    PRIMARY KEY (connection_no, run_no)
);
