//! Finding out what there is and reading it in order: schema, lists, ambiguity, counts.

use serde_json::{Value, json};

use super::world::{World, import, line, mail, source};
use crate::program::Home;

#[test]
fn journey_j3_from_the_index_to_every_row_that_a_filter_lets_through() {
    World::new().every_lane(|world, agent| {
        let work = world.id("work");
        let index = agent.call("schema", &json!({}));
        for word in ["messages", "pages", "days", work, "Work mail"] {
            assert!(index.shows(word), "{}: {word} in {index:?}", agent.lane);
        }
        let stream = agent.call("schema", &json!({"stream": "messages"}));
        for word in [work, world.id("home"), "sent_at", "category"] {
            assert!(stream.shows(word), "{}: {word} in {stream:?}", agent.lane);
        }
        assert!(!stream.shows("secret"), "{}: {stream:?}", agent.lane);
        let words = stream.field_words("sent_at");
        assert!(
            words.contains("range(gte,") && words.contains(", sort"),
            "{}: {words}",
            agent.lane
        );
        let words = stream.field_words("category");
        assert!(words.contains(", filter"), "{}: {words}", agent.lane);
        let scoped = agent.call("schema", &json!({"stream": "messages", "connection_id": work}));
        assert!(!scoped.shows(world.id("home")), "{}", agent.lane);
        // One order is the stream's own, the other is not.
        for (sort, expected) in [("-sent_at", newest_first(work)), ("amount", smallest_first(work))]
        {
            let asked = json!({"stream": "messages", "connection_id": work, "sort": sort,
                               "filter": {"category": "even", "sent_at": {"gte": "2026-02-01"}},
                               "fields": ["subject", "sent_at"], "limit": 7});
            let page = agent.call("query_records", &asked);
            assert!(page.shows("Boiler report"), "{}: {page:?}", agent.lane);
            assert!(page.shows("sent_at"), "{}: {page:?}", agent.lane);
            assert!(!page.shows("hums"), "{}: not asked for: {page:?}", agent.lane);
            let rows = agent.every_row("query_records", &asked);
            assert_eq!(rows, expected, "{}: {sort}", agent.lane);
        }
    });
}

/// The even mails since February with their times, by number.
fn even_mails(work: &str) -> Vec<(String, String)> {
    let mails = (1..=30_usize).filter(|n| n.is_multiple_of(2)).map(|n| mail("work", n));
    mails
        .map(|mail| {
            let text = |name: &str| mail["data"][name].as_str().unwrap().to_owned();
            (text("sent_at"), format!("{work}/messages:{}", text("id")))
        })
        .filter(|(sent_at, _)| sent_at.as_str() >= "2026-02-01")
        .collect()
}

fn smallest_first(work: &str) -> Vec<String> {
    even_mails(work).into_iter().map(|(_, id)| id).collect()
}

fn newest_first(work: &str) -> Vec<String> {
    let mut mails = even_mails(work);
    mails.sort();
    mails.into_iter().rev().map(|(_, id)| id).collect()
}

#[test]
fn journey_j4_a_shared_name_is_asked_back_with_the_way_out() {
    World::new().every_lane(|world, agent| {
        let refusal = agent.refused("query_records", &json!({"stream": "messages"}));
        assert_eq!(refusal["code"], "ambiguous_connection", "{}: {refusal}", agent.lane);
        assert_eq!(
            (&refusal["status"], &refusal["retry_with"]),
            (&json!(409), &json!("connection_id"))
        );
        let candidates = refusal["available_connections"].as_array().unwrap();
        assert_eq!(refusal["available_connection_count"], 2, "{}: {refusal}", agent.lane);
        assert_eq!(refusal["other_connections"], 1, "{}: {refusal}", agent.lane);
        let first = candidates[0]["connection_id"].as_str().unwrap();
        assert!([world.id("work"), world.id("home")].contains(&first), "{}: {refusal}", agent.lane);
        assert_eq!(candidates[0]["connector_key"], "mailbox");
        assert!(candidates[0]["grant_id"].is_string(), "{}: {refusal}", agent.lane);
        let retried =
            agent.call("query_records", &json!({"stream": "messages", "connection_id": first}));
        assert!(!retried.ids().is_empty(), "{}", agent.lane);
        let legacy = agent.refused("fetch", &json!({"id": "messages:work-1"}));
        assert_eq!(legacy["code"], "ambiguous_connection", "{}: {legacy}", agent.lane);
    });
}

#[test]
fn journey_j6_a_bucket_and_its_rows_agree() {
    World::new().every_lane(|world, agent| {
        let work = world.id("work");
        let months = agent.call(
            "aggregate",
            &json!({"stream": "messages", "connection_id": work, "metric": "count",
                    "group_by_time": "sent_at", "granularity": "month"}),
        );
        let groups = months.groups();
        assert_eq!(groups.iter().map(|(_, count)| count).sum::<u64>(), 30, "{}", agent.lane);
        let (_, march) = groups.iter().find(|(key, _)| key.starts_with("2026-03")).unwrap();
        let rows = agent.call(
            "query_records",
            &json!({"stream": "messages", "connection_id": work, "count": "exact", "limit": 2,
                    "filter": {"sent_at": {"gte": "2026-03-01", "lt": "2026-04-01"}}}),
        );
        assert_eq!(rows.count(), *march, "{}: {groups:?}", agent.lane);
    });
}

/// Five kinds of sources with seventeen streams each, five accounts of each kind.
fn huge() -> World {
    let home = Home::new();
    let mut allowed = Vec::new();
    for kind in 0..5 {
        let streams: Vec<Value> = (0..17)
            .map(|n| {
                json!({"name": format!("kind{kind}_stream{n:02}"), "semantics": "mutable_state",
                    "schema": {"type": "object", "required": ["id"],
                               "properties": {"id": {"type": "string"}, "text": {"type": "string"}}},
                    "primary_key": ["id"], "selection": {"fields": true, "resources": false}})
            })
            .collect();
        let declaration = source(&format!("kind{kind}"), &json!(streams));
        for account in 0..5 {
            let name = format!("k{kind}a{account}");
            let data = json!({"id": "1", "text": "hello"});
            let lines = [line(&format!("kind{kind}_stream00"), &json!("1"), &data)];
            import(
                &home,
                &name,
                &format!("Account {account} of kind {kind}"),
                &declaration,
                &lines,
            );
            allowed.push(name);
        }
    }
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    World::over(home, &allowed)
}

#[test]
fn journey_j7_every_stream_of_a_huge_grant_is_named_within_what_hosts_take() {
    huge().every_lane(|world, agent| {
        let mut everything = String::new();
        let mut arguments = json!({});
        for _ in 0..20 {
            let view = agent.call("schema", &arguments);
            let shown = view.everything();
            assert!(shown.len() < 49_152, "{}: {} bytes", agent.lane, shown.len());
            everything.push_str(&shown);
            match view.next_cursor().or_else(|| index_cursor(&shown)) {
                Some(cursor) => arguments = json!({"cursor": cursor}),
                None => break,
            }
        }
        for kind in 0..5 {
            for n in 0..17 {
                let name = format!("kind{kind}_stream{n:02}");
                assert!(everything.contains(&name), "{}: {name}", agent.lane);
            }
        }
        for (_, id) in &world.ids {
            assert!(everything.contains(id), "{}: {id}", agent.lane);
        }
    });
}

/// The cursor that the index's text names.
fn index_cursor(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(" with cursor=")?;
    rest.split_whitespace().next().map(str::to_owned)
}
