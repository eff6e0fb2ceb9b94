//! Time limits that move with the days, on both backends.

use jiff::SignedDuration;
use pdpp_contract::aggregate::{AggregateRequest, Grouping, Metric};
use pdpp_contract::query::{ListRequest, RecordPage, RecordRequest, Sort};
use pdpp_contract::schema::SchemaRequest;
use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ErrorCode, ReadApi, RecordId, StreamName};
use serde_json::{Value, json};

use crate::world::{World, mail, message};

/// It is noon of the 15th; one message at noon of each day of November.
async fn worlds() -> Vec<World> {
    let mut worlds = vec![World::new(91).await];
    worlds.extend(World::on_postgres(92).await);
    for world in &worlds {
        let lines: Vec<Value> = (1..=30).map(of_day).collect();
        world.import("work-mail", &mail(), &lines).await;
    }
    worlds
}

fn of_day(day: u32) -> Value {
    let sent_at = format!("2026-11-{day:02}T12:00:00Z");
    let data = json!({"sent_at": sent_at, "subject": format!("day {day}"), "text": "boiler"});
    message(&format!("m{day:02}"), data)
}

fn messages() -> ListRequest {
    let sort = Some(Sort { field: None, descending: false });
    let request = ListRequest::new(StreamName::new("messages").unwrap());
    ListRequest { limit: Some(100), sort, ..request }
}

fn ids(page: &RecordPage) -> Vec<&str> {
    page.data.iter().map(|record| record.id.as_str()).collect()
}

fn range(days: std::ops::RangeInclusive<u32>) -> Vec<String> {
    days.map(|day| format!("m{day:02}")).collect()
}

fn search(cursor: Option<String>) -> SearchRequest {
    SearchRequest {
        q: "boiler".to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(2),
        cursor,
        filter: Vec::new(),
    }
}

