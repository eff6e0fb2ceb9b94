//! Fields that an answer has no room for: their names, and where to find more of them.

use pdpp_contract::handles::RecordRef;
use serde_json::{Value, json};

use crate::ids::unnamed::is_named;
use crate::render::measure::json_bytes;
use crate::tools::Tool;

/// Bytes for the names of fields that are left out.
pub(crate) const NAMES_BYTES: usize = 4_096;

/// As many names as there is room for.
pub(crate) fn names<N: AsRef<str>>(all: &[N]) -> Vec<&str> {
    let mut bytes = 0;
    let fits = |name: &&str| {
        bytes += json_bytes(name) + 1;
        bytes <= NAMES_BYTES
    };
    all.iter().map(AsRef::as_ref).take_while(fits).collect()
}

/// The call that names every field of a record's stream, page by page.
pub(crate) fn all_names(record: &RecordRef) -> Value {
    let mut arguments = json!({"stream": record.stream});
    if let Some(members) = arguments.as_object_mut().filter(|_| is_named(&record.connection_id)) {
        members.insert("connection_id".to_owned(), json!(record.connection_id));
    }
    json!({"tool": Tool::Schema.name(), "arguments": arguments})
}
