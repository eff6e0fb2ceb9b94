//! Enforcements over what is kept: blobs, the log of versions, and what must be gone.

use super::{Break, BreakOperation, Edit, engine};

/// Each with one place and one way.
pub const KEPT: &[Break] = &[
    Break {
        harm: "a blob opens through a hidden field",
        guards: &[BreakOperation::Blobs],
        edits: &[Edit {
            file: "crates/store/src/sql/blobs/mod.rs",
            find: "            if !holds || !part.fields.contains(field.as_str()) {\n",
            put: "            if !holds || field.is_empty() {\n",
        }],
        noticed_by: engine("blobs"),
    },
    Break {
        harm: "changes are judged by a former time field",
        guards: &[BreakOperation::Changes],
        edits: &[Edit {
            file: "crates/store/src/sql/connections/time_fields.rs",
            find: "    UPDATE versions SET time_key = ?3, other_times = ?4 WHERE record_no = ?1 AND change_no = ?2\";",
            put: "    UPDATE versions SET time_key = time_key WHERE ?3 IS ?3 AND ?4 IS ?4 AND record_no = ?1 AND \
                    change_no = ?2\";",
        }],
        noticed_by: engine("changes_declared"),
    },
    Break {
        harm: "erased content stays in the log's file",
        guards: &[BreakOperation::Erasing],
        edits: &[Edit {
            file: "crates/store/src/sqlite/maintenance/erasing.rs",
            find: "PRAGMA wal_checkpoint(TRUNCATE)",
            put: "PRAGMA wal_checkpoint(PASSIVE)",
        }],
        noticed_by: engine("erasure"),
    },
];
