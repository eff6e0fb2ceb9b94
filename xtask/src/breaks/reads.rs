//! Enforcements inside the reads: what a question may be about, and what an answer may tell.

use super::{Break, BreakOperation, Edit, engine};

const CONDITIONS: &str = "crates/engine/src/records/conditions.rs";
const AGGREGATE_RULES: &str = "crates/engine/src/aggregate/rules.rs";

/// Each with one place and one way; a store with a hole is played by the store's own suite.
pub const READS: &[Break] = &[
    Break {
        harm: "a filter asks about a hidden field",
        guards: &[
            BreakOperation::List,
            BreakOperation::Search,
            BreakOperation::Aggregate,
            BreakOperation::Changes,
        ],
        edits: &[Edit {
            file: CONDITIONS,
            find: "filters.iter().find(|filter| !visible.contains(&filter.field))",
            put: "filters.iter().find(|filter| filters.is_empty() && !visible.contains(&filter.field))",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "records are sorted by a hidden field",
        guards: &[BreakOperation::List],
        edits: &[Edit {
            file: CONDITIONS,
            find: "        declared && granted.scope.fields.contains(field)\n",
            put: "        declared\n",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "a record outside the view opens by its number",
        guards: &[BreakOperation::Handles, BreakOperation::Search],
        edits: &[
            Edit {
                file: "crates/store/src/sql/search/index.rs",
                find: "        if !by_id::holds_in_sql(db, collection, &conditions, *number)? {\n",
                put: "        if !by_id::holds_in_sql(db, collection, &conditions, *number)? && number.0 < 0 {\n",
            },
            Edit {
                file: "crates/store/src/sql/search/index.rs",
                find: "            && row.is_shown_by(part)\n",
                put: "            && (row.is_shown_by(part) || number.0 > 0)\n",
            },
        ],
        noticed_by: engine("handles"),
    },
    Break {
        harm: "a window opens a hidden field",
        guards: &[BreakOperation::Window],
        edits: &[Edit {
            file: "crates/engine/src/window/mod.rs",
            find: "granted_streams.retain(|granted| granted.scope.fields.contains(path.field()));",
            put: "granted_streams.retain_mut(|granted| { granted.scope.fields.insert(path.field().clone()); true });",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "a search finds words of hidden fields",
        guards: &[BreakOperation::Search],
        edits: &[
            Edit {
                file: "crates/engine/src/search/mod.rs",
                find: "declared.filter(|field| granted.scope.fields.contains(*field)).cloned().collect()",
                put: "declared.filter(|field| !field.as_str().is_empty() || granted.scope.fields.is_empty())\n        \
                        .cloned().collect()",
            },
            Edit {
                file: "crates/store/src/sql/search/mod.rs",
                find: "for field in searched.iter().filter(|field| part.fields.contains(*field)) {",
                put: "for field in searched {",
            },
        ],
        noticed_by: engine("search"),
    },
    Break {
        harm: "a search finds records outside the view",
        guards: &[BreakOperation::Search],
        edits: &[Edit {
            file: "crates/store/src/sql/search/view.rs",
            find: "        conditions.write_sql(&mut tests, &mut values);\n        let columns",
            put: "        let columns",
        }],
        noticed_by: ("pdpp-store", "conformance", "sqlite::search"),
    },
    Break {
        harm: "hidden records lend their neighbours something",
        guards: &[BreakOperation::Search],
        edits: &[
            Edit {
                file: "crates/store/src/sql/search/neighbours.rs",
                find: "        self.target.conditions.write_sql(&mut tests, &mut test_values);\n",
                put: "        if reach == 0 {\n            self.target.conditions.write_sql(&mut tests, &mut test_values);\n        }\n",
            },
            Edit {
                file: "crates/store/src/sql/search/neighbours.rs",
                find: "        self.target.conditions.write_sql(&mut test, &mut values);\n",
                put: "        if values.is_empty() {\n            self.target.conditions.write_sql(&mut test, &mut values);\n        }\n",
            },
        ],
        noticed_by: engine("conversations"),
    },
    Break {
        harm: "a hidden field holds conversations together",
        guards: &[BreakOperation::Search],
        edits: &[
            Edit {
                file: "crates/store/src/sql/search/neighbours.rs",
                find: "        if !in_view(&conversation.field) {\n",
                put: "        if !in_view(&conversation.field) && target.scope.fields.is_empty() {\n",
            },
            Edit {
                file: "crates/engine/src/search/around.rs",
                find: "    let in_view = |own: &Conversation| granted.scope.fields.contains(&own.field);\n",
                put: "    let in_view = |own: &Conversation| !own.field.as_str().is_empty();\n",
            },
        ],
        noticed_by: engine("conversations"),
    },
    Break {
        harm: "an aggregate is about a hidden field",
        guards: &[BreakOperation::Aggregate],
        edits: &[
            Edit {
                file: AGGREGATE_RULES,
                find: "    if !visible_fields(granted_streams).contains(field) {\n",
                put: "    if granted_streams.is_empty() && !visible_fields(granted_streams).contains(field) {\n",
            },
            Edit {
                file: AGGREGATE_RULES,
                find: "granted_streams.iter().filter(|granted| granted.scope.fields.contains(field)).collect();",
                put: "granted_streams.iter().collect();",
            },
        ],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "a change in a hidden field shows as a change",
        guards: &[BreakOperation::Changes],
        edits: &[Edit {
            file: "crates/store/src/sql/changes/track.rs",
            find: "        Ok((sight != before).then_some(sight))",
            put: "        Ok((sight != before || step.version.change_no.0 > 0).then_some(sight))",
        }],
        noticed_by: engine("changes"),
    },
    Break {
        harm: "a bookmark moves with changes that nobody sees",
        guards: &[BreakOperation::Bookmarks],
        edits: &[Edit {
            file: "crates/store/src/sql/changes/mod.rs",
            find: "            (known.change_no, prune::lost_through(db, &tracks, change_no)?)",
            put: "            (known.change_no, prune::lost_through(db, &tracks, change_no.max(newest))?)",
        }],
        noticed_by: engine("changes"),
    },
    Break {
        harm: "a bookmark of one grant goes on under another",
        guards: &[BreakOperation::Bookmarks],
        edits: &[Edit {
            file: "crates/engine/src/sealed/bookmark.rs",
            find: "bound != binding || rest.len()",
            put: "bound.len() != binding.len() || rest.len()",
        }],
        noticed_by: engine("changes"),
    },
    Break {
        harm: "a cursor of one grant goes on under another",
        guards: &[BreakOperation::Cursors],
        edits: &[Edit {
            file: "crates/engine/src/sealed/binding.rs",
            find: "facts: Sha256::new().chain_update(authority), day",
            put: "facts: Sha256::new().chain_update([authority[0] & 0; 32]), day",
        }],
        noticed_by: engine("cursor"),
    },
    Break {
        harm: "an ETag stays the same while the visible record changes",
        guards: &[BreakOperation::ETags],
        edits: &[Edit {
            file: "crates/engine/src/records/etag.rs",
            find: "    part(&data);\n",
            put: "    drop(data);\n",
        }],
        noticed_by: engine("etag"),
    },
    Break {
        harm: "a hidden change moves a record's time and ETag",
        guards: &[BreakOperation::ETags, BreakOperation::Get, BreakOperation::List],
        edits: &[Edit {
            file: "crates/store/src/sql/changes/emitted.rs",
            find: "    if row.flags & FLAG_REVISED == 0 {\n",
            put: "    if row.flags & FLAG_REVISED == 0 || row.record_no.0 > 0 {\n",
        }],
        noticed_by: engine("etag"),
    },
];
