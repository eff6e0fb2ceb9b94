//! Enforcements that hold when a disk is full or a file is exchanged.

use super::{ALL_READS, Break, Edit, Operation};

/// Tests of the whole program by a part of their names.
const fn program(name: &'static str) -> (&'static str, &'static str, &'static str) {
    ("pdpp", "it", name)
}

/// Each with one place and one way.
pub const HOLES_FAULTS: &[Break] = &[
    Break {
        harm: "reads go on that the audit log cannot note",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/auth/src/audit_log.rs",
            find: "        if *self.failing.borrow() && waiting >= UNWRITTEN_WHILE_FAILING {",
            put: "        if *self.failing.borrow() && waiting > MAX_UNWRITTEN {",
        }],
        noticed_by: program("full_disk::reads_stop"),
    },
    Break {
        harm: "a revocation fails on a full disk",
        guards: &[Operation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/writer.rs",
            find: "matches!(outcome, Err(StoreError::Full)) && self.reserve.release(reserve)?",
            put: "matches!(outcome, Err(StoreError::NoStore)) && self.reserve.release(reserve)?",
        }],
        noticed_by: program("full_disk::a_revocation"),
    },
    Break {
        harm: "removing a connection needs room for all its data",
        guards: &[Operation::Erasing],
        edits: &[Edit {
            file: "crates/store/src/sql/connections/remove.rs",
            find: "            Err(StoreError::Full) if most > 1 => {",
            put: "            Err(StoreError::Full) if most > STEP => {",
        }],
        noticed_by: program("full_disk::a_connection_is_removed"),
    },
    Break {
        harm: "a server goes on with a database file that was exchanged",
        guards: &[Operation::Writing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/store_file.rs",
            find: "            Ok(found) if found == self.opened => Ok(()),",
            put: "            Ok(found) if found == self.opened || !self.path.is_relative() => Ok(()),",
        }],
        noticed_by: program("store_moved::a_server_whose"),
    },
    Break {
        harm: "other users open the data directory",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/cli/src/data_dir/ownership.rs",
            find: "mode & 0o066 != 0",
            put: "mode & 0o066 == 0o066",
        }],
        noticed_by: program("store_moved::a_data_directory"),
    },
    Break {
        harm: "credentials are kept where a link leads",
        guards: &[Operation::SigningIn],
        edits: &[Edit {
            file: "crates/cli/src/data_dir/credentials.rs",
            find: "found.is_ok_and(|found| found.is_symlink())",
            put: "found.is_ok_and(|found| found.is_symlink() && found.is_file())",
        }],
        noticed_by: program("store_moved::a_credentials"),
    },
];
