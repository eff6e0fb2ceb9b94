//! ChatGPT and Claude exports: conversations, messages, branches, files.

use pdpp_contract::Json;
use proptest::prelude::*;

use crate::bench::{folder, import, import_file, import_paths, text, zipped};

const BOILER: &str = r#"{"title":"Boiler","create_time":1700000000.5,"update_time":1700000100,
  "conversation_id":"c1","current_node":"n3","default_model_slug":"gpt-x","mapping":{
  "n0":{"id":"n0","message":null,"parent":null,"children":["n1"]},
  "n1":{"id":"n1","parent":"n0","message":{"id":"n1","author":{"role":"user"},"create_time":1700000001,
    "content":{"content_type":"text","parts":["Why does it drip?"]},
    "metadata":{"attachments":[{"id":"file-abc","name":"drip.png","mime_type":"image/png","size":4}]}}},
  "n2":{"id":"n2","parent":"n1","message":{"id":"n2","author":{"role":"assistant"},"create_time":1700000002,
    "content":{"content_type":"text","parts":["The first answer."]},"metadata":{"model_slug":"gpt-x"}}},
  "n3":{"id":"n3","parent":"n1","message":{"id":"n3","author":{"role":"assistant"},"create_time":null,
    "content":{"content_type":"thoughts","thoughts":[{"summary":"Thinking","content":"the valve"}]}}}}}"#;
const OTHER: &str = r#"{"title":null,"id":"c2","create_time":1700000200,"mapping":{
  "a":{"parent":"b","message":{"author":{"role":"user"},"content":{"parts":[{"text":"looped"}]}}},
  "b":{"parent":"a","message":null}}}"#;

#[test]
fn every_branch_of_a_conversation_is_kept() {
    let list = format!("[{BOILER},{OTHER}]");
    let files = [("conversations.json", list.as_bytes()), ("file-abc-drip.png", b"\x89PNG")];
    let outcome = import("chatgpt", &files);
    assert_eq!(outcome.rejected, []);
    assert_eq!(outcome.stream("conversations").len(), 2);
    let first = outcome.find("messages", "text", "Why does it drip?");
    assert_eq!(text(first, "created_at"), "2023-11-14T22:13:21Z");
    assert_eq!(text(first, "title"), "Boiler");
    let left = outcome.find("messages", "text", "The first answer.");
    let seen = outcome.find("messages", "text", "Thinking\n\nthe valve");
    assert_eq!(left["on_current_branch"], Json::Bool(false));
    assert_eq!(seen["on_current_branch"], Json::Bool(true));
    assert_eq!(text(left, "parent_id"), text(first, "id"));
    assert_eq!(text(seen, "created_at"), "2023-11-14T22:13:20.5Z");
    let file = outcome.find("attachments", "filename", "drip.png");
    assert_eq!(text(file, "message_id"), text(first, "id"));
    assert_eq!(file["blob_ref"].as_object().unwrap()["size_bytes"], Json::Number("4".to_owned()));
    assert_eq!(
        outcome.find("messages", "text", "looped")["position"],
        Json::Number("0".to_owned())
    );
}

#[test]
fn shards_in_any_order_and_archive_give_the_same_records() {
    let (one, other) = (format!("[{BOILER}]"), format!("[{OTHER}]"));
    let sharded =
        [("conversations-000.json", one.as_bytes()), ("conversations-001.json", other.as_bytes())];
    let shuffled =
        [("conversations-000.json", other.as_bytes()), ("conversations-001.json", one.as_bytes())];
    let sharded = import("chatgpt", &sharded);
    let shuffled_records = import("chatgpt", &shuffled).records;
    assert_eq!(sharded.records, shuffled_records);
    let archive = zipped(&[
        ("x/conversations-000.json", one.as_bytes()),
        ("x/conversations-001.json", other.as_bytes()),
        ("chat.html", b"<html>"),
    ]);
    let archive = import_file("chatgpt", "export.zip", &archive);
    assert_eq!(archive.records, sharded.records);
}

