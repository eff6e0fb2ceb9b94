-- How much callers asked lately, summed over the servers of one store: when a caller's bucket is full
-- again, in microseconds of the epoch. A store in a file has one server, which needs no sum.
CREATE TABLE paces (
    pace    TEXT NOT NULL,
    caller  TEXT NOT NULL,
    full_at INTEGER NOT NULL,
    PRIMARY KEY (pace, caller)
) WITHOUT ROWID;

CREATE INDEX paces_by_end ON paces (full_at);
