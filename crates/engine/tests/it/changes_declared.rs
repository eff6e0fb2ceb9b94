//! A source declares another time field: what followers receive stays what their grant shows.

use pdpp_contract::query::ListRequest;
use pdpp_contract::{ErrorCode, ReadApi, StreamName};
use serde_json::{Value, json};

use crate::mirror::{Mirror, listed};
use crate::world::{World, mail, message};

const BY_TIME: &str = "work-mail/messages:id,subject@2026-01-01..2026-04-01";
const INSIDE: &str = "2026-02-01";
const OUTSIDE: &str = "2026-05-01";

fn messages() -> ListRequest {
    ListRequest { limit: Some(2), ..ListRequest::new(StreamName::new("messages").unwrap()) }
}

/// The source with another time field, or none.
fn timed_by(field: Option<&str>) -> Value {
    let mut declaration = mail();
    let stream = &mut declaration["streams"][0];
    stream["schema"]["properties"]["read_at"] = json!({"type": "string", "format": "date-time"});
    match field {
        Some(field) => stream["consent_time_field"] = json!(field),
        None => drop(stream.as_object_mut().unwrap().remove("consent_time_field")),
    }
    declaration
}

fn note(id: &str, sent_at: &str, read_at: &str, subject: &str) -> Value {
    message(id, json!({"sent_at": sent_at, "read_at": read_at, "subject": subject, "size": 1}))
}

fn deleted(id: &str) -> Value {
    json!({"type": "RECORD", "stream": "messages", "key": id, "op": "delete",
           "emitted_at": "2026-11-02T00:00:00Z"})
}

async fn write(world: &World, field: Option<&str>, lines: &[Value]) {
    let report = world.import("work-mail", &timed_by(field), lines).await;
    assert_eq!(report.rejected, 0, "{report:?}");
}

#[tokio::test]
async fn a_grant_on_a_new_time_field_sees_by_that_field_alone() {
    let world = World::new(61).await;
    let old = Some("sent_at");
    write(&world, old, &[note("never", INSIDE, OUTSIDE, "s"), note("shown", OUTSIDE, INSIDE, "s")])
        .await;
    // A value that came and went before anybody could have seen it by this field.
    write(&world, old, &[note("moved", OUTSIDE, OUTSIDE, "s")]).await;
    write(&world, old, &[note("moved", OUTSIDE, INSIDE, "s")]).await;
    let new = Some("read_at");
    write(&world, new, &[]).await;

    let reader = world.reader(&[BY_TIME]).await;
    let mut mirror = Mirror::new(messages());
    assert_eq!(mirror.follow(&reader).await, 2);
    assert_eq!(mirror.copy, listed(&reader, &messages()).await);

    let before = mirror.bookmark.clone();
    write(&world, new, &[deleted("never")]).await;
    assert_eq!(mirror.follow(&reader).await, 0, "no word about a record it never showed");
    assert_eq!(mirror.bookmark, before);
    write(&world, new, &[deleted("shown"), note("moved", INSIDE, OUTSIDE, "s")]).await;
    assert_eq!(mirror.follow(&reader).await, 2, "both have left");
    assert!(mirror.copy.is_empty());
}

#[tokio::test]
async fn a_grant_on_an_old_time_field_goes_on_seeing_by_it() {
    let world = World::new(62).await;
    let (old, new) = (Some("sent_at"), Some("read_at"));
    write(&world, old, &[note("a", INSIDE, OUTSIDE, "s"), note("b", OUTSIDE, INSIDE, "s")]).await;
    let reader = world.reader(&[BY_TIME]).await;
    let mut mirror = Mirror::new(messages());
    assert_eq!(mirror.follow(&reader).await, 1);
    for (field, line, expected) in [
        (new, note("b", OUTSIDE, INSIDE, "t"), 0),
        (new, note("c", INSIDE, OUTSIDE, "s"), 1),
        (new, note("c", OUTSIDE, INSIDE, "s"), 1),
        (new, note("a", INSIDE, INSIDE, "s"), 0),
        (None, note("a", OUTSIDE, INSIDE, "s"), 1),
        (None, note("b", INSIDE, OUTSIDE, "t"), 1),
        (old, note("b", INSIDE, INSIDE, "t"), 0),
        (old, deleted("b"), 1),
        (old, deleted("c"), 0),
    ] {
        write(&world, field, std::slice::from_ref(&line)).await;
        let received = mirror.follow(&reader).await;
        assert_eq!(mirror.copy, listed(&reader, &messages()).await, "{line}");
        assert_eq!(received, expected, "{line}");
    }
    assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn pruning_judges_each_grant_by_its_own_field() {
    let world = World::new(63).await;
    let (old, new) = (Some("sent_at"), Some("read_at"));
    write(&world, old, &[note("out", OUTSIDE, INSIDE, "s"), note("in", INSIDE, OUTSIDE, "s")])
        .await;
    let by_sent = world.reader(&[BY_TIME]).await;
    write(&world, new, &[]).await;
    let by_read = world.reader(&[BY_TIME]).await;
    let mut mirrors = [Mirror::new(messages()), Mirror::new(messages())];
    for (mirror, reader) in mirrors.iter_mut().zip([&by_sent, &by_read]) {
        assert_eq!(mirror.follow(reader).await, 1);
    }
    for subject in ["1", "2", "3"] {
        write(&world, new, &[note("out", OUTSIDE, INSIDE, subject)]).await;
    }
    let newest = world.store.newest_change().await.unwrap();
    assert!(world.store.prune_versions(newest).await.unwrap() > 0);
    let [sent, read] = &mut mirrors;
    assert_eq!(sent.follow(&by_sent).await, 0);
    assert_eq!(sent.expired, 0, "what was pruned it never saw");
    let error = by_read.list(read.start()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::CursorExpired);
    // The roles change: what is remembered of the pruning changes with them.
    write(&world, old, &[]).await;
    assert_eq!(sent.follow(&by_sent).await, 0);
    assert_eq!(sent.expired, 0);
    let error = by_read.list(read.start()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::CursorExpired);
}

#[tokio::test]
async fn a_cursor_ends_with_the_order_it_belongs_to() {
    let world = World::new(64).await;
    let lines: Vec<_> = (1..=5).map(|n| note(&format!("m{n}"), INSIDE, INSIDE, "s")).collect();
    write(&world, Some("sent_at"), &lines).await;
    let reader = world.reader(&["work-mail/messages"]).await;
    let first = reader.list(messages()).await.unwrap();
    let next = ListRequest { cursor: first.next_cursor, ..messages() };
    assert_eq!(reader.list(next.clone()).await.unwrap().data.len(), 2);
    let mut declaration = timed_by(Some("sent_at"));
    declaration["streams"][0]["cursor_field"] = json!("read_at");
    world.import("work-mail", &declaration, &[]).await;
    let error = reader.list(next).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidCursor);
}