#[test]
fn one_broken_conversation_does_not_stop_the_next() {
    let list = format!(r#"[{{"title":"x","mapping":{{"a":}}}},7,{BOILER}"#);
    let outcome = import_file("chatgpt", "conversations.json", list.as_bytes());
    assert_eq!(outcome.stream("conversations").len(), 1);
    let places: Vec<u64> = outcome.rejected.iter().map(|refused| refused.1).collect();
    assert_eq!(places, [1, 2, 4], "a broken one, a number, and the missing end");
}

#[test]
fn claude_conversations_and_projects_are_read() {
    let conversations = r#"[{"uuid":"k1","name":"Trip","created_at":"2026-01-05T10:00:00.123456Z",
      "updated_at":"2026-01-05T11:00:00Z","chat_messages":[
      {"uuid":"m1","sender":"human","text":"old text","content":[{"type":"text","text":"Where to?"}],
       "created_at":"2026-01-05T10:00:01Z","attachments":[{"file_name":"a.txt","file_type":"txt","extracted_content":"Rome"}],"files":[{"file_name":"b.png"}]},
      {"uuid":"m2","sender":"assistant","text":"Rome.","created_at":"2026-01-05T10:00:02Z"}]}]"#;
    let projects = r#"[{"uuid":"p1","name":"Travel","prompt_template":"be brief","created_at":"2026-01-01T00:00:00Z",
      "docs":[{"uuid":"d1","filename":"list.md","content":"socks"}]}]"#;
    let files =
        [("conversations.json", conversations.as_bytes()), ("projects.json", projects.as_bytes())];
    let outcome = import("claude", &files);
    assert_eq!(outcome.rejected, []);
    let first = outcome.find("messages", "text", "Where to?");
    assert_eq!((text(first, "role"), text(first, "title")), ("user", "Trip"));
    assert_eq!(text(outcome.find("messages", "text", "Rome."), "role"), "assistant");
    assert_eq!(text(outcome.find("attachments", "filename", "a.txt"), "text"), "Rome");
    assert_eq!(
        text(outcome.find("attachments", "filename", "b.png"), "message_id"),
        text(first, "id")
    );
    assert_eq!(text(outcome.find("project_documents", "name", "list.md"), "text"), "socks");
    assert_eq!(text(outcome.find("projects", "name", "Travel"), "instructions"), "be brief");
    let alone = conversations.as_bytes();
    let alone = import_file("claude", "conversations.json", alone);
    assert_eq!(alone.stream("conversations"), outcome.stream("conversations"));
    assert_eq!(alone.stream("projects").len(), 0, "a conversation is no project");
}

#[test]
fn claude_artifacts_memories_and_thoughts_are_kept_apart() {
    let conversations = r#"[{"uuid":"k1","name":"Trip","created_at":"2026-01-05T10:00:00Z","chat_messages":[
      {"uuid":"m1","sender":"assistant","created_at":"2026-01-05T10:00:01Z","text":"flat","content":[
        {"type":"thinking","thinking":"They like trains."},
        {"type":"tool_use","name":"artifacts","input":{"id":"plan","type":"text/markdown","title":"Plan","command":"create","content":"Night train to Rome"}},
        {"type":"text","text":"Here is the plan."}]}]}]"#;
    let memories = r#"[{"conversations_memory":"Prefers trains.","project_memories":{"p1":"Budget is 900."},"account_uuid":"a"}]"#;
    let files =
        [("conversations.json", conversations.as_bytes()), ("memories.json", memories.as_bytes())];
    let outcome = import("claude", &files);
    assert_eq!(outcome.rejected, []);
    let message = outcome.find("messages", "text", "Here is the plan.");
    assert_eq!(text(message, "thinking"), "They like trains.");
    let plan = outcome.find("artifacts", "title", "Plan");
    assert_eq!((text(plan, "text"), text(plan, "action")), ("Night train to Rome", "create"));
    assert_eq!(text(plan, "message_id"), text(message, "id"));
    outcome.find("memories", "text", "Prefers trains.");
    assert_eq!(text(outcome.find("memories", "project_id", "p1"), "text"), "Budget is 900.");
}

#[test]
fn chatgpt_messages_say_what_was_meant() {
    let conversation = r#"[{"conversation_id":"c","title":"T","create_time":1700000000,"current_node":"a","mapping":{
      "a":{"parent":null,"message":{"id":"a","author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"A baker","user_instructions":"Be brief"}}},
      "b":{"parent":"a","message":{"id":"b","author":{"role":"tool"},"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"sediment://file-1","metadata":{"dalle":{"prompt":"a cat on a loaf"}}}]}}},
      "c":{"parent":"b","message":{"id":"c","author":{"role":"tool"},"content":{"content_type":"tether_quote","url":"https://bread.example/rye","title":"Rye","text":"Rye is sour."}}},
      "d":{"parent":"c","message":{"id":"d","author":{"role":"assistant"},"recipient":"canmore.create_textdoc","content":{"content_type":"code","text":"{\"name\":\"recipe\",\"type\":\"document\",\"content\":\"500 g flour\"}"}}},
      "e":{"parent":"d","message":{"id":"e","author":{"role":"assistant"},"content":{"content_type":"text","parts":["Rye is sour\ue200cite\ue202turn0search1\ue201, they say【3†source】. 【Note】"]}}}}}]"#;
    let outcome = import("chatgpt", &[("conversations.json", conversation.as_bytes())]);
    assert_eq!(outcome.rejected, []);
    let instructions = outcome.find("messages", "kind", "custom_instructions");
    assert_eq!(text(instructions, "role"), "system");
    assert_eq!(text(outcome.find("messages", "id", "c:b"), "text"), "a cat on a loaf");
    let quote = outcome.find("messages", "kind", "quote");
    assert_eq!(text(quote, "text"), "Rye\n\nhttps://bread.example/rye\n\nRye is sour.");
    assert_eq!(text(outcome.find("messages", "kind", "canvas"), "text"), "recipe\n\n500 g flour");
    outcome.find("messages", "text", "Rye is sour, they say. 【Note】");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn damaged_conversations_give_records_or_refusals(at in 0..BOILER.len(), byte in any::<u8>()) {
        let mut bytes = format!("[{BOILER}]").into_bytes();
        bytes[at + 1] = byte;
        let folder = folder(&[("conversations.json", &bytes)]);
        for format in ["chatgpt", "claude"] {
            let outcome = import_paths(format, &[folder.path().to_owned()]);
            prop_assert!(outcome.items > 0);
        }
    }
}
