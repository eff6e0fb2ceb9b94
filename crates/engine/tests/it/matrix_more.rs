//! Parts of the grant matrix: following changes from the beginning, aggregates.

use std::collections::BTreeMap;

use pdpp_contract::aggregate::{AggregateRequest, Granularity, Grouping, Metric, TimeGrouping};
use pdpp_contract::query::ListRequest;
use pdpp_contract::{ErrorCode, FieldName, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::Value;

use crate::mirror::{Copy, Mirror};
use crate::oracle::{Allowed, Sent};
use crate::world::connection_id;

/// Following changes from the beginning gives exactly the visible records.
pub async fn check_changes(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    for stream in ["messages", "threads"] {
        let mut question = ListRequest::new(StreamName::new(stream).unwrap());
        question.limit = Some(2);
        let mut mirror = Mirror::new(question);
        if allowed.fields(stream).is_none() {
            let error = reader.list(mirror.start()).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::GrantStreamNotAllowed, "{allowed:?}");
            continue;
        }
        let shown = allowed.list(all, stream, None, true);
        assert_eq!(mirror.follow(reader).await, shown.len(), "{allowed:?} {stream}");
        let expected: Copy = shown
            .into_iter()
            .map(|record| {
                let connection = connection_id(record.connection).to_string();
                ((connection, record.id().to_owned()), allowed.project(record))
            })
            .collect();
        assert_eq!(mirror.copy, expected, "{allowed:?} {stream}");
    }
}

fn ask(metric: Metric, field: Option<&str>, grouping: Grouping) -> AggregateRequest {
    AggregateRequest {
        stream: StreamName::new("messages").unwrap(),
        metric,
        field: field.map(|name| FieldName::new(name).unwrap()),
        grouping,
        limit: Some(100).filter(|_| metric == Metric::Count && field.is_none()),
        cursor: None,
        filter: Vec::new(),
        connection_id: None,
    }
}

/// Numbers over the visible records, and refusals for fields outside the grant.
pub async fn check_aggregates(reader: &GrantedReader, allowed: &Allowed, all: &[Sent]) {
    let Some(fields) = allowed.fields("messages") else {
        let request = ask(Metric::Sum, Some("size"), Grouping::default());
        let error = reader.aggregate(request).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::GrantStreamNotAllowed);
        return;
    };
    let shown = allowed.list(all, "messages", None, true);
    let total = u64::try_from(shown.len()).unwrap();
    let mut count = ask(Metric::Count, None, Grouping::default());
    count.limit = None;
    let answer = reader.aggregate(count).await.unwrap();
    assert_eq!(answer.value.unwrap().to_canonical(), total.to_string(), "{allowed:?}");

    let sizes: Vec<i64> =
        shown.iter().map(|record| record.data["size"].as_i64().unwrap()).collect();
    let text = |size: Option<&i64>| size.map_or("null".to_owned(), ToString::to_string);
    for (metric, expected) in [
        (Metric::Sum, sizes.iter().sum::<i64>().to_string()),
        (Metric::Min, text(sizes.iter().min())),
        (Metric::Max, text(sizes.iter().max())),
    ] {
        let answer = reader.aggregate(ask(metric, Some("size"), Grouping::default())).await;
        if fields.contains(&"size") {
            let answer = answer.unwrap();
            assert_eq!(answer.value.unwrap().to_canonical(), expected, "{allowed:?}");
            assert_eq!(answer.filtered_record_count, total);
        } else {
            assert_eq!(answer.unwrap_err().code, ErrorCode::FieldNotGranted, "{allowed:?}");
        }
    }
    let subject = |record: &&Sent| Some(record.data["subject"].as_str().unwrap().to_owned());
    check_groups(reader, allowed, "subject", tally(&shown, &subject)).await;
    let month = |record: &&Sent| match &record.data["sent_at"] {
        Value::String(text) if text.starts_with("2026") => Some(format!("{}-01", &text[..7])),
        _ => None,
    };
    check_groups(reader, allowed, "sent_at", tally(&shown, &month)).await;
}

type Counts = BTreeMap<String, u64>;

fn tally(shown: &[&Sent], key: &dyn Fn(&&Sent) -> Option<String>) -> Counts {
    let mut counts = Counts::new();
    for record in shown {
        let key = key(record).map_or("null".to_owned(), |key| format!("\"{key}\""));
        *counts.entry(key).or_insert(0) += 1;
    }
    counts
}

async fn check_groups(reader: &GrantedReader, allowed: &Allowed, field: &str, expected: Counts) {
    let name = FieldName::new(field).unwrap();
    let grouping = match field {
        "sent_at" => Grouping::per(TimeGrouping {
            field: name,
            granularity: Granularity::Month,
            time_zone: None,
        }),
        _ => Grouping::by(name),
    };
    let answer = reader.aggregate(ask(Metric::Count, None, grouping)).await;
    if !allowed.fields("messages").unwrap().contains(&field) {
        assert_eq!(answer.unwrap_err().code, ErrorCode::FieldNotGranted, "{allowed:?}");
        return;
    }
    let answer = answer.unwrap();
    let groups = answer.groups.unwrap().into_iter();
    let found: Counts = groups.map(|group| (group.key.to_canonical(), group.count)).collect();
    assert_eq!((found, answer.other_count), (expected, Some(0)), "{allowed:?} {field}");
}
