//! Names, descriptions and messages that one reader would read differently from another.

use super::{ALL_READS, Break, BreakOperation, Edit};

/// Each with one place and one way.
pub const NAMES: &[Break] = &[
    Break {
        harm: "new declarations bring names that hide text",
        guards: &[BreakOperation::Writing],
        edits: &[
            Edit {
                file: "crates/contract/src/declaration/width.rs",
                find: "if stream.name.as_str().contains(is_unsafe) {",
                put: "if stream.name.as_str().is_empty() {",
            },
            Edit {
                file: "crates/contract/src/declaration/width.rs",
                find: "if field.as_str().contains(is_unsafe) {",
                put: "if field.as_str().is_empty() {",
            },
        ],
        noticed_by: ("pdpp-contract", "declarations", "a_new_name"),
    },
    Break {
        harm: "names that hide text reach a terminal",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/cli/src/output/mod.rs",
            find: "is_unsafe(c) && !matches!(c, '\\n' | '\\r' | '\\t' | '\\u{1b}')",
            put: "is_unsafe(c) && matches!(c, '\\0')",
        }],
        noticed_by: ("pdpp", "bin", "reaches_a_terminal"),
    },
    Break {
        harm: "names that hide text reach a terminal in JSON",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/cli/src/output/mod.rs",
            find: "    if !json.contains(is_unsafe) {\n",
            put: "    if !json.contains(is_unsafe) || !json.is_empty() {\n",
        }],
        noticed_by: ("pdpp", "bin", "reaches_a_terminal"),
    },
    Break {
        harm: "names that hide text reach a model",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/contract/src/one_line.rs",
            find: "    if !is_unsafe(c) {\n",
            put: "    if !is_unsafe(c) || !c.is_control() {\n",
        }],
        noticed_by: ("pdpp-mcp", "it", "forgery"),
    },
    Break {
        harm: "a tool call that names an argument twice is read",
        guards: ALL_READS,
        edits: &[Edit {
            file: "crates/mcp/src/serve/strict.rs",
            find: "if !names.insert(name) {",
            put: "if !names.insert(name) && names.is_empty() {",
        }],
        noticed_by: ("pdpp-mcp", "lib", "serve::"),
    },
    Break {
        harm: "the name of an unknown method is repeated to its caller",
        guards: &[BreakOperation::Errors],
        edits: &[Edit {
            file: "crates/mcp/src/serve/refusing.rs",
            find: "ErrorData::new(ErrorCode::METHOD_NOT_FOUND, UNKNOWN_METHOD, None)",
            put: "ErrorData::new(\n            ErrorCode::METHOD_NOT_FOUND,\n            \
                    format!(\"{UNKNOWN_METHOD}: {}\", request.method),\n            None,\n        )",
        }],
        noticed_by: ("pdpp-mcp", "lib", "serve::refusing"),
    },
    Break {
        harm: "what a source says about a stream reaches the model as instructions",
        guards: &[BreakOperation::Schema],
        edits: &[Edit {
            file: "crates/mcp/src/schema/stream_block.rs",
            find: "format!(\"about (the source's own words): {}\", quoted(text, 240))",
            put: "format!(\"about (the source's own words): {text}\")",
        }],
        noticed_by: ("pdpp-mcp", "it", "what_a_source_says"),
    },
];