fn groups(cursor: Option<String>) -> AggregateRequest {
    AggregateRequest {
        stream: StreamName::new("messages").unwrap(),
        connection_id: None,
        metric: Metric::Count,
        field: None,
        grouping: Grouping { field: Some("subject".parse().unwrap()), ..Grouping::default() },
        filter: Vec::new(),
        limit: Some(2),
        cursor,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_limit_moves_at_midnight_utc_in_every_operation() {
    for world in worlds().await {
        let token = world.token(&["work-mail/messages@3d..+2d"]).await;
        for (hours, days) in [(0, 12..=16), (11, 12..=16), (1, 13..=17), (24 * 10, 23..=27)] {
            world.clock.advance(SignedDuration::from_hours(hours));
            let reader = world.reader_with(&token).await;
            let page = reader.list(messages()).await.unwrap();
            assert_eq!(ids(&page), range(days.clone()), "after {hours} more hours");
            let all = SearchRequest { limit: Some(50), ..search(None) };
            let found = reader.search(all).await.unwrap();
            assert_eq!(found.data.len(), days.clone().count());
            let counted = AggregateRequest { grouping: Grouping::default(), ..groups(None) };
            let counted = AggregateRequest { limit: None, ..counted };
            let counted = serde_json::to_value(reader.aggregate(counted).await.unwrap()).unwrap();
            assert_eq!(counted["value"], json!(days.clone().count()), "{counted}");
            for day in 1..=30 {
                let id = RecordId::new(format!("m{day:02}")).unwrap();
                let one = RecordRequest::new(StreamName::new("messages").unwrap(), id);
                assert_eq!(reader.record(one).await.is_ok(), days.contains(&day), "day {day}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_page_shows_what_both_days_show() {
    for world in worlds().await {
        let token = world.token(&["work-mail/messages@3d..+2d"]).await;
        let reader = world.reader_with(&token).await;
        let first = ListRequest { limit: Some(2), ..messages() };
        let page = reader.list(first.clone()).await.unwrap();
        assert_eq!(ids(&page), ["m12", "m13"]);
        let cursor = page.next_cursor.unwrap();
        assert!(cursor.len() <= 150, "{}", cursor.len());
        let hits = reader.search(search(None)).await.unwrap();
        let hits_cursor = hits.next_cursor.unwrap();
        let grouped = serde_json::to_value(reader.aggregate(groups(None)).await.unwrap()).unwrap();
        let group_cursor = grouped["next_cursor"].as_str().unwrap().to_owned();

        world.clock.advance(SignedDuration::from_hours(48));
        let reader = world.reader_with(&token).await;
        let next = ListRequest { cursor: Some(cursor.clone()), limit: Some(1), ..messages() };
        let page = reader.list(next).await.unwrap();
        assert_eq!(ids(&page), ["m14"]);
        // The day of the first page goes on with the cursors.
        let next = ListRequest { cursor: page.next_cursor, ..messages() };
        assert_eq!(ids(&reader.list(next).await.unwrap()), ["m15", "m16"], "not 17 and 18");
        let mut cursor_of_hits = Some(hits_cursor);
        let mut found = Vec::new();
        while let Some(cursor) = cursor_of_hits {
            let page = reader.search(search(Some(cursor))).await.unwrap();
            found.extend(page.data.into_iter().map(|hit| hit.record_key.to_string()));
            cursor_of_hits = page.next_cursor;
        }
        assert!(found.iter().all(|id| range(14..=16).contains(id)), "{found:?}");
        let rest = reader.aggregate(groups(Some(group_cursor))).await;
        if let Ok(rest) = rest {
            let rest = serde_json::to_value(rest).unwrap().to_string();
            assert!(!rest.contains("day 17") && !rest.contains("day 12"), "{rest}");
        }

        let other = world.reader(&["work-mail/messages@4d..+2d"]).await;
        let foreign = ListRequest { cursor: Some(cursor), ..messages() };
        let refused = other.list(foreign).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidCursor, "another rule");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_by_time_is_no_change_and_a_bookmark_lasts() {
    for world in worlds().await {
        let token = world.token(&["work-mail/messages@3d..+2d"]).await;
        let reader = world.reader_with(&token).await;
        let since = |bookmark: &str| ListRequest {
            changes_since: Some(bookmark.to_owned()),
            sort: None,
            ..messages()
        };
        let page = reader.list(since("beginning")).await.unwrap();
        assert_eq!(page.data.len(), 5);
        let bookmark = page.next_changes_since.unwrap();

        world.clock.advance(SignedDuration::from_hours(48));
        let reader = world.reader_with(&token).await;
        let page = reader.list(since(&bookmark)).await.unwrap();
        assert_eq!(ids(&page), ["m17", "m18"], "three left, and nobody is told");
        let bookmark = page.next_changes_since.unwrap();
        world
            .import(
                "work-mail",
                &mail(),
                &[message(
                    "m15",
                    json!({
                        "sent_at": "2026-11-15T12:00:00Z", "subject": "moved", "text": "boiler"
                    }),
                )],
            )
            .await;
        let page = reader.list(since(&bookmark)).await.unwrap();
        assert_eq!(ids(&page), ["m15"]);

        let schema = reader.schema(SchemaRequest::default()).await.unwrap();
        let schema = serde_json::to_value(&schema.connectors[0].streams[0]).unwrap();
        let limit = &schema["granted_connections"][0]["time_limit"];
        assert_eq!(limit["since_rule"], "-3d");
        assert_eq!(limit["since"], "2026-11-14T00:00:00Z");
        assert!(limit["note"].as_str().unwrap().contains("changes_since"), "{limit}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_outside_a_rolling_limit_changes_no_byte() {
    for world in worlds().await {
        let token = world.token(&["work-mail/messages@3d..+2d"]).await;
        let first = ListRequest { limit: Some(2), ..messages() };
        let changes = ListRequest {
            changes_since: Some("beginning".to_owned()),
            sort: None,
            ..first.clone()
        };
        let mut answers = Vec::new();
        for round in 0..2 {
            let reader = world.reader_with(&token).await;
            let page = reader.list(first.clone()).await.unwrap();
            let next = ListRequest { cursor: page.next_cursor.clone(), ..first.clone() };
            let found = reader.search(search(None)).await.unwrap();
            let next_hits = reader.search(search(found.next_cursor.clone())).await.unwrap();
            answers.push(json!([
                page,
                reader.list(next).await.unwrap(),
                reader.list(changes.clone()).await.unwrap(),
                found,
                next_hits,
                reader.aggregate(groups(None)).await.unwrap(),
                reader.schema(SchemaRequest::default()).await.unwrap(),
            ]));
            if round == 0 {
                let hidden = json!({
                    "sent_at": "2026-11-17T00:00:00Z", "subject": "day 14", "text": "boiler boiler"
                });
                let old = json!({"sent_at": "2026-11-11T23:59:59Z", "text": "boiler", "size": 9});
                let lines = [message("m14b", hidden), message("m11", old), of_day(30)];
                world.import("work-mail", &mail(), &lines).await;
            }
        }
        assert_eq!(answers[0], answers[1]);
    }
}
