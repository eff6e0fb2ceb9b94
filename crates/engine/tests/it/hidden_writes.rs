//! One store before and after a write that a grant hides: every answer is the same, byte for byte,
//! with cursors, bookmarks and handles as they are.

use pdpp_contract::query::{ListRequest, RecordPage};
use pdpp_contract::{ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::non_interference::transcript;
use crate::world::{World, mail, message, thread};

/// Subject and size are visible, body and text are not; only the first quarter of 2026.
const GRANT: &[&str] = &[
    "work-mail/messages:id,sent_at,subject,size@2026-01-01..2026-04-01",
    "home-mail/messages:id,sent_at,subject@2026-01-01..2026-04-01",
];

fn visible(id: &str, day: u32, body: &str) -> Value {
    message(
        id,
        json!({
            "sent_at": format!("2026-02-{day:02}T09:00:00Z"), "subject": format!("subject {}", day % 3),
            "body": body, "size": i64::from(day) * 100,
        }),
    )
}

fn outside(id: &str, sent_at: &str, subject: &str) -> Value {
    message(id, json!({"sent_at": sent_at, "subject": subject, "size": 1}))
}

fn deleted(id: &str) -> Value {
    json!({"type": "RECORD", "stream": "messages", "key": id, "op": "delete",
           "emitted_at": "2026-11-09T00:00:00Z"})
}

async fn filled(world: &World) {
    for name in ["work-mail", "home-mail"] {
        let mut lines: Vec<_> = (1..=20).map(|day| visible(&format!("m{day}"), day, "-")).collect();
        lines.push(outside("early", "2025-12-31T23:59:59Z", "subject 1"));
        lines.push(outside("moving", "2025-06-01T09:00:00Z", "subject 1"));
        world.import(name, &mail(), &lines).await;
    }
}

/// The kinds of hidden writes, in the order in which they are done.
const WRITES: &[&str] = &[
    "another connection",
    "another stream",
    "a hidden field of visible records",
    "a record outside the time range",
    "a record with a code that is left out",
    "an update of hidden records",
    "a hidden record that moves around the range",
    "the deletion of hidden records",
    "pruning",
];

async fn write(world: &World, kind: &str) {
    let import = async |name: &str, lines: &[Value]| {
        world.import(name, &mail(), lines).await;
    };
    match kind {
        "another connection" => {
            import("secret-mail", &[visible("m1", 1, "x"), thread("t9", "x")]).await;
        }
        "another stream" => import("work-mail", &[thread("t1", "subject 1")]).await,
        "a hidden field of visible records" => {
            for body in ["1", "2", "3"] {
                let lines: Vec<_> =
                    (1..=20).rev().map(|day| visible(&format!("m{day}"), day, body)).collect();
                import("work-mail", &lines).await;
            }
        }
        "a record outside the time range" => {
            import("home-mail", &[outside("late", "2026-04-01T00:00:00Z", "subject 2")]).await;
        }
        "a record with a code that is left out" => {
            let code = json!({"sent_at": "2026-02-02T09:00:00Z",
                              "subject": "Your verification code is 482913", "size": 1});
            import("work-mail", &[message("otp", code)]).await;
        }
        "an update of hidden records" => {
            for subject in ["subject 2", "subject 3", "subject 4"] {
                import("work-mail", &[outside("early", "2025-12-31T23:59:59Z", subject)]).await;
                let code = json!({"sent_at": "2026-02-02T09:00:00Z", "size": 1,
                                  "subject": format!("{subject}: your verification code is 482913")});
                import("work-mail", &[message("otp", code)]).await;
            }
        }
        "a hidden record that moves around the range" => {
            for (sent_at, subject) in [
                ("2026-06-01T09:00:00Z", "subject 2"),
                ("2025-06-01T09:00:00Z", "subject 1"),
                ("2026-07-01T09:00:00Z", "subject 0"),
            ] {
                import("home-mail", &[outside("moving", sent_at, subject)]).await;
            }
        }
        "the deletion of hidden records" => {
            import("home-mail", &[deleted("early"), deleted("late")]).await;
            import("work-mail", &[deleted("otp")]).await;
        }
        "pruning" => {
            let newest = world.store.newest_change().await.unwrap();
            assert!(world.store.prune_versions(newest).await.unwrap() > 0);
        }
        other => panic!("no such write: {other}"),
    }
}

async fn bookmarked(reader: &GrantedReader, bookmark: &str) -> RecordPage {
    let mut request = ListRequest::new(StreamName::new("messages").unwrap());
    request.changes_since = Some(bookmark.to_owned());
    request.limit = Some(100);
    reader.list(request).await.unwrap()
}

/// Does every write, and looks after some of them.
async fn each_write_changes_nothing(world: World, look_after: &[&str]) {
    filled(&world).await;
    let reader = world.reader_leaving_out(GRANT, true).await;
    let before = transcript(&reader).await;
    assert!(before.len() > 100, "the transcript is too short to mean anything");
    assert!(before.iter().any(|answer| answer.contains("next_cursor")));
    let bookmark = bookmarked(&reader, "beginning").await.next_changes_since.unwrap();
    for kind in WRITES {
        write(&world, kind).await;
        if !look_after.contains(kind) {
            continue;
        }
        let after = transcript(&reader).await;
        for (one, other) in before.iter().zip(&after) {
            assert_eq!(one, other, "after {kind}");
        }
        assert_eq!(before.len(), after.len());
        let since = bookmarked(&reader, &bookmark).await;
        assert_eq!((since.data.len(), since.next_changes_since), (0, Some(bookmark.clone())));
    }
    // The comparison itself can fail: what the grant shows changes answers.
    world.import("work-mail", &mail(), &[visible("m21", 21, "-")]).await;
    assert_ne!(transcript(&reader).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hidden_write_changes_no_byte_of_any_answer() {
    each_write_changes_nothing(World::new(71).await, WRITES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hidden_write_changes_no_byte_of_any_answer_on_postgres() {
    if let Some(world) = World::on_postgres(72).await {
        let look_after = ["a record with a code that is left out", "pruning"];
        each_write_changes_nothing(world, &look_after).await;
    }
}
