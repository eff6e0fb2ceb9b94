//! Field windows: bounds, cursors, staleness, matches, nested paths.

use pdpp_contract::window::{FieldWindow, FieldWindowRequest, WindowSelector};
use pdpp_contract::{ApiError, ErrorCode, ReadApi, RecordId, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message};

fn request(path: &str, selector: WindowSelector) -> FieldWindowRequest {
    FieldWindowRequest {
        stream: StreamName::new("messages").unwrap(),
        record_id: RecordId::new("m1").unwrap(),
        connection_id: None,
        field_path: path.to_owned(),
        selector,
        limit_chars: None,
    }
}

async fn world_with(body: Value) -> World {
    let world = World::new(3).await;
    let lines = [message("m1", json!({"sent_at": "2026-02-01", "subject": "s", "body": body}))];
    let report = world.import("work-mail", &mail(), &lines).await;
    assert_eq!(report.added, 1, "{report:?}");
    world
}

fn cursor(text: Option<String>) -> WindowSelector {
    WindowSelector::Cursor(text.unwrap())
}

fn found(q: &str) -> WindowSelector {
    WindowSelector::Match { q: q.to_owned(), before_chars: Some(3), after_chars: Some(3) }
}

async fn read(
    reader: &GrantedReader,
    path: &str,
    selector: WindowSelector,
) -> Result<FieldWindow, ApiError> {
    reader.field_window(request(path, selector)).await
}

#[tokio::test]
async fn following_cursors_both_ways_gives_the_exact_text() {
    let text: String = (0..3_000).map(|n| format!("{n} 👩🏽‍🚀 e\u{301}\r\n")).collect();
    let world = world_with(json!(text)).await;
    let reader = world.reader(&["work-mail"]).await;
    let mut forward = String::new();
    let mut window = read(&reader, "body", WindowSelector::Offset(0)).await.unwrap();
    loop {
        assert!(!window.window.complete);
        forward.push_str(&window.window.text);
        if window.window.next_cursor.is_none() {
            break;
        }
        window = read(&reader, "body", cursor(window.window.next_cursor)).await.unwrap();
    }
    assert_eq!(forward, text);
    let mut backward = Vec::new();
    loop {
        backward.push(window.window.text.clone());
        if window.window.previous_cursor.is_none() {
            break;
        }
        window = read(&reader, "body", cursor(window.window.previous_cursor)).await.unwrap();
    }
    backward.reverse();
    assert_eq!(backward.concat(), text);
}

#[tokio::test]
async fn a_short_field_is_complete_in_one_window() {
    let world = world_with(json!("short")).await;
    let reader = world.reader(&["work-mail"]).await;
    let window = read(&reader, "body", WindowSelector::Offset(0)).await.unwrap().window;
    assert!(window.complete && !window.has_more);
    assert_eq!((window.start_chars, window.end_chars, window.limit_chars), (0, 5, 4_096));
    assert_eq!((window.next_cursor, window.previous_cursor), (None, None));
}

#[tokio::test]
async fn a_changed_field_makes_its_cursors_stale_and_a_changed_neighbour_does_not() {
    let long = "x".repeat(20_000);
    let world = world_with(json!(long)).await;
    let reader = world.reader(&["work-mail"]).await;
    let next = read(&reader, "body", WindowSelector::Offset(0)).await.unwrap().window.next_cursor;
    let line = |body: &str| {
        [message("m1", json!({"sent_at": "2026-02-01", "subject": "new subject", "body": body}))]
    };
    world.import("work-mail", &mail(), &line(&long)).await;
    assert!(read(&reader, "body", cursor(next.clone())).await.is_ok());
    world.import("work-mail", &mail(), &line(&"y".repeat(20_000))).await;
    let error = read(&reader, "body", cursor(next)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::StaleCursor);
    assert!(error.message.contains("body") && error.message.contains("m1"), "{error}");
}

#[tokio::test]
async fn a_cursor_works_for_its_own_field_record_and_grant_only() {
    let world = world_with(json!("x".repeat(20_000))).await;
    let reader = world.reader(&["work-mail"]).await;
    let next = read(&reader, "body", WindowSelector::Offset(0)).await.unwrap().window.next_cursor;
    let narrower = world.reader(&["work-mail/messages:id,body"]).await;
    let again = world.reader(&["work-mail"]).await;
    assert!(read(&again, "body", cursor(next.clone())).await.is_ok(), "equal constraints");
    for (reader, path, text) in [
        (&reader, "subject", next.clone().unwrap()),
        (&narrower, "body", next.clone().unwrap()),
        (&reader, "body", "forged".to_owned()),
        (&reader, "body", String::new()),
        (&reader, "body", format!("{}A", next.clone().unwrap())),
    ] {
        let error = read(reader, path, WindowSelector::Cursor(text)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidCursor, "{path}");
    }
}

