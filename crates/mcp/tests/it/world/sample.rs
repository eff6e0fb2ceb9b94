//! Sample data: a family's mail and chat, and stores of any size.

use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::error::AvailableConnection;
use pdpp_contract::read_api::Source;
use pdpp_contract::record::{Record, RecordTag};
use pdpp_contract::schema::FieldCapabilities;
use pdpp_contract::{Json, JsonObject};

use super::Provider;

pub fn source(id: &str, connector: &str, label: Option<&str>, streams: &[&str]) -> Source {
    Source {
        connection: AvailableConnection {
            connection_id: id.parse().unwrap(),
            connector_key: connector.parse().unwrap(),
            grant_id: Some(
                format!("grt_{}", id.replace(|c: char| !c.is_ascii_alphanumeric(), ""))
                    .parse()
                    .unwrap(),
            ),
            stream: None,
            display_name: label.map(str::to_owned),
        },
        streams: streams.iter().map(|name| name.parse().unwrap()).collect(),
    }
}

pub fn record(connection: &str, stream: &str, id: &str, fields: &[(&str, &str)]) -> Record {
    let mut data = JsonObject::new();
    data.insert("id".to_owned(), Json::String(id.to_owned()));
    for (name, text) in fields {
        data.insert((*name).to_owned(), Json::String((*text).to_owned()));
    }
    Record {
        object: RecordTag::Record,
        id: id.parse().unwrap(),
        stream: stream.parse().unwrap(),
        data: Some(data),
        emitted_at: "2026-05-01T00:00:00Z".to_owned(),
        connection_id: connection.parse().unwrap(),
        display_name: Some("Work mail".to_owned()),
        connector_key: None,
        record_json_bytes: None,
        deleted: false,
        deleted_at: None,
        previews: Vec::new(),
        number: None,
        roles: None,
        expanded: std::collections::BTreeMap::new(),
    }
}

pub fn field(kind: &str) -> FieldCapabilities {
    let time = kind == "date-time";
    FieldCapabilities {
        kind: kind.to_owned(),
        exact_filter: true,
        range_filter: if time { vec![RangeOperator::Gte, RangeOperator::Lt] } else { Vec::new() },
        sortable: time,
        lexical_search: kind == "string",
        aggregation: if time {
            vec!["group_by_time".to_owned()]
        } else {
            vec!["group_by".to_owned()]
        },
    }
}

/// Two mail connections and a chat.
pub fn family() -> Provider {
    let mut provider = Provider {
        sources: vec![
            source("cin_work", "gmail", Some("Work mail"), &["messages", "labels"]),
            source("cin_home", "gmail", Some("Home mail"), &["messages"]),
            source("cin_acme", "slack", Some("Acme"), &["posts"]),
        ],
        snippet_chars: 60,
        ..Provider::default()
    };
    for (name, kind) in [
        ("id", "string"),
        ("subject", "string"),
        ("body", "string"),
        ("sent_at", "date-time"),
        ("sender", "string"),
    ] {
        provider.fields.insert(name.parse().unwrap(), field(kind));
        provider.properties.insert(name.to_owned(), serde_json::json!({"type": "string"}));
    }
    let long = "The kitchen tiles arrive on Monday. ".repeat(400);
    let mail = |connection: &str, id: &str, subject: &str, body: &str| {
        record(
            connection,
            "messages",
            id,
            &[
                ("subject", subject),
                ("body", body),
                ("sent_at", "2026-04-02T09:30:00Z"),
                ("sender", "anna@example.org"),
            ],
        )
    };
    let records = vec![
        mail("cin_work", "m1", "Kitchen quote", "Dear Ben, the kitchen costs 4,200. Anna"),
        mail("cin_work", "m2", "Tiles", &long),
        mail("cin_home", "m1", "Kitchen at home", "Shall we paint the kitchen?"),
        record(
            "cin_acme",
            "posts",
            "p1",
            &[("body", "who ordered the kitchen tiles?"), ("sent_at", "2026-04-03T10:00:00Z")],
        ),
    ];
    *provider.records.lock().unwrap() = records;
    provider
}

/// One connection with `count` records, each with a body of `body_chars`.
pub fn big(count: usize, body_chars: usize) -> Provider {
    let mut provider = family();
    provider.sources = vec![source("cin_work", "gmail", Some("Work mail"), &["messages"])];
    let body = "needle and thread, "
        .repeat(body_chars / 19 + 1)
        .chars()
        .take(body_chars)
        .collect::<String>();
    let one = |at: usize| {
        record(
            "cin_work",
            "messages",
            &format!("m{at:05}"),
            &[
                ("subject", &format!("Message number {at} about the needle")),
                ("body", &body),
                ("sent_at", "2026-04-02T09:30:00Z"),
            ],
        )
    };
    *provider.records.lock().unwrap() = (0..count).map(one).collect();
    provider
}
