//! `GET …/field-window` over the wire.

use serde_json::json;

use crate::world::{World, note, notebook};

const WINDOW: &str = "/v1/streams/notes/records/long/field-window";

async fn world() -> (World, String) {
    let world = World::new().await;
    let text = format!("{}Nadel{}", "é".repeat(9_000), "z".repeat(9_000));
    let line = note("long", json!({"text": text, "author": "ada", "size": 3}));
    world.import("blue", &notebook(), &[line]).await;
    let token = world.agent(&["blue/notes:text,size"]).await;
    (world, token)
}

#[tokio::test]
async fn a_window_has_the_wire_shape_and_leads_on() {
    let (world, token) = world().await;
    let reply = world.get(&format!("{WINDOW}?field=text&limit_chars=100"), &token).await.json();
    assert_eq!(reply["object"], "field_window");
    assert_eq!(reply["connection_id"], "cin_blue");
    assert_eq!(reply["field"]["path"], "text");
    assert_eq!(reply["window"]["text"], "é".repeat(100));
    assert_eq!(reply["window"]["next_offset_chars"], 100);
    let cursor = reply["window"]["next_cursor"].as_str().unwrap();
    let target = format!("{WINDOW}?field_path=text&cursor={cursor}");
    assert_eq!(world.get(&target, &token).await.json()["window"]["start_chars"], 100);
    let around = format!("{WINDOW}?field=text&q=NADEL&before_chars=2&after_chars=1");
    let found = world.get(&around, &token).await.json();
    assert_eq!(found["window"]["text"], "ééNadelz");
    let own = found["links"]["self"].as_str().unwrap();
    assert_eq!(world.get(own, &token).await.json()["window"]["text"], "ééNadelz");
}

#[tokio::test]
async fn what_the_caller_can_mend_is_not_called_a_fault_of_the_server() {
    let (world, token) = world().await;
    let number = world.get(&format!("{WINDOW}?field=size"), &token).await.json();
    assert_eq!(number["error"]["type"], "invalid_request_error");
}

#[tokio::test]
async fn a_window_over_the_maximum_is_cut_with_a_warning() {
    let (world, token) = world().await;
    let reply = world.get(&format!("{WINDOW}?field=text&limit_chars=99999"), &token).await.json();
    assert_eq!(reply["window"]["end_chars"], 16_384);
    assert_eq!(reply["meta"]["warnings"][0]["code"], "limit_clamped");
    assert_eq!(reply["meta"]["warnings"][0]["param"], "limit_chars");
}

#[tokio::test]
async fn contradictions_and_hidden_fields_are_refused() {
    let (world, token) = world().await;
    for (query, status, code) in [
        ("", 400, "invalid_field_path"),
        ("field=", 400, "invalid_field_path"),
        ("field=text&q=a&offset_chars=1", 400, "invalid_window"),
        ("field=text&cursor=a&q=b", 400, "invalid_window"),
        ("field=text&before_chars=5", 400, "invalid_window"),
        ("field=text&q=", 400, "invalid_window"),
        ("field=text&q=a&after_chars=8193", 400, "invalid_window"),
        ("field=text&offset_chars=1.5", 400, "invalid_window"),
        ("field=text&limit_chars=0", 400, "invalid_window"),
        ("field=text&window=1", 400, "invalid_request"),
        ("field=text&field=text", 400, "invalid_request"),
        ("field=text&cursor=forged", 400, "invalid_cursor"),
        ("field=text&q=absent", 404, "query_not_found"),
        ("field=size", 422, "field_not_text"),
        ("field=author", 403, "field_not_granted"),
    ] {
        let reply = world.get(&format!("{WINDOW}?{query}"), &token).await;
        let (got_status, got_code, _) = reply.refusal();
        assert_eq!((got_status, got_code.as_str()), (status, code), "{query}");
    }
}
