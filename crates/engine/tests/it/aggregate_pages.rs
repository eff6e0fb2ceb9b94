//! Measures per group, groups by value and time at once, and groups page by page.

use pdpp_contract::aggregate::{
    AggregateRequest, Aggregation, Granularity, Grouping, Metric, TimeGrouping,
};
use pdpp_contract::query::{Filter, FilterTest};
use pdpp_contract::{ApiError, ErrorCode, Json, ReadApi};
use pdpp_engine::GrantedReader;
use serde_json::json;

use crate::aggregates::{ask, by, name, put};
use crate::world::World;

fn by_shop_and_month() -> Grouping {
    let month =
        TimeGrouping { field: name("at"), granularity: Granularity::Month, time_zone: None };
    Grouping { field: Some(name("shop")), time: Some(month) }
}

async fn filled(world: &World) {
    let order = |shop: &str, day: &str, amount: f64| json!({"shop": shop, "at": format!("2026-{day}T10:00:00Z"), "amount": amount});
    put(
        world,
        "one",
        [
            order("books", "01-03", 12.5),
            order("books", "01-20", 0.1),
            order("books", "02-01", 0.2),
            order("bikes", "02-07", 900.0),
            json!({"shop": "bikes", "amount": 1}),
        ],
    )
    .await;
}

/// `time/key=value(count)` of each group.
fn shown(answer: &Aggregation) -> Vec<String> {
    let groups = answer.groups.iter().flatten();
    groups
        .map(|group| {
            let time = group.time.as_ref().map(|time| time.to_canonical() + "/");
            let value = group.value.as_ref().map(Json::to_canonical);
            let (time, value) = (time.unwrap_or_default(), value.unwrap_or_default());
            format!("{time}{}={value}({})", group.key.to_canonical(), group.count)
        })
        .collect()
}

