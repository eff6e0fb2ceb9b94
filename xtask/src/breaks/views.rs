//! Enforcements that make a view of a grant: which records and fields there are for a caller, and what
//! they are told of the rest.

use super::{ALL_READS, Break, BreakOperation, Edit, engine};

const VIEW: &str = "crates/engine/src/view/mod.rs";
const SCHEMA_FIELDS: &str = "crates/engine/src/schema/fields.rs";

/// Each with one place and one way.
pub const VIEWS: &[Break] = &[
    Break {
        harm: "the time range of a grant is forgotten",
        guards: ALL_READS,
        edits: &[Edit {
            file: VIEW,
            find: "        time,\n        records:",
            put: "        time: time.filter(|_| false),\n        records:",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "records with codes show where they are left out",
        guards: ALL_READS,
        edits: &[Edit {
            file: VIEW,
            find: "leave_out_codes: grant.leave_out_codes,",
            put: "leave_out_codes: grant.leave_out_codes && false,",
        }],
        noticed_by: engine("codes"),
    },
    Break {
        harm: "no record is known to carry a code",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/engine/src/import/checker.rs",
            find: "let carries = data.as_ref().map(classify).unwrap_or_default();",
            put: "let carries = data.as_ref().map(classify).filter(|_| false).unwrap_or_default();",
        }],
        noticed_by: engine("codes"),
    },
    Break {
        harm: "keys show a field outside the grant",
        guards: ALL_READS,
        edits: &[Edit {
            file: VIEW,
            find: ".filter(keys_shown) else",
            put: ".filter(|declared| keys_shown(declared) || true) else",
        }],
        noticed_by: engine("keys_declared"),
    },
    Break {
        harm: "records come with hidden fields",
        guards: &[
            BreakOperation::List,
            BreakOperation::Get,
            BreakOperation::Changes,
            BreakOperation::Expand,
            BreakOperation::Search,
        ],
        edits: &[Edit {
            file: "crates/store/src/sql/records/mod.rs",
            find: "        scope.fields.contains(name)\n            && wanted",
            put: "        (scope.fields.contains(name) || !name.is_empty())\n            && wanted",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "a hidden connection is refused in other words than an unknown one",
        guards: &[BreakOperation::Errors],
        edits: &[Edit {
            file: VIEW,
            find: "        && connections.is_empty()\n",
            put: "        && shared.store.connections(std::slice::from_ref(wanted)).await\n            \
                    .map_err(from_store)?.is_empty()\n",
        }],
        noticed_by: engine("non_interference"),
    },
    Break {
        harm: "a hidden stream is refused in other words than an unknown one",
        guards: &[BreakOperation::Errors],
        edits: &[
            Edit {
                file: VIEW,
                find: "    let mut granted_streams = Vec::new();\n    for connection",
                put: "    let mut declared = false;\n    let mut granted_streams = Vec::new();\n    for connection",
            },
            Edit {
                file: VIEW,
                find: "        for grant in grants.iter()",
                put: "        declared |= narrow.stream.is_some_and(|name| declaration.stream(name).is_some());\n        \
                      for grant in grants.iter()",
            },
            Edit {
                file: VIEW,
                find: "        return Err(no_stream(&authority.kind, stream));\n",
                put: "        let kind = if declared { &AuthorityKind::Owner } else { &authority.kind };\n        \
                      return Err(no_stream(kind, stream));\n",
            },
        ],
        noticed_by: engine("unknown"),
    },
    Break {
        harm: "a hidden field may be asked for, an unknown one may not",
        guards: &[
            BreakOperation::Errors,
            BreakOperation::List,
            BreakOperation::Get,
            BreakOperation::Changes,
        ],
        edits: &[Edit {
            file: "crates/engine/src/records/list.rs",
            find: "asked.iter().find(|field| !visible.contains(field))",
            put: "asked.iter().find(|field| !visible.contains(field) && granted_streams.iter()\n            \
                    .all(|granted| granted.stream.field_kind(field.as_str()).is_none()))",
        }],
        noticed_by: engine("unknown"),
    },
    Break {
        harm: "the schema names hidden fields",
        guards: &[BreakOperation::Schema],
        edits: &[Edit {
            file: SCHEMA_FIELDS,
            find: "let kept = declared.iter().filter(|(name, _)| visible(name));",
            put: "let kept = declared.iter().filter(|(name, _)| visible(name) || true);",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "the schema says what hidden fields can do",
        guards: &[BreakOperation::Schema],
        edits: &[Edit {
            file: SCHEMA_FIELDS,
            find: "    let visible = granted.scope.fields.iter();\n",
            put: "    let every = stream.schema.get(\"properties\").and_then(Value::as_object);\n    \
                  let every = every.into_iter().flatten().filter_map(|(name, _)| FieldName::new(name).ok());\n    \
                  let every: Vec<FieldName> = every.collect();\n    \
                  let visible = every.iter();\n",
        }],
        noticed_by: engine("grant_matrix"),
    },
    Break {
        harm: "the schema offers a view with hidden fields",
        guards: &[BreakOperation::Schema],
        edits: &[Edit {
            file: SCHEMA_FIELDS,
            find: "view.fields.iter().all(|field| granted.scope.fields.contains(field))",
            put: "view.fields.iter().any(|field| granted.scope.fields.contains(field))",
        }],
        noticed_by: engine("unknown"),
    },
    Break {
        harm: "a relation shows through a hidden key field",
        guards: &[BreakOperation::Expand, BreakOperation::Schema],
        edits: &[Edit {
            file: SCHEMA_FIELDS,
            find: "            holder.scope.fields.contains(&relation.foreign_key)\n",
            put: "            holder.scope.fields.contains(&relation.foreign_key) || true\n",
        }],
        noticed_by: engine("expand"),
    },
];
