//! Groups by value and by time, over several connections.

use pdpp_contract::ReadApi;
use pdpp_contract::aggregate::{Granularity, Metric};
use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::query::{Filter, FilterTest};
use serde_json::{Value, json};

use crate::aggregates::{by, groups, name, over_time, put, put_amounts, shown, value};
use crate::world::World;

#[tokio::test]
async fn groups_of_several_connections_are_merged_before_they_are_cut() {
    let world = World::new(44).await;
    let shops = |counts: &[(&str, usize)]| -> Vec<Value> {
        counts.iter().flat_map(|(shop, count)| vec![json!({"shop": shop}); *count]).collect()
    };
    // "both" is second in each connection and first in all.
    put(&world, "one", shops(&[("a", 5), ("both", 4), ("😀", 1)])).await;
    put(&world, "two", shops(&[("b", 5), ("both", 4), ("😀", 1)]).into_iter().chain([json!({})]))
        .await;
    let reader = world.reader(&["one", "two"]).await;
    let mut request = by("shop");
    request.limit = Some(2);
    let answer = reader.aggregate(request).await.unwrap();
    assert_eq!(groups(&answer), shown(&[("\"both\"", 8), ("\"a\"", 5)]));
    assert_eq!((answer.filtered_record_count, answer.other_count), (21, Some(8)));
    assert_eq!(answer.limit, Some(2));
    let answer = reader.aggregate(by("shop")).await.unwrap();
    assert_eq!(
        groups(&answer),
        shown(&[("\"both\"", 8), ("\"a\"", 5), ("\"b\"", 5), ("\"😀\"", 2), ("null", 1)])
    );
    assert_eq!(answer.other_count, Some(0));
    assert_eq!(value(&reader, Metric::CountDistinct, "shop").await, "4");
    // Where a connection does not show the field, its records lack a value.
    let partly = world.reader(&["one", "two/orders:id"]).await;
    let answer = partly.aggregate(by("shop")).await.unwrap();
    assert_eq!(
        groups(&answer),
        shown(&[("null", 11), ("\"a\"", 5), ("\"both\"", 4), ("\"😀\"", 1)])
    );
}

#[tokio::test]
async fn long_values_form_groups_of_their_own() {
    let world = World::new(45).await;
    let stem = "a stem of more than sixty-four bytes, so that the keys of the values are cut ";
    let huge = |end: &str| format!("{}{end}", "x".repeat(20_000));
    let remarks = [
        format!("{stem}1"),
        format!("{stem}2"),
        format!("{stem}2"),
        huge("1"),
        huge("1"),
        huge("1"),
        huge("2"),
        "short".to_owned(),
    ];
    put(&world, "one", remarks.iter().map(|remark| json!({"remark": remark}))).await;
    // The same text once inside its record and once outside.
    let wide = json!({"remark": format!("{stem}{}", "y".repeat(6_000))});
    let mut wider = wide.clone();
    wider["shop"] = json!("z".repeat(8_000));
    put(&world, "two", [wide, wider]).await;
    let reader = world.reader(&["one", "two"]).await;
    assert_eq!(value(&reader, Metric::CountDistinct, "remark").await, "6");
    let answer = reader.aggregate(by("remark")).await.unwrap();
    let counts: Vec<u64> = groups(&answer).iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [3, 2, 2, 1, 1, 1]);
    let keys: Vec<usize> = groups(&answer).iter().map(|(key, _)| key.chars().count()).collect();
    assert!(keys.iter().all(|length| *length <= 1_024 + 3), "{keys:?}");
    assert!(groups(&answer).contains(&(format!("\"{stem}2\""), 2)));
}

#[tokio::test]
async fn booleans_numbers_and_days_are_shown_as_values() {
    let world = World::new(46).await;
    put_amounts(&world, "one", &["1", "1.0", "10e-1", "2.50", "-3"]).await;
    let reader = world.reader(&["one"]).await;
    assert_eq!(
        groups(&reader.aggregate(by("amount")).await.unwrap()),
        shown(&[("1", 3), ("-3", 1), ("2.5", 1)])
    );
    let world = World::new(47).await;
    put(
        &world,
        "one",
        [
            json!({"paid": true, "day": "2026-02-01"}),
            json!({"paid": true, "day": "2026-02-01"}),
            json!({"paid": false, "day": "2026-02-02"}),
            json!({}),
        ],
    )
    .await;
    let reader = world.reader(&["one"]).await;
    assert_eq!(
        groups(&reader.aggregate(by("paid")).await.unwrap()),
        shown(&[("true", 2), ("false", 1), ("null", 1)])
    );
    assert_eq!(
        groups(&reader.aggregate(by("day")).await.unwrap()),
        shown(&[("\"2026-02-01\"", 2), ("\"2026-02-02\"", 1), ("null", 1)])
    );
    // A day is a day, in Los Angeles too.
    for zone in [None, Some("America/Los_Angeles"), Some("Pacific/Auckland")] {
        let answer = reader.aggregate(over_time("day", Granularity::Day, zone)).await.unwrap();
        assert_eq!(
            groups(&answer),
            shown(&[("\"2026-02-01\"", 2), ("\"2026-02-02\"", 1), ("null", 1)]),
            "{zone:?}"
        );
        assert_eq!(answer.time_zone.as_deref(), Some(zone.unwrap_or("UTC")));
    }
}

#[tokio::test]
async fn time_buckets_follow_the_clocks_of_their_zone() {
    let world = World::new(48).await;
    let times = [
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T03:00:00+02:00",
        "2026-10-25T00:00:00Z",
        "2026-10-25",
        "not a time",
    ];
    put(&world, "one", times.iter().map(|at| json!({"at": at})).chain([json!({"at": null})])).await;
    let reader = world.reader(&["one"]).await;
    let hours = over_time("at", Granularity::Hour, Some("Europe/Berlin"));
    assert_eq!(
        groups(&reader.aggregate(hours.clone()).await.unwrap()),
        shown(&[
            ("\"2026-10-25T00:00:00+02:00\"", 1),
            ("\"2026-10-25T02:00:00+02:00\"", 2),
            ("\"2026-10-25T02:00:00+01:00\"", 2),
            ("null", 2),
        ]),
        "the date is its own day; midnight UTC is two in the morning"
    );
    let mut short = hours;
    short.limit = Some(2);
    let answer = reader.aggregate(short).await.unwrap();
    assert_eq!((groups(&answer).len(), answer.other_count), (2, Some(4)));
    let days = over_time("at", Granularity::Day, Some("America/New_York"));
    assert_eq!(
        groups(&reader.aggregate(days).await.unwrap()),
        shown(&[("\"2026-10-24\"", 4), ("\"2026-10-25\"", 1), ("null", 2)])
    );
    let mut filtered = over_time("at", Granularity::Year, None);
    let test = FilterTest::Range(RangeOperator::Gte, "2026-10-25T01:00:00Z".to_owned());
    filtered.filter = vec![Filter { field: name("at"), test }];
    let answer = reader.aggregate(filtered).await.unwrap();
    assert_eq!(groups(&answer), shown(&[("\"2026-01-01\"", 2)]));
}