#[tokio::test]
async fn every_metric_is_computed_per_group_with_its_total() {
    let world = World::new(71).await;
    filled(&world).await;
    let reader = world.reader(&["one"]).await;
    for (metric, expected, total) in [
        (Metric::Sum, [r#""bikes"=901(2)"#, r#""books"=12.8(3)"#], "913.8"),
        (Metric::Avg, [r#""bikes"=450.5(2)"#, r#""books"=4.2666666666666666667(3)"#], "182.76"),
        (Metric::Min, [r#""books"=0.1(3)"#, r#""bikes"=1(2)"#], "0.1"),
        (Metric::Max, [r#""bikes"=900.0(2)"#, r#""books"=12.5(3)"#], "900.0"),
        (Metric::CountDistinct, [r#""books"=3(3)"#, r#""bikes"=2(2)"#], "5"),
    ] {
        let request = ask(metric, Some("amount"), Grouping::by(name("shop")));
        let answer = reader.aggregate(request).await.unwrap();
        assert_eq!(shown(&answer), expected, "{metric:?}");
        assert_eq!(answer.total.unwrap().to_canonical(), total, "{metric:?}");
        assert_eq!((answer.group_count, answer.filtered_record_count), (Some(2), 5));
    }
}

#[tokio::test]
async fn value_and_month_make_groups_in_one_call() {
    let world = World::new(72).await;
    filled(&world).await;
    let reader = world.reader(&["one"]).await;
    let counts = reader.aggregate(ask(Metric::Count, None, by_shop_and_month())).await.unwrap();
    let expected = [
        r#""2026-01-01"/"books"=(2)"#,
        r#""2026-02-01"/"bikes"=(1)"#,
        r#""2026-02-01"/"books"=(1)"#,
        r#"null/"bikes"=(1)"#,
    ];
    assert_eq!(shown(&counts), expected);
    assert_eq!(counts.granularity, Some(Granularity::Month));
    assert_eq!(counts.group_by, Some(name("shop")));
    // Neither field may be outside the view.
    for view in ["one/orders:id,at", "one/orders:id,shop"] {
        let narrow = world.reader(&[view]).await;
        let refused = narrow.aggregate(ask(Metric::Count, None, by_shop_and_month())).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::FieldNotGranted, "{view}");
    }
}

async fn pages(
    reader: &GrantedReader,
    mut request: AggregateRequest,
) -> Result<Vec<Vec<String>>, ApiError> {
    let mut pages = Vec::new();
    loop {
        let answer = reader.aggregate(request.clone()).await?;
        let count: u64 = answer.groups.iter().flatten().map(|group| group.count).sum();
        assert_eq!(answer.other_count, Some(answer.filtered_record_count - count));
        assert_eq!(answer.has_more, Some(answer.next_cursor.is_some()));
        pages.push(shown(&answer));
        match answer.next_cursor {
            None => return Ok(pages),
            Some(cursor) => {
                assert!(cursor.len() <= 150, "{} characters", cursor.len());
                let next = answer.links.next.flatten().unwrap_or_default();
                assert!(next.ends_with(&format!("cursor={cursor}")), "{next}");
                request.cursor = Some(cursor);
            }
        }
    }
}

#[tokio::test]
async fn groups_are_paged_and_each_is_delivered_once() {
    let world = World::new(73).await;
    filled(&world).await;
    let reader = world.reader(&["one"]).await;
    for request in [
        by("amount"),
        ask(Metric::Count, None, by_shop_and_month()),
        ask(Metric::Sum, Some("amount"), by_shop_and_month()),
    ] {
        let whole = pages(&reader, request.clone()).await.unwrap().concat();
        assert!(whole.len() > 2);
        let two = pages(&reader, AggregateRequest { limit: Some(2), ..request }).await.unwrap();
        assert!(two.len() > 1);
        assert_eq!(two.concat(), whole);
    }
}

#[tokio::test]
async fn a_cursor_continues_its_own_question_under_its_own_grant() {
    let world = World::new(74).await;
    filled(&world).await;
    let reader = world.reader(&["one"]).await;
    let first = AggregateRequest { limit: Some(1), ..by("shop") };
    let cursor = reader.aggregate(first.clone()).await.unwrap().next_cursor;
    let next = AggregateRequest { cursor, ..first };
    assert_eq!(shown(&reader.aggregate(next.clone()).await.unwrap()), [r#""bikes"=(2)"#]);
    let larger = AggregateRequest { limit: Some(9), ..next.clone() };
    assert!(reader.aggregate(larger).await.is_ok(), "a page may be as large as is wanted");

    let test = FilterTest::Equals("books".to_owned());
    let filter = vec![Filter { field: name("shop"), test }];
    for other in [
        AggregateRequest { metric: Metric::Sum, field: Some(name("amount")), ..next.clone() },
        AggregateRequest { grouping: Grouping::by(name("paid")), ..next.clone() },
        AggregateRequest { grouping: by_shop_and_month(), ..next.clone() },
        AggregateRequest { filter, ..next.clone() },
    ] {
        let refused = reader.aggregate(other).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidCursor);
    }
    let narrow = world.reader(&["one/orders:id,shop"]).await;
    assert_eq!(narrow.aggregate(next).await.unwrap_err().code, ErrorCode::InvalidCursor);
}

#[tokio::test]
async fn a_hidden_write_moves_no_cursor_of_groups() {
    let world = World::new(75).await;
    filled(&world).await;
    let reader = world.reader(&["one/orders:id,shop,at,amount@2026-01-01..2026-03-01"]).await;
    let request = AggregateRequest {
        limit: Some(1),
        ..ask(Metric::Sum, Some("amount"), by_shop_and_month())
    };
    let before = reader.aggregate(request.clone()).await.unwrap();
    let unseen = |at: usize| {
        crate::aggregates::order(
            1_000 + at,
            json!({"shop": format!("hidden {at}"), "at": "2027-01-01T00:00:00Z", "amount": 7}),
        )
    };
    let lines: Vec<String> = (0..20).map(unseen).collect();
    world.import_texts("one", &crate::aggregates::shop(), &lines).await;
    let after = reader.aggregate(request).await.unwrap();
    assert!(before.next_cursor.is_some());
    assert_eq!(before, after);
}
