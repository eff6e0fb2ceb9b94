//! `GET /v1/streams/{stream}/records` over the wire.

use serde_json::{Value, json};

use crate::client::Reply;
use crate::world::World;

const NOTES: &str = "/v1/streams/notes/records";

fn ids(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_page_has_the_wire_shape() {
    let world = World::filled().await;
    let token = world.agent(&["blue/notes:text"]).await;
    let page = world.get("/v1/streams/notes/records?limit=1&order=asc&count=exact", &token).await;
    let page = page.json();
    assert_eq!(page["object"], "list");
    assert_eq!(page["url"], NOTES);
    assert_eq!(page["has_more"], true);
    assert_eq!(page["meta"], json!({"count": {"kind": "exact", "value": 3}, "warnings": []}));
    assert_eq!(
        page["data"],
        json!([{
            "object": "record",
            "id": "blue-1",
            "stream": "notes",
            "data": {"id": "blue-1", "text": "note 1 of blue"},
            "emitted_at": "2026-11-01T00:00:00Z",
            "connection_id": "cin_blue",
            "display_name": "The blue one",
        }])
    );
    let members: Vec<_> = page.as_object().unwrap().keys().cloned().collect();
    let expected = ["object", "url", "data", "has_more", "next_cursor", "links", "meta"];
    assert_eq!(members, expected);
}

#[tokio::test]
async fn following_the_next_link_visits_every_record_once() {
    let world = World::filled().await;
    let token = world.agent(&["blue", "red"]).await;
    let mut link = Some(format!("{NOTES}?limit=2&sort=-at"));
    let mut seen = Vec::new();
    while let Some(target) = link {
        let page = world.get(&target, &token).await.json();
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        link = page["links"]["next"].as_str().map(str::to_owned);
        assert_eq!(link.is_some(), page["has_more"].as_bool().unwrap());
    }
    assert_eq!(seen, ["red-3", "blue-3", "red-2", "blue-2", "red-1", "blue-1"].map(str::to_owned));
}

#[tokio::test]
async fn filters_fields_and_connections_narrow_the_page() {
    let world = World::filled().await;
    let token = world.agent(&["blue", "red"]).await;
    let ask = async |query: &str| world.get(&format!("{NOTES}?{query}"), &token).await.json();
    assert_eq!(ids(&ask("connection_id=cin_red&order=asc").await), ["red-1", "red-2", "red-3"]);
    assert_eq!(ids(&ask("filter[author]=ada&order=asc").await), ["blue-1", "blue-2", "blue-3"]);
    let ranged = "filter%5Bat%5D%5Bgte%5D=2026-02-01&filter[at][lt]=2026-03-01&order=asc";
    assert_eq!(ids(&ask(ranged).await), ["blue-2", "red-2"]);
    let projected = ask("fields=author&limit=1&order=asc").await;
    assert_eq!(projected["data"][0]["data"], json!({"author": "ada", "id": "blue-1"}));
}

#[tokio::test]
async fn a_limit_over_the_maximum_is_cut_with_a_warning() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let page = world.get(&format!("{NOTES}?limit=5000"), &token).await.json();
    let warning = &page["meta"]["warnings"][0];
    assert_eq!((&warning["code"], &warning["param"]), (&json!("limit_clamped"), &json!("limit")));
    assert_eq!(warning["detail"], json!({"max_limit": 100, "requested_limit": 5000}));
}

#[tokio::test]
async fn every_bad_parameter_is_named() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    for (query, code, param) in [
        ("limit=0", "invalid_request", "limit"),
        ("limit=-5", "invalid_request", "limit"),
        ("limit=many", "invalid_request", "limit"),
        ("limit=1&limit=2", "invalid_request", "limit"),
        ("order=sideways", "invalid_request", "order"),
        ("order=asc&sort=-at", "invalid_sort", "sort"),
        ("sort=text", "invalid_sort", "sort"),
        ("count=all", "invalid_request", "count"),
        ("connector_instance_id=cin_blue", "invalid_request", "connector_instance_id"),
        ("expand=x", "invalid_expand", "expand"),
        ("fields=", "invalid_argument", "fields"),
        ("filter[text][like]=x", "invalid_filter", "filter[text][like]"),
        ("filter=x", "invalid_filter", "filter"),
        ("cursor=forged", "invalid_cursor", "cursor"),
        ("preview_chars=-1", "invalid_request", "preview_chars"),
    ] {
        let reply = world.get(&format!("{NOTES}?{query}"), &token).await;
        let expected = (400, code.to_owned(), Some(param.to_owned()));
        assert_eq!(reply.refusal(), expected, "{query}");
    }
    for broken in ["a=%zz", "a=%ff", "limit=%"] {
        let reply = world.get(&format!("{NOTES}?{broken}"), &token).await;
        assert_eq!(reply.refusal(), (400, "invalid_request".to_owned(), None), "{broken}");
    }
}

#[tokio::test]
async fn what_is_outside_the_grant_answers_like_what_does_not_exist() {
    let world = World::filled().await;
    let token = world.agent(&["blue/notes:text"]).await;
    let same = async |hidden: &str, absent: &str| {
        let strip = |reply: Reply, name: &str| {
            let mut error = reply.json()["error"].clone();
            error["request_id"] = Value::Null;
            (reply.status, error.to_string().replace(name, "?"))
        };
        let name = |target: &str| target.split(['/', '=']).next_back().unwrap().to_owned();
        let hidden_reply = strip(world.get(hidden, &token).await, &name(hidden));
        let absent_reply = strip(world.get(absent, &token).await, &name(absent));
        assert_eq!(hidden_reply, absent_reply, "{hidden}");
        assert!(hidden_reply.0 >= 400);
    };
    same("/v1/streams/entries", "/v1/streams/nothing").await;
    same("/v1/streams/notes/records?fields=author", "/v1/streams/notes/records?fields=nobody")
        .await;
    same(
        "/v1/streams/notes/records?connection_id=cin_red",
        "/v1/streams/notes/records?connection_id=cin_nil",
    )
    .await;
    same("/v1/streams/notes/records/red-1", "/v1/streams/notes/records/red-9").await;
}
