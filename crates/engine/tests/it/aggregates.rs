//! Aggregates: exact numbers, exact groups, over several connections at once.

use pdpp_contract::aggregate::{
    AggregateRequest, Aggregation, Granularity, Grouping, Metric, TimeGrouping,
};
use pdpp_contract::{ErrorCode, FieldName, Json, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::World;

/// Orders with an amount that is only measured, a shop, a time, a day, a flag and a remark.
pub fn shop() -> Value {
    json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://registry.pdpp.dev/connectors/shop"},
        "declaration_version": "1",
        "publisher": {"id": "https://pdpp.dev"},
        "display": {"name": "Shop"},
        "streams": [{
            "name": "orders",
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string"},
                "at": {"type": ["string", "null"], "format": "date-time"},
                "day": {"type": "string", "format": "date"},
                "amount": {"type": "number"},
                "shop": {"type": "string"},
                "paid": {"type": "boolean"},
                "remark": {"type": "string"}
            }},
            "primary_key": ["id"],
            "cursor_field": "at",
            "consent_time_field": "at",
            "selection": {"fields": true, "resources": true},
            "query": {
                "range_filters": {"at": ["gte", "lt"]},
                "aggregations": {
                    "count": true, "sum": ["amount"], "min": ["amount", "at"],
                    "max": ["amount", "at"], "count_distinct": ["shop", "amount", "remark"],
                    "group_by": ["shop", "paid", "amount", "remark", "day"],
                    "group_by_time": ["at", "day"]
                }
            }
        }]
    })
}

pub fn order(id: usize, mut data: Value) -> String {
    data["id"] = json!(format!("o{id:04}"));
    json!({"type": "RECORD", "stream": "orders", "key": data["id"], "data": data,
           "emitted_at": "2026-11-01T00:00:00Z"})
    .to_string()
}

pub async fn put(world: &World, name: &str, data: impl IntoIterator<Item = Value>) {
    let lines: Vec<_> = data.into_iter().enumerate().map(|(at, data)| order(at, data)).collect();
    let report = world.import_texts(name, &shop(), &lines).await;
    assert_eq!(report.rejected, 0, "{report:?}");
}

/// Amounts as they are written, digit for digit.
pub async fn put_amounts(world: &World, name: &str, amounts: &[&str]) {
    let line = |(at, amount): (usize, &&str)| {
        order(at, json!({"amount": "AMOUNT"})).replace("\"AMOUNT\"", amount)
    };
    let lines: Vec<_> = amounts.iter().enumerate().map(line).collect();
    let report = world.import_texts(name, &shop(), &lines).await;
    assert_eq!(report.rejected, 0, "{report:?}");
}

pub fn ask(metric: Metric, field: Option<&str>, grouping: Grouping) -> AggregateRequest {
    AggregateRequest {
        stream: StreamName::new("orders").unwrap(),
        metric,
        field: field.map(name),
        grouping,
        limit: None,
        cursor: None,
        filter: Vec::new(),
        connection_id: None,
    }
}

pub fn name(field: &str) -> FieldName {
    FieldName::new(field).unwrap()
}

pub fn by(field: &str) -> AggregateRequest {
    ask(Metric::Count, None, Grouping::by(name(field)))
}

pub fn over_time(field: &str, granularity: Granularity, zone: Option<&str>) -> AggregateRequest {
    let time_zone = zone.map(str::to_owned);
    ask(
        Metric::Count,
        None,
        Grouping::per(TimeGrouping { field: name(field), granularity, time_zone }),
    )
}

pub async fn value(reader: &GrantedReader, metric: Metric, field: &str) -> String {
    let answer = reader.aggregate(ask(metric, Some(field), Grouping::default())).await.unwrap();
    answer.value.unwrap().to_canonical()
}

pub fn groups(answer: &Aggregation) -> Vec<(String, u64)> {
    let groups = answer.groups.as_ref().unwrap().iter();
    groups.map(|group| (group.key.to_canonical(), group.count)).collect()
}

pub fn shown(groups: &[(&str, u64)]) -> Vec<(String, u64)> {
    groups.iter().map(|(key, count)| ((*key).to_owned(), *count)).collect()
}

