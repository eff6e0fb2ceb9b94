//! What an agent is told at `/mcp` and `/v1` before and after writes that its grant hides: the same, byte
//! for byte.

use serde_json::{Value, json};

use super::lane::{ERAS, Road};
use super::wire::Wire;
use super::world::{World, import, line, mail, mailbox, mails};
use crate::program::Home;

const GRANT: &[&str] =
    &["work/messages:id,subject,sent_at,category,body,amount@2026-01-01..2026-06-01"];

/// Every tool, each with a next page where there is one, and the same over `/v1`.
fn transcript(world: &World) -> Vec<String> {
    let mut wire = world.wire(Road::Http, ERAS[1]);
    let mut out = Vec::new();
    let id = format!("{}/messages:work-3", world.id("work"));
    for (tool, arguments) in [
        ("schema", json!({})),
        ("schema", json!({"stream": "messages"})),
        ("query_records", json!({"stream": "messages", "limit": 4, "count": "exact"})),
        ("query_records", json!({"stream": "messages", "limit": 4, "changes_since": "beginning"})),
        ("aggregate", json!({"stream": "messages", "metric": "count", "group_by": "category"})),
        ("search", json!({"query": "boiler", "limit": 4})),
        ("search", json!({"query": "which boiler number hums for work?"})),
        ("search", json!({"query": "xylophone"})),
        ("fetch", json!({"id": id})),
        ("fetch", json!({"id": format!("{}/messages:late", world.id("work"))})),
        ("read_record_field", json!({"id": id, "field_path": "body", "limit_chars": 50})),
        ("read_record_field", json!({"id": id, "field_path": "secret"})),
    ] {
        follow(&mut wire, tool, arguments, &mut out);
    }
    out.push(wire.request("resources/list", json!({})).unwrap().to_string());
    for path in [
        "/v1/schema",
        "/v1/streams",
        "/v1/streams/messages/records?limit=3&count=exact",
        "/v1/streams/messages/records?limit=3&changes_since=beginning",
        "/v1/streams/messages/records/work-3",
        "/v1/streams/messages/records/late",
        "/v1/streams/messages/records/work-3/field-window?field=body&limit_chars=20",
        "/v1/streams/messages/aggregate?metric=sum&field=amount",
        "/v1/search?q=boiler&limit=3",
    ] {
        let reply = world.server.get(path, &world.token);
        let mut body = reply.body.clone();
        if let Some(error) = body.get_mut("error").and_then(Value::as_object_mut) {
            error.remove("request_id");
        }
        out.push(format!("{} {body}", reply.status));
    }
    out
}

fn follow(wire: &mut Wire, tool: &str, mut arguments: Value, out: &mut Vec<String>) {
    for _ in 0..3 {
        let call = json!({"name": tool, "arguments": arguments});
        let answer = wire.request("tools/call", call).unwrap();
        out.push(answer.to_string());
        let data = &answer["structuredContent"];
        let next = [&data["data"]["next_cursor"], &data["next_cursor"]];
        let next = next.into_iter().find_map(Value::as_str);
        match next {
            Some(next) if tool != "fetch" && tool != "read_record_field" => {
                arguments["cursor"] = json!(next);
            }
            _ => return,
        }
    }
}

#[test]
fn a_hidden_write_changes_no_byte_of_a_tool_result() {
    let home = Home::new();
    import(&home, "work", "Work mail", &mailbox(), &mails("work", 30));
    import(&home, "home", "Home mail", &mailbox(), &mails("home", 3));
    let world = World::over(home, GRANT);
    let before = transcript(&world);
    assert!(before.iter().filter(|answer| answer.contains("next_cursor")).count() > 5);
    let same = |what: &str| {
        for (one, other) in before.iter().zip(transcript(&world)) {
            assert_eq!(*one, other, "after {what}");
        }
    };
    import(&world.home, "home", "Home mail", &mailbox(), &mails("home", 7));
    same("a write in another account");
    for word in ["one", "two", "three"] {
        let hidden: Vec<Value> = mails("work", 30)
            .into_iter()
            .map(|mut mail| {
                mail["data"]["secret"] = json!(word);
                mail
            })
            .collect();
        import(&world.home, "work", "Work mail", &mailbox(), &hidden);
    }
    same("changes of a hidden field");
    let mut late = mail("work", 1);
    late["key"] = json!("late");
    late["data"]["id"] = json!("late");
    late["data"]["sent_at"] = json!("2026-08-01T00:00:00Z");
    import(&world.home, "work", "Work mail", &mailbox(), &[late]);
    same("a record outside the time range");
    let mut gone = line("messages", &json!("late"), &json!(null));
    gone["op"] = json!("delete");
    gone.as_object_mut().unwrap().remove("data");
    import(&world.home, "work", "Work mail", &mailbox(), &[gone]);
    same("the deletion of a hidden record");
    let pruned = world.home.json(&["history", "prune", "--keep-changes", "0", "--json"]);
    assert!(pruned["forgotten_versions"].as_u64().unwrap() > 0);
    same("pruning");
}
