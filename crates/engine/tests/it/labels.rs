//! What agents call an account: its display name, and its short name where it has none.

use pdpp_contract::ids::DisplayName;
use pdpp_contract::query::{ListRequest, RecordRequest};
use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, connection_id, mail, message};

fn stream() -> StreamName {
    StreamName::new("messages").unwrap()
}

/// Every `display_name` in a document, each once, in the order of the alphabet.
fn labels(document: &Value) -> Vec<String> {
    fn collect(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                into.extend(members.get("display_name").and_then(Value::as_str).map(str::to_owned));
                members.values().for_each(|value| collect(value, into));
            }
            Value::Array(items) => items.iter().for_each(|value| collect(value, into)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(document, &mut found);
    found.sort();
    found.dedup();
    found
}

/// The labels of every kind of answer that has them: sources, lists, hits, and what to choose from.
async fn seen(reader: &GrantedReader) -> [Vec<String>; 4] {
    let sources = reader.sources().await.unwrap().into_iter();
    let sources: Vec<Value> = sources.map(|source| json!(source.connection)).collect();
    let list = reader.list(ListRequest::new(stream())).await.unwrap();
    let search = SearchRequest {
        q: "boiler".to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: None,
        cursor: None,
        filter: Vec::new(),
    };
    let found = reader.search(search).await.unwrap();
    let record = RecordRequest::new(stream(), RecordId::new("m1").unwrap());
    let record = match reader.record(record).await {
        Ok(detail) => json!(detail.record),
        Err(choose) => json!(choose),
    };
    [json!(sources), json!(list), json!(found), record].map(|document| labels(&document))
}

#[tokio::test]
async fn an_account_without_a_display_name_goes_by_its_short_name() {
    let world = World::new(83).await;
    for name in ["work-mail", "old-mail", "hidden-mail"] {
        let data = json!({"sent_at": "2026-02-01T09:00:00Z", "subject": "boiler"});
        world.import(name, &mail(), &[message("m1", data)]).await;
    }
    let reader = world.reader(&["work-mail/messages", "old-mail/messages"]).await;
    for labels in seen(&reader).await {
        assert_eq!(labels, ["old-mail", "work-mail"], "and none outside the grant");
    }
    let label = DisplayName::new("Archive").unwrap();
    world.store.rename_connection(&connection_id("old-mail"), Some(label)).await.unwrap();
    for labels in seen(&reader).await {
        assert_eq!(labels, ["Archive", "work-mail"]);
    }
    let one = world.reader(&["work-mail/messages"]).await;
    for labels in seen(&one).await {
        assert_eq!(labels, ["work-mail"]);
    }
}
