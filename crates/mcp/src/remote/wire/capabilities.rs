//! What a field can do, from flags (`t=string,eq,r=gte|lt`), from objects, or from our own form.

use pdpp_contract::FieldName;
use pdpp_contract::schema::FieldCapabilities;
use serde_json::Value;

use super::schema::operators;

/// The capabilities of one field; `None` when the field is not granted.
pub(in crate::remote) fn capabilities(
    name: &FieldName,
    given: &Value,
    query: &Value,
) -> Option<FieldCapabilities> {
    match given {
        Value::String(flags) => from_flags(flags),
        Value::Object(members) if members.get("exact_filter").is_some_and(Value::is_boolean) => {
            serde_json::from_value(given.clone()).ok()
        }
        Value::Object(_) => from_objects(name, given, query),
        _ => Some(plain("string")),
    }
}

fn plain(kind: &str) -> FieldCapabilities {
    FieldCapabilities {
        kind: kind.to_owned(),
        exact_filter: false,
        range_filter: Vec::new(),
        sortable: false,
        lexical_search: false,
        aggregation: Vec::new(),
    }
}

fn from_flags(flags: &str) -> Option<FieldCapabilities> {
    let mut read = plain("string");
    for flag in flags.split(',') {
        match flag.split_once('=').unwrap_or((flag, "")) {
            (_, value) if value.starts_with("unusable") => {}
            ("g", "false") => return None,
            ("t", kind) => read.kind = kind_of(kind),
            ("eq", _) => read.exact_filter = true,
            ("r", words) => {
                read.range_filter = operators(words.split('|'));
                read.sortable = true;
            }
            ("lex", _) => read.lexical_search = true,
            ("a", words) => read.aggregation = words.split('|').map(str::to_owned).collect(),
            _ => {}
        }
    }
    Some(read)
}

fn from_objects(name: &FieldName, given: &Value, query: &Value) -> Option<FieldCapabilities> {
    if given.get("granted") == Some(&Value::Bool(false)) {
        return None;
    }
    let usable = |flag: &str| given.pointer(&format!("/{flag}/usable")) == Some(&Value::Bool(true));
    let schema_type = given.pointer("/schema/type").or_else(|| given.get("type"));
    let mut read = plain(&kind_of(&type_word(schema_type)));
    if let Some(format) = given.pointer("/schema/format").and_then(Value::as_str) {
        read.kind = kind_of(format);
    }
    read.exact_filter = usable("exact_filter");
    read.lexical_search = usable("lexical_search");
    let declared = query.get("range_filters").and_then(|filters| filters.get(name.as_str()));
    let listed = given.pointer("/range_filter/operators").or(declared).and_then(Value::as_array);
    if usable("range_filter") {
        read.range_filter = operators(listed.into_iter().flatten().filter_map(Value::as_str));
        read.sortable = true;
    }
    let kinds = given.get("aggregation").and_then(Value::as_object).into_iter().flatten();
    let usable_kinds = kinds.filter(|(_, flag)| flag.get("usable") == Some(&Value::Bool(true)));
    read.aggregation = usable_kinds.map(|(kind, _)| kind.clone()).collect();
    Some(read)
}

/// One word for a JSON Schema type, which may be several.
fn type_word(given: Option<&Value>) -> String {
    match given {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Array(words)) => {
            let mut named = words.iter().filter_map(Value::as_str).filter(|word| *word != "null");
            named.next().unwrap_or("string").to_owned()
        }
        _ => "string".to_owned(),
    }
}

/// The words of our own schema document.
fn kind_of(word: &str) -> String {
    let first = word.split('|').find(|word| *word != "null").unwrap_or("string");
    match first {
        "object" | "array" => "structured",
        "integer" | "number" | "boolean" | "date" | "date-time" | "structured" => first,
        _ => "string",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(given: &Value) -> Option<FieldCapabilities> {
        let query = json!({"range_filters": {"at": ["gte", "lt"]}});
        capabilities(&FieldName::new("at").unwrap(), given, &query)
    }

    #[test]
    fn an_unusable_flag_offers_nothing() {
        let read = read(&json!("t=null|integer,eq=unusable:x,r=unusable:y,lex")).unwrap();
        assert_eq!(read.kind, "integer");
        assert!(!read.exact_filter && read.range_filter.is_empty() && read.lexical_search);
    }

    #[test]
    fn objects_are_read_by_what_is_usable() {
        let given = json!({"schema": {"type": ["null", "string"], "format": "date-time"},
            "granted": true, "exact_filter": {"declared": true, "usable": false},
            "range_filter": {"declared": true, "usable": true},
            "lexical_search": {"declared": false, "usable": false},
            "aggregation": {"group_by_time": {"declared": true, "usable": true},
                            "sum": {"declared": false, "usable": false}}});
        let read = read(&given).unwrap();
        assert_eq!((read.kind.as_str(), read.range_filter.len()), ("date-time", 2));
        assert_eq!(read.aggregation, ["group_by_time"]);
    }

    #[test]
    fn a_field_outside_the_grant_is_no_field() {
        assert!(read(&json!({"granted": false, "schema": {}})).is_none());
        assert!(read(&json!("t=string,g=false")).is_none());
    }
}
