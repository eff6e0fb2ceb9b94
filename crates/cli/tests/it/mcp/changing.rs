//! Data and grants that change while an agent reads.

use serde_json::{Value, json};

use super::agent::Agent;
use super::lane::{CLASSES, Class, ERAS, ROADS, Road};
use super::world::{ODD_KEYS, World, import, line, mail, mailbox, notebook};

#[test]
fn journey_j5_a_bookmark_brings_what_changed_since_and_what_left() {
    for road in ROADS {
        for version in ERAS {
            let world = World::new();
            let home = world.id("home").to_owned();
            let asked = json!({"stream": "messages", "connection_id": home, "limit": 3});
            let mut bookmarks = Vec::new();
            for class in CLASSES {
                let mut agent = agent(&world, road, version, class);
                let mut arguments = asked.clone();
                arguments["changes_since"] = json!("beginning");
                let mut seen = 0;
                let bookmark = loop {
                    let page = agent.call("query_records", &arguments);
                    seen += page.ids().len();
                    match page.next_cursor() {
                        Some(cursor) => {
                            arguments = json!({"stream": "messages",
                            "connection_id": home, "limit": 3, "cursor": cursor});
                        }
                        None => break page.bookmark().unwrap(),
                    }
                };
                assert_eq!(seen, 7, "{}", agent.lane);
                bookmarks.push((agent, bookmark));
            }
            let mut changed = mail("home", 2);
            changed["data"]["subject"] = json!("Boiler replaced");
            let mut gone = line("messages", &json!("home-4"), &json!(null));
            gone["op"] = json!("delete");
            gone.as_object_mut().unwrap().remove("data");
            import(&world.home, "home", "Home mail", &mailbox(), &[changed, gone]);
            for (mut agent, bookmark) in bookmarks {
                let mut arguments = asked.clone();
                arguments["changes_since"] = json!(bookmark);
                let page = agent.call("query_records", &arguments);
                assert!(page.shows("Boiler replaced"), "{}: {page:?}", agent.lane);
                assert_eq!(page.deleted(), ["home-4"], "{}", agent.lane);
                assert_eq!(page.next_cursor(), None, "{}", agent.lane);
            }
        }
    }
}

#[test]
fn a_deletion_has_the_id_under_which_its_record_was_known() {
    let world = World::new();
    let long = "x".repeat(300);
    let keys: Vec<&str> = ODD_KEYS.into_iter().chain([long.as_str(), "..", "a\\b"]).collect();
    let page = |key: &&str| line("pages", &json!(key), &json!({"path": key, "title": "kept"}));
    let pages: Vec<_> = keys.iter().map(page).collect();
    import(&world.home, "notes", "Notes", &notebook(), &pages);
    let mut asked = json!({"stream": "pages", "connection_id": world.id("notes")});
    asked["changes_since"] = json!("beginning");
    for road in ROADS {
        let mut agent = agent(&world, road, ERAS[0], Class::Content);
        let walk = |agent: &mut Agent, mut arguments: Value| {
            let mut ids = Vec::new();
            loop {
                let page = agent.call("query_records", &arguments);
                ids.extend(page.ids());
                match page.next_cursor() {
                    Some(cursor) => arguments["cursor"] = json!(cursor),
                    None => break (ids, page.bookmark().unwrap()),
                }
            }
        };
        import(&world.home, "notes", "Notes", &notebook(), &pages);
        let (known, bookmark) = walk(&mut agent, asked.clone());
        let gone = keys.iter().map(|key| {
            let mut gone = page(key);
            gone["op"] = json!("delete");
            gone
        });
        import(&world.home, "notes", "Notes", &notebook(), &gone.collect::<Vec<_>>());
        let mut since = asked.clone();
        since["changes_since"] = json!(bookmark);
        let (left, _) = walk(&mut agent, since);
        assert_eq!(left.len(), keys.len(), "{}: {left:?}", agent.lane);
        for id in &left {
            assert!(known.contains(id), "{}: {id} is not one of {known:?}", agent.lane);
            let refused = agent.refused("fetch", &json!({"id": id}));
            assert_eq!(refused["code"], "not_found", "{}: {id}", agent.lane);
        }
    }
}

fn agent(world: &World, road: Road, version: &'static str, class: Class) -> Agent {
    let lane = format!("{class:?} over {road:?} in {version}");
    Agent { wire: world.wire(road, version), class, road, lane }
}

#[test]
fn journey_j10_what_ended_or_changed_is_said_and_read_no_further() {
    for road in ROADS {
        for version in ERAS {
            let world = World::new();
            let mut agents: Vec<Agent> =
                CLASSES.into_iter().map(|class| agent(&world, road, version, class)).collect();
            let id = format!("{}/messages:work-3", world.id("work"));
            let window = json!({"id": id, "field_path": "body", "limit_chars": 100});
            let mut cursors = Vec::new();
            for agent in &mut agents {
                let hidden =
                    agent.refused("read_record_field", &json!({"id": id, "field_path": "secret"}));
                let unknown =
                    agent.refused("read_record_field", &json!({"id": id, "field_path": "nosuch"}));
                assert_eq!(hidden["code"], unknown["code"], "{}", agent.lane);
                assert!(!hidden.to_string().contains("xylophone"), "{}: {hidden}", agent.lane);
                cursors.push(agent.window(&window).next.unwrap());
            }
            let mut changed = mail("work", 3);
            changed["data"]["body"] = json!("short now");
            import(&world.home, "work", "Work mail", &mailbox(), &[changed]);
            for (agent, cursor) in agents.iter_mut().zip(&cursors) {
                let stale = agent.refused(
                    "read_record_field",
                    &json!({"id": id, "field_path": "body", "cursor": cursor}),
                );
                assert_eq!(stale["code"], "stale_cursor", "{}: {stale}", agent.lane);
                assert!(stale["message"].as_str().unwrap().contains("work-3"), "{stale}");
            }
            let revoked = world.home.run(&["grant", "revoke", "journey"]);
            assert_eq!(revoked.code, 0, "{}", revoked.stderr);
            for agent in &mut agents {
                if road == Road::Http {
                    let params = json!({"name": "schema", "arguments": {}});
                    let (status, body) = agent.wire.raw("tools/call", params);
                    assert_eq!((status, &body["reason"]), (401, &json!("grant_revoked")), "{body}");
                    continue;
                }
                let ended = agent.refused("schema", &json!({}));
                assert_eq!(ended["code"], "grant_revoked", "{}: {ended}", agent.lane);
            }
        }
    }
}
