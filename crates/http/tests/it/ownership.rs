//! Agents and the owner: who may do what, and what the audit log keeps of it.

use pdpp_contract::access::{AuditActor, AuditEvent, AuditQuery};
use serde_json::json;

use crate::client::Call;
use crate::world::{World, note, notebook};

/// The newest events, oldest first, without those of setting the world up.
async fn events(world: &World, limit: u32) -> Vec<AuditEvent> {
    world.audit.flush().await.unwrap();
    let query = AuditQuery { limit, ..AuditQuery::default() };
    let stored = world.store.audit_events(&query).await.unwrap();
    stored.into_iter().rev().map(|stored| stored.event).collect()
}

#[tokio::test]
async fn an_agent_may_not_write() {
    let world = World::filled().await;
    let agent = world.agent(&["blue"]).await;
    for (method, target) in [
        ("POST", "/v1/ingest/notes?connection_id=cin_blue"),
        ("DELETE", "/v1/streams/notes/records?connection_id=cin_blue"),
        ("DELETE", "/v1/streams/notes/records/blue-1?connection_id=cin_blue"),
        ("DELETE", "/v1/streams/notes/records/blue-1"),
    ] {
        let reply = Call::new(method, target).bearer(&agent).send(world.addr).await;
        assert_eq!(reply.refusal(), (403, "permission_error".to_owned(), None), "{target}");
    }
    let page = world.get("/v1/streams/notes/records", &agent).await.json();
    assert_eq!(page["data"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn the_owner_reads_everything() {
    let world = World::filled().await;
    let owner = world.owner().await;
    let schema = world.get("/v1/schema", &owner).await.json();
    assert_eq!(schema["bearer"]["token_kind"], "owner");
    let page = world.get("/v1/streams/notes/records", &owner).await.json();
    assert_eq!(page["data"].as_array().unwrap().len(), 6);
    let unknown = world.get("/v1/streams/notes/records?fields=nobody", &owner).await;
    assert_eq!(unknown.refusal().1, "unknown_field");
}

#[tokio::test]
async fn every_call_of_a_known_caller_is_kept() {
    let world = World::filled().await;
    let agent = world.agent(&["blue", "red"]).await;
    let owner = world.owner().await;
    let list = Call::get("/v1/streams/notes/records?limit=4").bearer(&agent);
    let body = list.header("Request-Id", "one").send(world.addr).await.body;
    world.get("/v1/streams/notes/records/red-1", &agent).await;
    world.get("/v1/streams/secrets/records", &agent).await;
    let delete = "/v1/streams/notes/records/blue-1?connection_id=cin_blue";
    Call::new("DELETE", delete).bearer(&owner).send(world.addr).await;
    Call::get("/v1/streams").send(world.addr).await;

    let kept = events(&world, 4).await;
    let words: Vec<_> = kept
        .iter()
        .map(|event| (event.operation.as_str(), event.outcome.as_str(), event.records_returned))
        .collect();
    assert_eq!(
        words,
        [
            ("list_records", "ok", 4),
            ("record", "ok", 1),
            ("list_records", "grant_stream_not_allowed", 0),
            ("delete_record", "ok", 0),
        ]
    );
    assert_eq!(kept[0].actor, AuditActor::Client("agent".parse().unwrap()));
    assert_eq!(kept[0].request_id.as_deref(), Some("one"));
    assert_eq!(kept[0].bytes_returned, u64::try_from(body.len()).unwrap());
    assert_eq!(kept[0].stream.as_ref().unwrap().as_str(), "notes");
    let ids: Vec<_> = kept[0].connection_ids.iter().map(ToString::to_string).collect();
    assert_eq!(ids, ["cin_blue", "cin_red"]);
    assert_eq!(kept[1].connection_ids.len(), 1);
    assert_eq!(kept[3].actor, AuditActor::Owner);
    assert!(kept.iter().all(|event| event.token_fingerprint.is_some()));
    let debug = format!("{kept:?}");
    assert!(!debug.contains(&agent) && !debug.contains("note 1"), "{debug}");
}

#[tokio::test]
async fn a_count_is_kept_with_the_connections_it_was_taken_over() {
    let world = World::new().await;
    let mut countable = notebook();
    countable["streams"][0]["query"]["aggregations"] = json!({"count": true});
    for name in ["blue", "red", "green"] {
        world.import(name, &countable, &[note(&format!("{name}-1"), json!({}))]).await;
    }
    let agent = world.agent(&["blue", "red"]).await;
    for (more, expected) in
        [("", vec!["cin_blue", "cin_red"]), ("&connection_id=cin_red", vec!["cin_red"])]
    {
        let target = format!("/v1/streams/notes/aggregate?metric=count{more}");
        assert_eq!(world.get(&target, &agent).await.status, 200);
        let kept = events(&world, 1).await.remove(0);
        let ids: Vec<_> = kept.connection_ids.iter().map(ToString::to_string).collect();
        assert_eq!(
            (kept.operation.as_str(), ids),
            ("aggregate", expected.iter().map(ToString::to_string).collect())
        );
    }
}
