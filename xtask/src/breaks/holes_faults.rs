//! Enforcements that hold when a disk is full or a file is exchanged.

use super::{ALL_READS, Break, BreakOperation, Edit};

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
        noticed_by: ("pdpp-auth", "auth", "sixteen_reads_are_admitted"),
    },
    Break {
        harm: "any number of reads is answered while the audit log cannot be written",
        guards: ALL_READS,
        edits: &[
            Edit {
                file: "crates/auth/src/audit_log.rs",
                find: "const MAX_UNWRITTEN: usize = 64;",
                put: "const MAX_UNWRITTEN: usize = 3_000;",
            },
            Edit {
                file: "crates/auth/src/audit_log.rs",
                find: "        if *self.failing.borrow() && waiting >= UNWRITTEN_WHILE_FAILING {",
                put: "        if *self.failing.borrow() && waiting > MAX_UNWRITTEN + UNWRITTEN_WHILE_FAILING {",
            },
        ],
        noticed_by: program("full_disk::reads_stop"),
    },
    Break {
        harm: "a revocation fails on a full disk",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/writer.rs",
            find: "matches!(outcome, Err(StoreError::Full)) && self.reserve.release(reserve)?",
            put: "matches!(outcome, Err(StoreError::NoStore)) && self.reserve.release(reserve)?",
        }],
        noticed_by: ("pdpp-store", "lib", "a_revocation_on_a_full_disk"),
    },
    Break {
        harm: "removing a connection needs room for all its data",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/store/src/sql/connections/remove.rs",
            find: "            Err(StoreError::Full) if most > 1 => {",
            put: "            Err(StoreError::Full) if most > STEP => {",
        }],
        noticed_by: program("full_disk::a_connection_is_removed"),
    },
    Break {
        harm: "a server goes on with a database file that was exchanged",
        guards: &[BreakOperation::Writing],
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
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/cli/src/data_dir/credentials.rs",
            find: "found.is_ok_and(|found| found.is_symlink())",
            put: "found.is_ok_and(|found| found.is_symlink() && found.is_file())",
        }],
        noticed_by: program("store_moved::a_credentials"),
    },
    Break {
        harm: "readiness is claimed on a full disk",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/writer.rs",
            find: "        self.reserve.probe()?;\n        if !self.found_no_room.load(Ordering::Relaxed) {",
            put: "        if !self.found_no_room.load(Ordering::Relaxed) || true {",
        }],
        noticed_by: program("full_disk::a_revocation"),
    },
    Break {
        harm: "ordinary writes use up the space that is kept for revocations",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/writer.rs",
            find: "            self.make_room(connection)?;\n",
            put: "",
        }],
        noticed_by: program("full_disk::ordinary_writes"),
    },
    Break {
        harm: "agents are served while a revocation could not be kept",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/halt.rs",
            find: "if self.mark.exists() { Err(StoreError::Full) } else { Ok(()) }",
            put: "if self.mark.exists() && self.mark.is_dir() { Err(StoreError::Full) } else { Ok(()) }",
        }],
        noticed_by: ("pdpp-store", "lib", "halt::"),
    },
    Break {
        harm: "a server that lost audit events ends as if nothing had happened",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/cli/src/server.rs",
            find: "            0 => Ok(()),\n            lost => Err(audit_lost(lost)),",
            put: "            lost => Some(lost).filter(|_| false).map_or(Ok(()), |lost| Err(audit_lost(lost))),",
        }],
        noticed_by: program("full_disk::reads_stop"),
    },
    Break {
        harm: "a database is opened with the log of another one",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/store_file.rs",
            find: "has_pages && before.1 == now.1 && before.0 != now.0",
            put: "has_pages && before.1 == now.1 && before.0 != now.0 && before == now",
        }],
        noticed_by: program("store_moved::a_server_whose"),
    },
    Break {
        harm: "a server goes on with tables that a newer version has changed",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/migrations.rs",
            find: "    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }\n}\n\nfn connect",
            put: "    if found < 0 { Err(StoreError::TooNew { found, known }) } else { Ok(()) }\n}\n\nfn connect",
        }],
        noticed_by: ("pdpp-store", "lib", "an_open_store_stops"),
    },
    Break {
        harm: "the full check reads other moments beside a writer",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/pool.rs",
            find: "        let transaction = connection.unchecked_transaction().map_err(from_driver)?;\n        read(&transaction)\n    }\n\n    /// Runs one read",
            put: "        read(&connection)\n    }\n\n    /// Runs one read",
        }],
        noticed_by: ("pdpp-store", "lib", "beside_a_writer"),
    },
    Break {
        harm: "a directory that cannot be written cannot be read",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/store/src/sqlite/connection/read_only.rs",
            find: "if !is_file || File::open(store).is_err() || can_write(store) {",
            put: "if !is_file || File::open(store).is_err() || can_write(store) || true {",
        }],
        noticed_by: program("full_disk::what_can_be_read"),
    },
    Break {
        harm: "connections use up the files that the store needs",
        guards: &[BreakOperation::SigningIn],
        edits: &[Edit {
            file: "crates/cli/src/platform/file_limit.rs",
            find: "files.saturating_sub(KEPT_FILES)",
            put: "files.saturating_add(KEPT_FILES)",
        }],
        noticed_by: program("connections_stay_below"),
    },
];
