//! `GET /v1/streams/{stream}/aggregate` over the wire.

use serde_json::{Value, json};

use crate::world::{World, note, notebook};

/// The notebook with something to compute.
fn counted() -> Value {
    let mut source = notebook();
    source["streams"][0]["query"]["aggregations"] = json!({
        "count": true, "group_by": ["author"], "group_by_time": ["at"], "sum": ["size"],
    });
    source
}

async fn world() -> World {
    let world = World::new().await;
    let sizes = [0.1, 0.2, 12.5];
    let line = |(n, size): (usize, &f64)| {
        let at = format!("2026-0{}-01T23:30:00Z", n + 1);
        note(&format!("n{n}"), json!({"at": at, "author": "ada", "size": size}))
    };
    let lines: Vec<_> = sizes.iter().enumerate().map(line).collect();
    world.import("blue", &counted(), &lines).await;
    world
}

#[tokio::test]
async fn an_aggregate_has_the_wire_shape() {
    let world = world().await;
    let token = world.agent(&["blue"]).await;
    let path = "/v1/streams/notes/aggregate";
    let sum = world.get(&format!("{path}?metric=sum&field=size"), &token).await.json();
    assert_eq!(
        sum,
        json!({
            "object": "aggregation", "stream": "notes", "metric": "sum", "field": "size",
            "group_by": null, "group_by_time": null, "granularity": null, "time_zone": null,
            "approximate": false, "filtered_record_count": 3, "value": 12.8,
            "links": {"self": format!("{path}?metric=sum&field=size")},
            "meta": {"count": {"kind": "none"}, "warnings": []},
        })
    );
    let query = "metric=count&group_by_time=at&granularity=day&time_zone=Europe%2FBerlin&limit=1";
    let days = world.get(&format!("{path}?{query}"), &token).await.json();
    assert_eq!(days["groups"], json!([{"key": "2026-01-02", "count": 1}]));
    assert_eq!((&days["limit"], &days["other_count"]), (&json!(1), &json!(2)));
    assert_eq!(days.get("value"), None);
}

#[tokio::test]
async fn refusals_name_the_parameter() {
    let world = world().await;
    let token = world.agent(&["blue/notes:author"]).await;
    for (query, code, param) in [
        ("metric=count&group_by=text", "field_not_granted", "group_by"),
        ("metric=count&group_by=nowhere", "field_not_granted", "group_by"),
        ("metric=sum&field=author", "invalid_argument", "field"),
        ("metric=count&group_by=author&limit=101", "invalid_request", "limit"),
        ("metric=count&order=asc", "invalid_request", "order"),
    ] {
        let reply = world.get(&format!("/v1/streams/notes/aggregate?{query}"), &token).await;
        let error = reply.json();
        assert_eq!(error["error"]["code"], code, "{query}");
        assert_eq!(error["error"]["param"], param, "{query}");
    }
}

#[tokio::test]
async fn changes_pass_through_the_list_route() {
    let world = world().await;
    let token = world.agent(&["blue"]).await;
    let mut link = Some("/v1/streams/notes/records?changes_since=beginning&limit=2".to_owned());
    let (mut seen, mut bookmark) = (0, None);
    while let Some(target) = link {
        let page = world.get(&target, &token).await.json();
        seen += page["data"].as_array().unwrap().len();
        link = page["links"]["next"].as_str().map(str::to_owned);
        assert!(link.as_ref().is_none_or(|link| !link.contains("changes_since")), "{link:?}");
        assert_eq!(page["has_more"], page.get("next_changes_since").is_none());
        bookmark = page["next_changes_since"].as_str().map(str::to_owned);
    }
    assert_eq!(seen, 3);
    let gone = json!({"type": "RECORD", "stream": "notes", "key": "n1", "op": "delete",
                      "emitted_at": "2026-11-02T00:00:00Z"});
    world.import("blue", &counted(), &[gone]).await;
    let target = format!("/v1/streams/notes/records?changes_since={}", bookmark.unwrap());
    let page = world.get(&target, &token).await.json();
    assert_eq!(
        page["data"],
        json!([{
            "object": "record", "id": "n1", "stream": "notes", "deleted": true,
            "deleted_at": "2026-11-02T00:00:00Z", "emitted_at": "2026-11-02T00:00:00Z",
            "connection_id": "cin_blue",
        }])
    );
    let refused = world.get(&format!("{target}&count=exact"), &token).await.json();
    assert_eq!(refused["error"]["param"], "count");
    let refused = world.get(&target.replace("changes_since", "cursor"), &token).await.json();
    assert_eq!(refused["error"]["code"], "invalid_cursor");
}
