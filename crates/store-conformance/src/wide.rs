//! Streams with very many typed fields: as many as are allowed always fit, and one more is refused.

use std::sync::Arc;

use pdpp_contract::SourceDeclaration;
use pdpp_contract::declaration::MAX_TYPED_FIELDS;
use pdpp_contract::limits::MAX_KEY_BYTES;
use serde_json::{Map, Value, json};

use super::sample::{Account, declaration, found, new};
use super::{CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::error::StoreError;

/// Measured fields, which one index carries along: more than it has room for.
const MEASURED: usize = 40;
/// The longest number whose key is whole.
const LONG_NUMBER: &str = "-1234567890123456789012345678901234567890123456789012345678901234567890\
                           123456789012345678901234567890123456789012345678";

pub(super) const CASES: CaseTable = cases![
    the_widest_stream_takes_values_of_any_length,
    a_wider_stream_is_refused_by_its_name,
    a_stream_that_grows_too_wide_stays_as_it_was,
];

/// A source with one stream of so many typed fields: a time, numbers, and text.
fn wide(typed: usize) -> SourceDeclaration {
    let numbers: Vec<String> = (0..MEASURED).map(|at| format!("n{at}")).collect();
    let texts: Vec<String> = (MEASURED + 1..typed).map(|at| format!("t{at}")).collect();
    let mut properties = Map::new();
    properties.insert("id".to_owned(), json!({"type": "string"}));
    properties.insert("at".to_owned(), json!({"type": "string", "format": "date-time"}));
    let number = |name: &String| (name.clone(), json!({"type": "number"}));
    properties.extend(numbers.iter().map(number));
    properties.extend(texts.iter().map(|name| (name.clone(), json!({"type": "string"}))));
    let source = json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://registry.pdpp.dev/connectors/wide"},
        "declaration_version": "1",
        "publisher": {"id": "https://registry.pdpp.dev/publishers/pdpp"},
        "display": {"name": "Wide"},
        "streams": [{
            "name": "rows",
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["id"], "properties": properties},
            "primary_key": ["id"],
            "selection": {"fields": true, "resources": true},
            "cursor_field": "at",
            "consent_time_field": "at",
            "query": {"aggregations": {"sum": numbers, "group_by": texts}},
        }],
    });
    declaration(&source.to_string())
}

/// A record whose texts are so long, the first `missing` of them left out.
fn record(id: &str, typed: usize, (chars, missing): (usize, usize)) -> String {
    // A letter from everywhere, so that nothing can be packed.
    let letter = |field: usize, at: usize| char::from(b'!' + ((field * 31 + at * 57) % 93) as u8);
    let text = |field: usize| (0..chars).map(|at| letter(field, at)).collect::<String>();
    let texts = (MEASURED + 1 + missing..typed).map(|at| (format!("t{at}"), json!(text(at))));
    let mut data: Map<String, Value> = texts.collect();
    data.insert("id".to_owned(), json!(id));
    data.insert("at".to_owned(), json!("2026-01-01T00:00:00Z"));
    let numbers: String = (0..MEASURED).map(|at| format!(", \"n{at}\": {LONG_NUMBER}")).collect();
    let data = Value::Object(data).to_string();
    format!("{}{numbers}}}", data.trim_end_matches('}'))
}

async fn the_widest_stream_takes_values_of_any_length(store: Arc<dyn Store>) {
    let account = Account::declared(&store, "wide", wide(MAX_TYPED_FIELDS)).await;
    // Postgres moves values out of a row from a certain length on; just below it a row is largest.
    let lengths = (18..=24).chain([1, 40, 63, 64, 100]);
    let sizes: Vec<(usize, usize)> = lengths.flat_map(|chars| [(chars, 0), (chars, 1)]).collect();
    let id = |number: usize| format!("{number:03}{}", "k".repeat(MAX_KEY_BYTES - 3));
    let records: Vec<String> = (0..sizes.len())
        .map(|number| record(&id(number), MAX_TYPED_FIELDS, sizes[number]))
        .collect();
    account.put("rows", &records).await;
    for number in 0..3 {
        let changed = record(&id(number), MAX_TYPED_FIELDS, sizes[number + 8]);
        account.put("rows", &[changed]).await;
    }
    let scope = account.scope("rows");
    for number in 0..sizes.len() {
        assert_eq!(found(&store, &scope, &id(number)).await.unwrap().len(), 1, "{number}");
    }
}

async fn a_wider_stream_is_refused_by_its_name(store: Arc<dyn Store>) {
    let refused = store.ensure_connection(new("wide", wide(MAX_TYPED_FIELDS + 1))).await;
    let Err(StoreError::TooWide { stream, typed, limit }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!((stream.as_str(), typed, limit), ("rows", MAX_TYPED_FIELDS + 1, MAX_TYPED_FIELDS));
    assert_eq!(store.list_connections().await.unwrap(), [], "nothing was made");
}

async fn a_stream_that_grows_too_wide_stays_as_it_was(store: Arc<dyn Store>) {
    let account = Account::declared(&store, "wide", wide(60)).await;
    account.put("rows", &[record("a", 60, (20, 0))]).await;
    let before = store.list_connections().await.unwrap();
    let refused = store.ensure_connection(new("wide", wide(460))).await;
    assert!(matches!(refused, Err(StoreError::TooWide { .. })), "{refused:?}");
    assert_eq!(store.list_connections().await.unwrap(), before);
    account.put("rows", &[record("b", 60, (20, 0))]).await;
}