#[tokio::test]
async fn sums_and_extremes_are_exact_and_keep_their_spelling() {
    let world = World::new(41).await;
    put_amounts(&world, "one", &["0.1", "0.2", "1e-30", "12345678901234567890"]).await;
    put_amounts(&world, "two", &["-0.30", "98765432109876543210", "-0.3"]).await;
    let both = world.reader(&["one", "two"]).await;
    assert_eq!(
        value(&both, Metric::Sum, "amount").await,
        "111111111011111111099.700000000000000000000000000001"
    );
    assert_eq!(value(&both, Metric::Min, "amount").await, "-0.30", "as it is spelled first");
    assert_eq!(value(&both, Metric::Max, "amount").await, "98765432109876543210");
    assert_eq!(value(&both, Metric::CountDistinct, "amount").await, "6");
    let one = world.reader(&["one/orders:amount"]).await;
    assert_eq!(
        value(&one, Metric::Sum, "amount").await,
        "12345678901234567890.300000000000000000000000000001"
    );
    assert_eq!(value(&one, Metric::Min, "amount").await, "1e-30");

    let world = World::new(42).await;
    let long = "7".repeat(200);
    put_amounts(&world, "one", &[&format!("{long}1"), &format!("{long}2"), &format!("{long}2.0")])
        .await;
    let reader = world.reader(&["one"]).await;
    assert_eq!(value(&reader, Metric::Max, "amount").await, format!("{long}2"));
    assert_eq!(value(&reader, Metric::Min, "amount").await, format!("{long}1"));
    assert_eq!(value(&reader, Metric::CountDistinct, "amount").await, "2");
    assert!(value(&reader, Metric::Sum, "amount").await.starts_with("2333"));

    let world = World::new(43).await;
    put(&world, "one", [json!({"at": "2026-02-01T09:00:00+02:00"}), json!({"at": "2026-02-01"})])
        .await;
    let reader = world.reader(&["one"]).await;
    assert_eq!(value(&reader, Metric::Sum, "amount").await, "0", "the sum of nothing");
    assert_eq!(value(&reader, Metric::Max, "amount").await, "null");
    assert_eq!(value(&reader, Metric::Max, "at").await, "\"2026-02-01T09:00:00+02:00\"");
}

#[tokio::test]
async fn what_is_not_offered_or_not_in_view_is_refused() {
    let world = World::new(49).await;
    put(&world, "one", [json!({"amount": 1, "shop": "a"})]).await;
    let reader = world.reader(&["one/orders:id,amount,at"]).await;
    let none = Grouping::default();
    let continued = |request| AggregateRequest { cursor: Some("forged".to_owned()), ..request };
    let limited = |request, limit| AggregateRequest { limit: Some(limit), ..request };
    let count = ask(Metric::Count, None, none.clone());
    let atlantis = over_time("at", Granularity::Day, Some("Europe/Atlantis"));
    for (request, code, param) in [
        (ask(Metric::Count, Some("amount"), none.clone()), ErrorCode::InvalidRequest, "field"),
        (ask(Metric::Sum, None, none.clone()), ErrorCode::InvalidRequest, "field"),
        (ask(Metric::Avg, None, none.clone()), ErrorCode::InvalidRequest, "field"),
        (ask(Metric::Avg, Some("shop"), none.clone()), ErrorCode::FieldNotGranted, "field"),
        (continued(count.clone()), ErrorCode::InvalidRequest, "cursor"),
        (continued(by("amount")), ErrorCode::InvalidCursor, "cursor"),
        (limited(count, 3), ErrorCode::InvalidRequest, "limit"),
        (limited(by("amount"), 0), ErrorCode::InvalidRequest, "limit"),
        (limited(by("amount"), 101), ErrorCode::InvalidRequest, "limit"),
        (by("at"), ErrorCode::InvalidArgument, "group_by"),
        (by("shop"), ErrorCode::FieldNotGranted, "group_by"),
        (by("nowhere"), ErrorCode::FieldNotGranted, "group_by"),
        (ask(Metric::Sum, Some("shop"), none.clone()), ErrorCode::FieldNotGranted, "field"),
        (ask(Metric::Sum, Some("at"), none.clone()), ErrorCode::InvalidArgument, "field"),
        (over_time("amount", Granularity::Day, None), ErrorCode::InvalidArgument, "group_by_time"),
        (over_time("day", Granularity::Day, None), ErrorCode::FieldNotGranted, "group_by_time"),
        (atlantis, ErrorCode::InvalidArgument, "time_zone"),
    ] {
        let error = reader.aggregate(request.clone()).await.unwrap_err();
        assert_eq!((error.code, error.param.as_deref()), (code, Some(param)), "{request:?}");
        assert!(!error.message.contains("remark") && !error.message.contains("paid"), "{error}");
    }
    // Only what a declaration offers, but for what a list tells anybody: how many there are.
    let mut silent = shop();
    silent["streams"][0]["query"] = json!({});
    world.import_texts("two", &silent, &[order(1, json!({}))]).await;
    let reader = world.reader(&["two"]).await;
    let counted = reader.aggregate(ask(Metric::Count, None, Grouping::default())).await.unwrap();
    assert_eq!(counted.value, Some(Json::Number("1".to_owned())));
    let error = reader.aggregate(ask(Metric::Sum, Some("amount"), none)).await.unwrap_err();
    assert_eq!((error.code, error.param.as_deref()), (ErrorCode::InvalidArgument, Some("field")));
}
