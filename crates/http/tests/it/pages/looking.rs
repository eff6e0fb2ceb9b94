//! The owner looks at their own records: search, timeline, one record, its files, erasing it.

use serde_json::json;

use super::browser::Browser;
use crate::client::Call;
use crate::world::{World, note, notebook};

const RECORD: &str = "/owner/record?account=cin_blue&stream=notes&id=blue-2";

#[tokio::test]
async fn home_says_what_is_stored_and_who_may_read() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    let home = browser.get("/owner/home").await.text().to_owned();
    assert!(home.contains("8 records in 3 accounts"), "{home}");
    assert!(home.contains("No agent may read any of it"), "{home}");
    world.agent(&["blue"]).await;
    let home = browser.get("/owner/home").await.text().to_owned();
    assert!(home.contains("One agent may read parts of it"), "{home}");
}

#[tokio::test]
async fn a_search_covers_every_account_and_narrows_by_account_and_year() {
    let world = World::new().await;
    let mut declaration = notebook();
    declaration["streams"][0]["schema"]["properties"]["text"] = json!({"type": "string"});
    declaration["streams"][0]["query"]["search"] = json!({"lexical_fields": ["text"]});
    for name in ["blue", "red"] {
        let one = |n: u32| {
            let at = format!("2026-0{n}-01T00:00:00Z");
            note(&format!("{name}-{n}"), json!({"at": at, "text": format!("note {n}")}))
        };
        world.import(name, &declaration, &[one(1), one(2), one(3)]).await;
    }
    let browser = Browser::signed_in(&world).await;
    let hits = async |query: &str| {
        let html = browser.get(&format!("/owner/search?q=note{query}")).await.text().to_owned();
        html.matches("<li><h2>").count()
    };
    assert_eq!(hits("").await, 6);
    assert_eq!(hits("&account=cin_blue").await, 3);
    assert_eq!(hits("&time=2026").await, 6);
    assert_eq!(hits("&time=2025").await, 0);
    assert_eq!(hits("&account=cin_gone").await, 6, "what cannot be meant is left out");
    let html = browser.get("/owner/search?q=note&cursor=nonsense").await.text().to_owned();
    assert!(html.contains("no longer valid"), "{html}");
}

#[tokio::test]
async fn a_timeline_shows_the_newest_first_and_up_to_a_day() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    let days = async |query: &str| {
        let place = format!("/owner/accounts/cin_blue/timeline{query}");
        let html = browser.get(&place).await.text().to_owned();
        let days = html.split("<h2 class=\"day\">").skip(1);
        days.map(|part| part.split('<').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(days("").await, ["1 Mar 2026", "1 Feb 2026", "1 Jan 2026"]);
    assert_eq!(days("?until=2026-02-01").await, ["1 Feb 2026", "1 Jan 2026"]);
    assert_eq!(browser.get("/owner/accounts/cin_none/timeline").await.status, 404);
}

#[tokio::test]
async fn a_long_text_is_read_window_by_window() {
    let world = World::new().await;
    let text = format!("{}the end", "many words ".repeat(3_000));
    world.import("blue", &notebook(), &[note("long", json!({"text": text}))]).await;
    let browser = Browser::signed_in(&world).await;
    let record = "/owner/record?account=cin_blue&stream=notes&id=long";
    let html = browser.get(record).await.text().to_owned();
    assert!(html.contains("Read on") && !html.contains("the end"), "{html}");
    assert!(html.len() < 20_000, "{} bytes", html.len());
    let last = browser.get(&format!("{record}&field=text&offset=32768")).await.text().to_owned();
    assert!(last.contains("the end") && last.contains("Before this"), "{last}");
    assert_eq!(browser.get(&format!("{record}&field=nothing")).await.status, 404);
}

#[tokio::test]
async fn erasing_a_record_takes_it_from_everybody_and_stands_in_the_log() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let mut browser = Browser::signed_in(&world).await;
    let csrf_token = browser.csrf_token(RECORD, "/owner/record/remove").await;
    let form = [
        ("csrf_token", csrf_token.as_str()),
        ("account", "cin_blue"),
        ("stream", "notes"),
        ("id", "blue-2"),
    ];
    let reply = browser.post("/owner/record/remove", &form).await;
    let place = "/owner/accounts/cin_blue/timeline?stream=notes&done=record-removed";
    assert_eq!(browser.led_to(&reply), place);
    assert_eq!(browser.get(RECORD).await.status, 404);
    assert_eq!(world.get("/v1/streams/notes/records/blue-2", &token).await.status, 404);
    let log = browser.get("/owner/activity").await.text().to_owned();
    assert!(log.contains("Deleted 1 record"), "{log}");
    let again = browser.post("/owner/record/remove", &form).await;
    assert_eq!(again.status, 404, "what is not there was not erased");
}

