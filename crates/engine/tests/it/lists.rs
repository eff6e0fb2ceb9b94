//! Lists: cursors, previews, reduced pages, hidden changes.

use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort};
use pdpp_contract::{ErrorCode, FieldName, ReadApi, RecordId, StreamName};
use serde_json::json;

use crate::world::{World, connection_id, mail, message};

fn messages() -> ListRequest {
    ListRequest::new(StreamName::new("messages").unwrap())
}

async fn world_with(count: u32) -> World {
    let world = World::new(5).await;
    let line = |n: u32| {
        let sent_at = format!("2026-02-01T09:{:02}:00Z", n % 60);
        message(&format!("m{n:03}"), json!({"sent_at": sent_at, "subject": "s", "size": n}))
    };
    world.import("work-mail", &mail(), &(0..count).map(line).collect::<Vec<_>>()).await;
    world
}

#[tokio::test]
async fn a_cursor_belongs_to_its_question_and_its_constraints() {
    let world = world_with(30).await;
    let reader = world.reader(&["work-mail"]).await;
    let cursor = reader.list(messages()).await.unwrap().next_cursor.unwrap();
    assert!(cursor.len() <= 240);
    let with = |change: &dyn Fn(&mut ListRequest)| {
        let mut request = messages();
        request.cursor = Some(cursor.clone());
        change(&mut request);
        request
    };
    assert!(reader.list(with(&|_| {})).await.is_ok());
    assert!(reader.list(with(&|request| request.limit = Some(3))).await.is_ok());
    let size = FieldName::new("size").unwrap();
    let changed: [&dyn Fn(&mut ListRequest); 4] = [
        &|request| request.sort = Some(Sort { field: None, descending: false }),
        &|request| request.sort = Some(Sort { field: Some(size.clone()), descending: true }),
        &|request| request.connection_id = Some(connection_id("work-mail")),
        &|request| {
            let test = FilterTest::Equals("1".to_owned());
            request.filter = vec![Filter { field: size.clone(), test }];
        },
    ];
    for change in changed {
        let error = reader.list(with(change)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidCursor);
    }
    let narrower = world.reader(&["work-mail/messages:id,sent_at"]).await;
    assert_eq!(narrower.list(with(&|_| {})).await.unwrap_err().code, ErrorCode::InvalidCursor);
}

#[tokio::test]
async fn a_page_over_its_bytes_ends_early_and_goes_on() {
    let world = World::new(6).await;
    let big = "b".repeat(3 * 1024 * 1024);
    let line = |n: u32| {
        message(&format!("m{n}"), json!({"sent_at": "2026-02-01", "subject": "s", "body": big}))
    };
    world.import("work-mail", &mail(), &(0..4).map(line).collect::<Vec<_>>()).await;
    let reader = world.reader(&["work-mail"]).await;
    let mut request = messages();
    request.preview_chars = Some(8);
    let mut seen = Vec::new();
    loop {
        let page = reader.list(request.clone()).await.unwrap();
        assert!(page.data.len() <= 2, "a page of {} records", page.data.len());
        assert_eq!(page.has_more, !page.meta.warnings.is_empty());
        for record in &page.data {
            assert_eq!(record.previews.len(), 1);
            let preview = &record.previews[0];
            assert_eq!((preview.preview_chars, preview.size_chars), (8, 3 * 1024 * 1024));
            seen.push(record.id.to_string());
        }
        match page.next_cursor {
            Some(next) => request.cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, ["m3", "m2", "m1", "m0"]);
}

fn first_message() -> RecordRequest {
    RecordRequest {
        stream: StreamName::new("messages").unwrap(),
        record_id: RecordId::new("m000").unwrap(),
        connection_id: None,
        fields: None,
        preview_chars: None,
        expand: Vec::new(),
    }
}

#[tokio::test]
async fn a_hidden_change_moves_neither_time_nor_etag_and_a_visible_one_moves_both() {
    let world = world_with(1).await;
    let reader = world.reader(&["work-mail/messages:id,sent_at,subject"]).await;
    let request = first_message();
    let before = reader.record(request.clone()).await.unwrap();
    let revise = |subject: &str, size: u32, at: &str| {
        let data = json!({"sent_at": "2026-02-01T09:00:00Z", "subject": subject, "size": size});
        let mut line = message("m000", data);
        line["emitted_at"] = json!(at);
        [line]
    };
    world.import("work-mail", &mail(), &revise("s", 99, "2026-11-05T00:00:00Z")).await;
    let hidden = reader.record(request.clone()).await.unwrap();
    assert_eq!(hidden.etag, before.etag);
    assert_eq!(hidden.record.emitted_at, "2026-11-01T00:00:00Z");
    world.import("work-mail", &mail(), &revise("t", 99, "2026-11-06T00:00:00Z")).await;
    let shown = reader.record(request).await.unwrap();
    assert_ne!(shown.etag, before.etag);
    assert_eq!(shown.record.emitted_at, "2026-11-06T00:00:00Z");
}

/// A source that says the same time for everything it sends leaves the content to tell versions apart.
#[tokio::test]
async fn an_etag_moves_with_each_visible_field_when_the_time_stands_still() {
    let world = world_with(1).await;
    let reader = world.reader(&["work-mail/messages:id,sent_at,subject,text"]).await;
    let request = first_message();
    let mut tags = vec![reader.record(request.clone()).await.unwrap().etag];
    let long = "long ".repeat(4_000);
    for (subject, text, size) in
        [("t", "x", 99), ("t", "y", 99), ("t", long.as_str(), 99), ("t", &long[5..], 99)]
    {
        let data = json!({"sent_at": "2026-02-01T09:00:00Z", "subject": subject, "text": text,
                          "size": size});
        world.import("work-mail", &mail(), &[message("m000", data)]).await;
        let answer = reader.record(request.clone()).await.unwrap();
        assert_eq!(answer.record.emitted_at, "2026-11-01T00:00:00Z");
        assert!(!tags.contains(&answer.etag), "{subject} {} characters", text.len());
        tags.push(answer.etag);
    }
    let hidden = json!({"sent_at": "2026-02-01T09:00:00Z", "subject": "t", "text": &long[5..],
                        "size": 100});
    world.import("work-mail", &mail(), &[message("m000", hidden)]).await;
    assert_eq!(tags.last(), Some(&reader.record(request).await.unwrap().etag));
}

#[tokio::test]
async fn records_with_codes_vanish_from_a_grant_that_leaves_them_out() {
    let world = world_with(2).await;
    let code =
        json!({"sent_at": "2026-02-02T09:00:00Z", "subject": "Your verification code is 482913"});
    world.import("work-mail", &mail(), &[message("otp", code)]).await;
    let all = world.reader(&["work-mail"]).await.list(messages()).await.unwrap();
    assert_eq!(all.data.len(), 3);
    let without = world.reader_leaving_out(&["work-mail"], true).await;
    assert_eq!(without.list(messages()).await.unwrap().data.len(), 2);
}
