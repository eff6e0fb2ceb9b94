//! Search in conversations: an answer stands next to the words of the question, in streams that say
//! what a conversation is and in those that only name a usual key; nothing hidden lends anything.

use std::collections::BTreeMap;

use pdpp_contract::ReadApi;
use pdpp_contract::search::SearchRequest;
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::World;

const QUESTION: &str = "where did you go on holiday last summer";

fn ask(q: &str, limit: u32, cursor: Option<String>) -> SearchRequest {
    SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(limit),
        cursor,
        filter: Vec::new(),
    }
}

/// A chat whose declaration says nothing of conversations; `key` is the field that holds one together.
fn chat(key: &str) -> Value {
    json!({
        "protocol_version": "0.1.0",
        "source": {"kind": "connector", "id": "https://registry.pdpp.dev/connectors/chat"},
        "declaration_version": "1",
        "publisher": {"id": "https://pdpp.dev"},
        "display": {"name": "Chat"},
        "streams": [{
            "name": "messages",
            "semantics": "mutable_state",
            "schema": {"type": "object", "required": ["id"], "properties": {
                "id": {"type": "string"},
                key: {"type": "string"},
                "sent_at": {"type": "string", "format": "date-time"},
                "turn": {"type": "integer"},
                "text": {"type": "string"}
            }},
            "primary_key": ["id"],
            "cursor_field": "sent_at",
            "consent_time_field": "sent_at",
            "selection": {"fields": true, "resources": true},
            "query": {"search": {"lexical_fields": ["text"]}}
        }]
    })
}

struct Said<'a> {
    key: &'a str,
    chat: &'a str,
    id: &'a str,
    minute: u32,
    text: &'a str,
}

fn said(own: &Said<'_>) -> Value {
    let sent_at = format!(
        "2026-02-{:02}T{:02}:{:02}:00Z",
        1 + own.minute / 1_440,
        own.minute / 60 % 24,
        own.minute % 60
    );
    json!({"type": "RECORD", "stream": "messages", "key": own.id, "emitted_at": "2026-11-01T00:00:00Z",
        "data": {"id": own.id, own.key: own.chat, "sent_at": sent_at, "text": own.text}})
}

/// Two chats, one after the other in time, with small talk around a question and its answer.
fn talk(key: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    let small =
        ["Good morning", "See you later", "What a day", "Fine, thanks", "Did you sleep well"];
    for (at, text) in small.iter().cycle().take(40).enumerate() {
        let minute = u32::try_from(at).unwrap() * 7;
        let (own, other) = (format!("a{at:02}"), format!("b{at:02}"));
        lines.push(said(&Said { key, chat: "ann", id: &own, minute, text }));
        lines.push(said(&Said { key, chat: "bob", id: &other, minute: minute + 1, text }));
    }
    let asked = "So where did you two go for your summer holiday?";
    lines.push(said(&Said { key, chat: "ann", id: "q", minute: 71, text: asked }));
    lines.push(said(&Said { key, chat: "bob", id: "x", minute: 72, text: "Lunch at one?" }));
    lines.push(said(&Said { key, chat: "ann", id: "answer", minute: 73, text: "Banff" }));
    lines
}

async fn found(reader: &GrantedReader, q: &str, limit: u32) -> Vec<String> {
    let page = reader.search(ask(q, limit, None)).await.unwrap();
    page.data.iter().map(|hit| hit.record_key.to_string()).collect()
}

async fn an_answer_is_found_next_to_its_question(world: World) {
    for key in ["conversation_id", "threadId", "channel", "session_id", "dialog"] {
        let name = key.to_lowercase().replace('_', "-");
        world.import(&name, &chat(key), &talk(key)).await;
        let reader = world.reader(&[name.as_str()]).await;
        let found = found(&reader, QUESTION, 3).await;
        assert_eq!(found[0], "q", "{key}");
        assert!(found.contains(&"answer".to_owned()), "{key}: {found:?}");
        assert!(!found.contains(&"x".to_owned()), "another chat, {key}: {found:?}");
    }
}

async fn keys_order_messages_of_one_time(world: World) {
    let mut lines = Vec::new();
    for n in 1..=14 {
        let text = match n {
            9 => "So where did you two go for your summer holiday?",
            10 => "Banff",
            _ => "Fine, thanks",
        };
        let id = format!("D1:{n}");
        lines.push(said(&Said { key: "session", chat: "s1", id: &id, minute: 1, text }));
    }
    world.import("sessions", &chat("session"), &lines).await;
    let reader = world.reader(&["sessions"]).await;
    let found = found(&reader, QUESTION, 3).await;
    assert_eq!(found[0], "D1:9");
    assert!(found.contains(&"D1:10".to_owned()) && found.contains(&"D1:8".to_owned()), "{found:?}");
}

