//! Caps on exports that mean harm, and messages that two readers would read differently.

use super::{Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const IMPORTERS: &[Break] = &[
    Break {
        harm: "an archive of overlapping entries is read",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/export/archive.rs",
            find: "zip.has_overlapping_entries().map_err(from_zip)?",
            put: "zip.has_overlapping_entries().map_err(from_zip)? && entries == 0",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "an archive gives any number of records",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/sink.rs",
            find: "*left = left.checked_sub(1).ok_or(Stop::ArchiveFull(*max_items))?;",
            put: "*left = left.checked_sub(1).unwrap_or(*max_items);",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "a table of any number of columns is looked at",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/formats/table/caps.rs",
            find: "    (columns > MAX_FIELDS_PER_STREAM).then(what)",
            put: "    (columns > usize::MAX - MAX_FIELDS_PER_STREAM).then(what)",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "a message of any number of header fields or parts is parsed",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/formats/mail/message.rs",
            find: "    check_structure(raw)?;",
            put: "    let _ = check_structure(raw);",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "an archive of any number of entries is opened",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/export/archive.rs",
            find: "if entries > MAX_ENTRIES {",
            put: "if entries > MAX_ENTRIES * 1_000 {",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "an export of any number of tables is looked at",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/formats/table/caps.rs",
            find: "self.allow(tables <= MAX_STREAMS,",
            put: "self.allow(tables <= MAX_STREAMS * 1_000,",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "a list of objects with any number of fields is looked at",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/formats/table/caps.rs",
            find: "self.allow(fields <= MAX_FIELDS_PER_STREAM,",
            put: "self.allow(fields <= MAX_FIELDS_PER_STREAM * 1_000,",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "a card or an event of any number of fields is parsed",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/readers/components.rs",
            find: "} else if fields > MAX_FIELDS {",
            put: "} else if fields > MAX_FIELDS * 1_000 {",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
    Break {
        harm: "components stand inside each other to any depth",
        guards: &[BreakOperation::Writing],
        edits: &[Edit {
            file: "crates/import/src/readers/components.rs",
            find: "} else if depth > MAX_DEPTH {",
            put: "} else if depth > MAX_DEPTH * 10_000 {",
        }],
        noticed_by: ("pdpp-import", "it", "hostile"),
    },
];
