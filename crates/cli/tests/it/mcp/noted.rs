//! The audit log and agents' calls: each call is noted with the records that its answer held.

use serde_json::{Value, json};

use super::lane::Road;
use super::world::{World, import, line, mailbox};
use crate::program::Home;

/// Mails that name their thread. Sixty do not fit into one answer, twelve do not fit into its text.
fn mails_in_threads() -> World {
    let mut source = mailbox();
    let mut threads = source["streams"][0].clone();
    threads["name"] = json!("threads");
    threads["relationships"] = json!([{"name": "messages", "stream": "messages",
        "foreign_key": "category", "cardinality": "has_many"}]);
    threads["query"]["expand"] = json!([{"name": "messages", "max_limit": 10}]);
    source["streams"].as_array_mut().unwrap().push(threads);
    let mail = |n: usize| {
        let data = json!({"id": format!("m{n:02}"), "category": "t1", "sent_at": "2026-01-01",
            "subject": format!("Report {n} {}", "boiler ".repeat(30)), "body": "boiler ".repeat(60)});
        line("messages", &data["id"].clone(), &data)
    };
    let mut lines: Vec<Value> = (1..=60).map(mail).collect();
    lines.push(line("threads", &json!("t1"), &json!({"id": "t1", "subject": "All of it"})));
    let home = Home::new();
    import(&home, "only", "Mail", &source, &lines);
    World::over(home, &["only"])
}

/// Records in an answer's data, with those that came along.
fn held(answer: &Value) -> usize {
    let rows = answer["data"]["data"].as_array().unwrap();
    let related = |row: &Value| row["expanded"]["messages"]["data"].as_array().map_or(0, Vec::len);
    rows.iter().map(|row| 1 + related(row)).sum()
}

#[test]
fn a_call_is_noted_with_as_many_records_as_its_answer_held() {
    let world = mails_in_threads();
    let only = world.id("only").to_owned();
    let id = format!("{only}/messages:m01");
    let mut wire = world.wire(Road::Local, "2025-11-25");
    let mut expected = Vec::new();
    for (tool, arguments) in [
        ("query_records", json!({"stream": "messages", "limit": 12})),
        ("query_records", json!({"stream": "messages", "limit": 60})),
        ("query_records", json!({"stream": "threads", "expand": ["messages"]})),
        ("query_records", json!({"stream": "messages", "limit": 5, "fields": ["nosuch"]})),
        ("search", json!({"query": "boiler", "limit": 20})),
        ("fetch", json!({"id": id})),
        ("read_record_field", json!({"id": id, "field_path": "body", "limit_chars": 10})),
        ("aggregate", json!({"stream": "messages", "metric": "count"})),
    ] {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = wire.request("tools/call", params).unwrap();
        let text = answer["content"][0]["text"].as_str().unwrap();
        let count = match tool {
            _ if answer["isError"] == true => 0,
            "query_records" | "search" => held(&answer["structuredContent"]),
            "aggregate" => 0,
            _ => 1,
        };
        match arguments["limit"].as_u64() {
            Some(12) => assert!(text.contains(": 12 records.") && count == 12, "{text}"),
            Some(60) => assert!(text.contains("page_reduced") && count < 60, "{text}"),
            Some(20) => assert!(text.contains("search: ") && count > 10, "{text}"),
            _ => {}
        }
        let expanded = arguments.get("expand").is_some();
        assert!(!expanded || count > 1, "{answer}");
        expected.push((format!("mcp_{tool}"), count));
    }
    assert_eq!(wire.close(), Some(0));
    let log = world.home.json(&["audit", "list", "--client", "journey", "--json"]);
    let mut events = log["events"].as_array().unwrap().clone();
    events.sort_by_key(|event| event["event"].as_u64());
    let noted: Vec<(String, usize)> = events
        .iter()
        .map(|event| {
            let operation = event["operation"].as_str().unwrap().to_owned();
            let count = event["records_returned"].as_u64().unwrap();
            (operation, usize::try_from(count).unwrap())
        })
        .collect();
    assert_eq!(noted, expected, "{log}");
    for event in events.iter().filter(|event| event["outcome"] == "ok") {
        assert_eq!(event["connection_ids"], json!([only]), "{event}");
    }
}

#[test]
fn a_refused_call_is_noted_with_the_code_that_the_agent_was_told() {
    let world = mails_in_threads();
    let mut wire = world.wire(Road::Local, "2025-11-25");
    let (count, sum) = (json!("count"), json!("sum"));
    let mut expected = Vec::new();
    for (tool, arguments, code) in [
        ("query_records", json!({}), "invalid_arguments"),
        ("query_records", json!({"stream": "messages", "nosuch": 1}), "invalid_arguments"),
        ("query_records", json!({"stream": "messages", "sort": "body"}), "invalid_sort"),
        ("query_records", json!({"stream": "nosuch"}), "grant_stream_not_allowed"),
        ("fetch", json!({"id": "nosuch"}), "invalid_result_id"),
        ("aggregate", json!({"stream": "messages", "metric": "most"}), "invalid_arguments"),
        (
            "aggregate",
            json!({"stream": "messages", "metric": sum, "field": "body"}),
            "invalid_arguments",
        ),
        (
            "aggregate",
            json!({"stream": "messages", "metric": count, "group_by_time": "sent_at",
                   "granularity": "day", "time_zone": "Europe/Nowhere"}),
            "invalid_arguments",
        ),
    ] {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = wire.request("tools/call", params).unwrap();
        let told = answer.pointer("/_meta/pdpp~1error/code").and_then(Value::as_str);
        assert_eq!(told, Some(code), "{tool} {arguments}: {answer}");
        expected.push(code);
    }
    assert_eq!(wire.close(), Some(0));
    let log = world.home.json(&["audit", "list", "--client", "journey", "--json"]);
    let mut events = log["events"].as_array().unwrap().clone();
    events.sort_by_key(|event| event["event"].as_u64());
    let noted: Vec<&str> = events.iter().map(|event| event["outcome"].as_str().unwrap()).collect();
    assert_eq!(noted, expected, "{log}");
}