/// A hidden message lends nothing, and those around it stand next to each other.
async fn hidden_messages_lend_nothing(plain: World, busy: World) {
    let key = "chat_id";
    let grant = &["chat/messages:id,chat_id,sent_at,text@2026-02-02.."];
    let later = |minute: u32| minute + 1_440;
    let mut seen = Vec::new();
    for n in 0..30 {
        let text = match n {
            // The first stands right behind what is hidden.
            0 | 7 | 20 => "So where did you two go for your summer holiday?",
            8 => "Banff",
            _ => "Fine, thanks",
        };
        let id = format!("m{n:02}");
        seen.push(said(&Said { key, chat: "ann", id: &id, minute: later(n * 10), text }));
    }
    plain.import("chat", &chat(key), &seen).await;
    let mut all = Vec::new();
    for n in 0..200 {
        let (id, text) = (format!("h{n:03}"), "the summer holiday, where did you go");
        all.push(said(&Said { key, chat: "ann", id: &id, minute: n * 7, text }));
    }
    all.extend(seen);
    // Between any two that are seen stand two that are left out.
    for n in 0..60 {
        let (id, minute) = (format!("c{n:02}"), later(n * 5 + 2));
        all.push(said(&Said {
            key,
            chat: "ann",
            id: &id,
            minute,
            text: "Your sign-in code is 482913",
        }));
    }
    busy.import("chat", &chat(key), &all).await;
    let a = plain.reader_leaving_out(grant, true).await;
    let b = busy.reader_leaving_out(grant, true).await;
    for limit in [1, 4, 100] {
        let (one, other) = (found(&a, QUESTION, limit).await, found(&b, QUESTION, limit).await);
        assert_eq!(one, other);
        assert!(one.len() > 3 || limit < 4);
    }
    // Without the field that holds it together a conversation is none.
    let narrow = busy.reader(&["chat/messages:id,sent_at,text@2026-02-02.."]).await;
    assert_eq!(found(&narrow, QUESTION, 100).await.len(), 3);
}

/// While messages come, change and go between pages, what stays comes; what nothing around it moved
/// comes once.
async fn pages_hold_while_the_chat_goes_on(world: World) {
    let key = "chat_id";
    let text =
        |n: u32| if n.is_multiple_of(6) { "we go on a summer holiday" } else { "Fine, thanks" };
    let line = |n: u32, text: &str, minute: u32| {
        said(&Said { key, chat: "ann", id: &format!("m{n:02}"), minute, text })
    };
    let lines: Vec<_> = (0..60).map(|n| line(n, text(n), n * 10)).collect();
    world.import("chat", &chat(key), &lines).await;
    let reader = world.reader(&["chat"]).await;
    let all = found(&reader, QUESTION, 100).await;
    let page = reader.search(ask(QUESTION, 7, None)).await.unwrap();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut next = page.next_cursor.clone();
    let mut pages = vec![page];
    // A new message beside each hit moves none of them.
    let new: Vec<_> = (0..60)
        .map(|n| {
            let id = format!("n{n:02}");
            said(&Said { key, chat: "ann", id: &id, minute: n * 10 + 5, text: "hm" })
        })
        .collect();
    world.import("chat", &chat(key), &new).await;
    while let Some(cursor) = next {
        let page = reader.search(ask(QUESTION, 7, Some(cursor))).await.unwrap();
        next = page.next_cursor.clone();
        pages.push(page);
    }
    let seen: Vec<String> =
        pages.iter().flat_map(|page| &page.data).map(|hit| hit.record_key.to_string()).collect();
    assert_eq!(seen, all, "new messages move nothing");
    // One changes and one goes: everything else comes at least once.
    let before = found(&reader, QUESTION, 100).await;
    let page = reader.search(ask(QUESTION, 7, None)).await.unwrap();
    let gone = json!({"type": "RECORD", "stream": "messages", "key": "m13", "op": "delete",
                      "emitted_at": "2026-11-02T00:00:00Z"});
    world.import("chat", &chat(key), &[line(25, "a holiday in summer", 250), gone]).await;
    let mut next = page.next_cursor.clone();
    let mut pages = vec![page];
    while let Some(cursor) = next {
        let page = reader.search(ask(QUESTION, 7, Some(cursor))).await.unwrap();
        next = page.next_cursor.clone();
        pages.push(page);
        assert!(pages.len() < 50, "paging does not end");
    }
    for hit in pages.iter().flat_map(|page| &page.data) {
        *times.entry(hit.record_key.to_string()).or_insert(0) += 1;
    }
    for id in before.iter().filter(|id| id.as_str() != "m13") {
        assert!(times.contains_key(id), "{id} was lost: {times:?}");
    }
}

macro_rules! on_both {
    ($($name:ident, $postgres:ident, $body:ident;)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                $body(World::new(51).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $postgres() {
                if let Some(world) = World::on_postgres(52).await {
                    $body(world).await;
                }
            }
        )*
    };
}

on_both! {
    an_answer_next_to_the_question_is_found,
    an_answer_next_to_the_question_is_found_on_postgres,
    an_answer_is_found_next_to_its_question;
    messages_of_one_time_stand_in_the_order_of_their_keys,
    messages_of_one_time_stand_in_the_order_of_their_keys_on_postgres,
    keys_order_messages_of_one_time;
    a_chat_that_goes_on_between_pages_loses_no_hit,
    a_chat_that_goes_on_between_pages_loses_no_hit_on_postgres,
    pages_hold_while_the_chat_goes_on;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hidden_message_lends_nothing() {
    hidden_messages_lend_nothing(World::new(53).await, World::new(54).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hidden_message_lends_nothing_on_postgres() {
    if let (Some(plain), Some(busy)) = (World::on_postgres(55).await, World::on_postgres(56).await)
    {
        hidden_messages_lend_nothing(plain, busy).await;
    }
}