#[tokio::test]
async fn matches_are_found_anywhere_and_keep_their_place() {
    let text = format!("{}Nadel{}", "é".repeat(3_998), "z".repeat(9_000));
    let world = world_with(json!(text)).await;
    let reader = world.reader(&["work-mail"]).await;
    let window = read(&reader, "body", found("NADEL")).await.unwrap().window;
    assert_eq!(window.text, "éééNadelzzz");
    assert_eq!((window.match_start_chars, window.match_end_chars), (Some(3_998), Some(4_003)));
    assert!(window.next_cursor.is_some() && window.previous_cursor.is_some());
    let none = read(&reader, "body", found("absent")).await.unwrap_err();
    assert_eq!(none.code, ErrorCode::QueryNotFound);
}

#[tokio::test]
async fn a_window_around_a_match_agrees_with_its_own_numbers() {
    let text = format!("{}needle{}", "a".repeat(20_000), "z".repeat(20_000));
    let world = world_with(json!(text)).await;
    let reader = world.reader(&["work-mail"]).await;
    for (context, limit, length, limit_said) in [
        (8_192, None, 16_384, 16_384),
        (8_192, Some(16_384), 16_384, 16_384),
        (2_048, None, 4_102, 4_102),
        (3, None, 12, 4_096),
        (3, Some(100), 12, 100),
        (3, Some(8), 8, 8),
        (3, Some(3), 6, 6),
        (0, Some(1), 6, 6),
    ] {
        let context = Some(context);
        let selector = WindowSelector::Match {
            q: "NEEDLE".into(),
            before_chars: context,
            after_chars: context,
        };
        let mut asked = request("body", selector);
        asked.limit_chars = limit;
        let window = reader.field_window(asked).await.unwrap().window;
        let case = format!("{context:?} {limit:?}");
        assert_eq!((window.text.len(), window.limit_chars), (length, limit_said), "{case}");
        assert!(window.text.contains("needle"), "{case}");
        assert_eq!(window.match_end_chars, Some(20_006), "{case}");
        assert!(window.end_chars >= 20_006 && window.start_chars <= 20_000, "{case}");
        let next = read(&reader, "body", cursor(window.next_cursor)).await.unwrap().window;
        assert_eq!(next.limit_chars, limit_said, "{case}");
        assert_eq!(next.start_chars, window.end_chars, "{case}");
    }
}

#[tokio::test]
async fn nested_text_and_structures_are_windowed_and_other_values_are_not() {
    let long = "w".repeat(9_000);
    let body = json!({"parts": [{"text": "first"}, {"text": long}], "n": 1.5, "flag": true, "none": null,
                      "pad": "p".repeat(9_000)});
    let world = world_with(body).await;
    let reader = world.reader(&["work-mail"]).await;
    let text = |window: FieldWindow| window.window.text;
    let at = |path| read(&reader, path, WindowSelector::Offset(0));
    assert_eq!(text(at("/body/parts/0/text").await.unwrap()), "first");
    assert_eq!(at("/body/parts/1/text").await.unwrap().window.total_chars, 9_000);
    assert_eq!(text(at("/body/parts/0").await.unwrap()), r#"{"text":"first"}"#);
    let whole = at("body").await.unwrap();
    assert_eq!(whole.field.mime_type.as_deref(), Some("application/json"));
    assert!(whole.window.text.starts_with(r#"{"flag":true,"n":1.5,"none":null"#));
    for path in ["/body/n", "/body/flag", "/body/none", "size"] {
        let code = at(path).await.unwrap_err().code;
        let expected =
            if path == "size" { ErrorCode::FieldNotFound } else { ErrorCode::FieldNotText };
        assert_eq!(code, expected, "{path}");
    }
    for path in ["/body/parts/7", "/body/absent", "/body/parts/text"] {
        assert_eq!(at(path).await.unwrap_err().code, ErrorCode::FieldNotFound, "{path}");
    }
    for path in ["", "/", "/body/~7", &"x".repeat(300)] {
        assert_eq!(at(path).await.unwrap_err().code, ErrorCode::InvalidFieldPath, "{path}");
    }
}

#[tokio::test]
async fn numbers_out_of_range_are_refused_or_said() {
    let world = world_with(json!("x".repeat(40_000))).await;
    let reader = world.reader(&["work-mail"]).await;
    let mut asked = request("body", WindowSelector::Offset(0));
    asked.limit_chars = Some(50_000);
    let window = reader.field_window(asked.clone()).await.unwrap();
    assert_eq!(window.window.text.len(), 16_384);
    assert_eq!(window.meta.warnings.len(), 1);
    asked.limit_chars = Some(0);
    assert_eq!(reader.field_window(asked).await.unwrap_err().code, ErrorCode::InvalidWindow);
    let context = |chars| WindowSelector::Match {
        q: "x".into(),
        before_chars: Some(chars),
        after_chars: None,
    };
    assert!(read(&reader, "body", context(8_192)).await.is_ok());
    assert_eq!(
        read(&reader, "body", context(8_193)).await.unwrap_err().code,
        ErrorCode::InvalidWindow
    );
    let beyond = read(&reader, "body", WindowSelector::Offset(1_000_000)).await.unwrap().window;
    assert_eq!((beyond.start_chars, beyond.text.as_str()), (40_000, ""));
}
