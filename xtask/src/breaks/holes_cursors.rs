//! Enforcements that keep hidden writes out of cursors and bookmarks, and pages of a search whole.

use super::{Break, BreakOperation, Edit, engine};

/// Each with one place and one way.
pub const HOLES_CURSORS: &[Break] = &[
    Break {
        harm: "a search cursor carries the number of a hidden change",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/search/since.rs",
            find: "        last = last.max(since.map_or(ChangeNo::NONE, |since| since.change_no));",
            put: "        last = last.max(since.map_or(ChangeNo::NONE, |since| since.change_no)).max(newest);",
        }],
        noticed_by: engine("a_hidden_"),
    },
    Break {
        harm: "a search cursor carries the number of a change in another account",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/search/mod.rs",
            find: "            None => last_visible_change(self.db, &self.targets, records)?,",
            put: "            None => last_visible_change(self.db, &self.targets, records)?.max(\n                self.db\n                    .query_row(\"SELECT change_no FROM change_counter\", [], |row| row.get(0))\n                    .unwrap_or_default(),\n            ),",
        }],
        noticed_by: engine("a_hidden_"),
    },
    Break {
        harm: "pages of a search drop records that changed in another field",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/search/since.rs",
            find: "                    |name: &str| target.fields.values().any(|field| field.as_str() == name);",
            put: "                    |name: &str| target.scope.fields.contains(name);",
        }],
        noticed_by: engine("search_paging"),
    },
    Break {
        harm: "pages of a search rank a record by a time it did not have on the first one",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/search/since.rs",
            find: "            facts.time = time_then(db, target, (record_no, seen_through), facts.time)?;",
            put: "            time_then(db, target, (record_no, seen_through), facts.time.clone())?;",
        }],
        noticed_by: engine("search_paging"),
    },
    Break {
        harm: "matches that change between two pages of a search are lost",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/engine/src/search/mod.rs",
            find: "        ranked.extend(changed);",
            put: "        ranked.extend(changed.into_iter().take(0));",
        }],
        noticed_by: engine("search_paging"),
    },
    Break {
        harm: "a bookmark expires because a hidden change was pruned",
        guards: &[BreakOperation::Bookmarks],
        edits: &[Edit {
            file: "crates/store/src/changes/lost.rs",
            find: "view.depends_on(**field) && lost.was_seen(view)",
            put: "view.depends_on(**field) && (lost.was_seen(view) || true)",
        }],
        noticed_by: engine("a_hidden_"),
    },
    Break {
        harm: "a bookmark outlives a pruning that took something from it",
        guards: &[BreakOperation::Bookmarks],
        edits: &[Edit {
            file: "crates/store/src/changes/pruning.rs",
            find: "        if self.losses.highest_seen(view) > known.change_no {",
            put: "        if self.losses.highest_seen(view) > known.change_no.max(ChangeNo(i64::MAX - 1)) {",
        }],
        noticed_by: engine("changes"),
    },
];
