//! A source declares another primary key: no grant comes to show a field it leaves out.

use pdpp_contract::query::ListRequest;
use pdpp_contract::{ErrorCode, ReadApi, StreamName};
use serde_json::json;

use crate::world::{World, mail, message};

#[tokio::test]
async fn a_key_outside_the_grant_hides_the_stream() {
    let world = World::new(71).await;
    let lines = [message("a", json!({"subject": "s"}))];
    world.import("work-mail", &mail(), &lines[..0]).await;
    let narrow = world.reader(&["work-mail/messages:id,sent_at"]).await;
    let wide = world.reader(&["work-mail/messages:id,sent_at,subject"]).await;
    let mut keyed = mail();
    keyed["streams"][0]["primary_key"] = json!(["id", "subject"]);
    let line = json!({"type": "RECORD", "stream": "messages", "key": ["a", "secret"],
        "data": {"id": "a", "subject": "secret"}, "emitted_at": "2026-11-01T00:00:00Z"});
    assert_eq!(world.import("work-mail", &keyed, &[line]).await.added, 1);

    let messages = || ListRequest::new(StreamName::new("messages").unwrap());
    let seen = wide.list(messages()).await.unwrap();
    assert_eq!(seen.data[0].id.as_str(), r#"["a","secret"]"#);
    let refused = narrow.list(messages()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::GrantStreamNotAllowed);
}

#[tokio::test]
async fn a_stream_with_records_keeps_its_key() {
    let world = World::new(72).await;
    world.import("work-mail", &mail(), &[message("a", json!({"subject": "s"}))]).await;
    let mut keyed = mail();
    keyed["streams"][0]["primary_key"] = json!(["id", "subject"]);
    let refused = world.try_import("work-mail", &keyed, &[]).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert!(refused.message.contains("primary_key"), "{}", refused.message);
}