#[tokio::test]
async fn images_are_shown_and_every_other_file_is_saved_in_a_sandbox() {
    let world = World::new().await;
    let owner = world.owner().await;
    let mut declaration = notebook();
    declaration["streams"][0]["schema"]["properties"]["file"] = json!({"type": "object"});
    let mut ids = Vec::new();
    for (name, kind) in
        [("a.png", "image/png"), ("b.svg", "image/svg+xml"), ("c.html", "text/html")]
    {
        let call = Call::new("POST", "/v1/blobs").bearer(&owner).header("Content-Type", kind);
        let reply = call.body(name.as_bytes().to_vec()).send(world.addr).await;
        let id = reply.json()["blob_id"].as_str().unwrap().to_owned();
        let file = json!({"blob_id": id, "mime_type": kind, "filename": name});
        world.import("blue", &declaration, &[note(name, json!({"text": "x", "file": file}))]).await;
        ids.push((id, kind));
    }
    let browser = Browser::signed_in(&world).await;
    for (id, kind) in ids {
        let file = browser.get(&format!("/owner/file/{id}?account=cin_blue")).await;
        let policy = file.header("content-security-policy").unwrap();
        assert!(policy.starts_with("sandbox; default-src 'none'"), "{policy}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        let (shown, place) = if kind == "image/png" {
            ("image/png", "inline")
        } else {
            ("application/octet-stream", "attachment")
        };
        assert_eq!(file.header("content-type"), Some(shown), "{kind}");
        assert!(file.header("content-disposition").unwrap().starts_with(place), "{kind}");
    }
}

#[tokio::test]
async fn a_record_s_page_says_which_agents_can_see_it_and_why_others_cannot() {
    let world = World::filled().await;
    let browser = Browser::signed_in(&world).await;
    let html = browser.get(RECORD).await.text().to_owned();
    assert!(html.contains("only you can see this record"), "{html}");
    for (agent, allow) in [
        ("whole", "blue"),
        ("part", "blue/notes:id,at"),
        ("other", "red"),
        ("late", "blue@2026-03-01.."),
    ] {
        world.agent_called(agent, &[allow]).await;
    }
    let html = browser.get(RECORD).await.text().to_owned();
    let (_, sights) = html.split_once("Who can see it").unwrap();
    let said = |agent: &str| {
        let (_, line) = sights.split_once(&format!(">{agent}</a> ")).unwrap();
        line.split("</li>").next().unwrap().replace("<b>", "").replace("</b>", "")
    };
    assert_eq!(said("whole"), "can see it, with all its fields");
    assert_eq!(said("part"), "can see it, without author, size and text");
    assert_eq!(said("other"), "cannot see it: its access does not include this account");
    assert_eq!(said("late"), "cannot see it: its access covers what is from 1 Mar 2026 on");
}

#[tokio::test]
async fn an_agent_s_token_opens_no_page() {
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let browser = Browser::signed_in(&world).await;
    for page in [RECORD, "/owner/search?q=note", "/owner/home"] {
        let reply = Call::get(&browser.at(page)).bearer(&token).send(world.addr).await;
        assert!([303, 401, 403].contains(&reply.status), "{page}: {}", reply.status);
        assert!(!reply.text().contains("note 2 of blue"), "{page}");
    }
}
