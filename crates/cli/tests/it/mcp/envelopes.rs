//! What stands under `data` is the page that `/v1` serves, and a citation leads back to its record.

use serde_json::{Value, json};

use super::lane::{Class, ROADS, Road};
use super::wire::MODERN;
use super::world::World;
use crate::http;

/// Keys as they stand in an address.
const ENCODED: [(&str, &str); 5] = [
    ("a/b/c.md", "a%2Fb%2Fc.md"),
    ("with space, comma", "with%20space%2C%20comma"),
    ("emoji 🎙️", "emoji%20%F0%9F%8E%99%EF%B8%8F"),
    ("v1..v2", "v1..v2"),
    ("plain-key", "plain-key"),
];

#[test]
fn a_page_of_hits_or_records_is_the_one_that_v1_serves() {
    let world = World::new();
    let work = world.id("work");
    let list = format!(
        "/v1/streams/messages/records?connection_id={work}&limit=3&sort=-sent_at&fields=subject,sent_at\
         &filter[category]=even&count=exact&preview_chars=240"
    );
    let pages = [
        ("search", json!({"q": "boiler", "limit": 4}), "/v1/search?q=boiler&limit=4"),
        (
            "query_records",
            json!({"stream": "messages", "connection_id": work, "limit": 3, "sort": "-sent_at",
                   "fields": ["subject", "sent_at"], "filter": {"category": "even"},
                   "count": "exact"}),
            &list,
        ),
    ];
    for (tool, arguments, path) in pages {
        let served = world.server.get(path, &world.token);
        assert_eq!((served.status, &served.body["has_more"]), (200, &json!(true)), "{served:?}");
        for road in ROADS {
            let mut agent = world.agent(road, MODERN, Class::Structured);
            let answer = agent.call(tool, &arguments);
            assert_eq!(answer.data["data"], served.body, "{}: {tool}", agent.lane);
        }
    }
}

#[test]
fn every_citation_is_the_address_of_its_record() {
    let world = World::new();
    let connection = world.id("notes");
    for road in ROADS {
        let mut agent = world.agent(road, MODERN, Class::Structured);
        let found =
            agent.call("search", &json!({"q": "quokka", "limit": 20, "streams": ["pages"]}));
        let hits = found.data["results"].as_array().unwrap();
        for (key, encoded) in ENCODED {
            let hit = hits.iter().find(|hit| hit["record_id"] == key).unwrap();
            if road == Road::Local {
                check_handle(&agent.read(hit["url"].as_str().unwrap()).unwrap(), key);
                continue;
            }
            let base = world.base_url();
            let url =
                format!("{base}/v1/streams/pages/records/{encoded}?connection_id={connection}");
            assert_eq!(hit["url"], url, "{}: {key}", agent.lane);
            let record = http::get(&url, Some(&world.token));
            assert_eq!((record.status, &record.body["id"]), (200, &json!(key)), "{record:?}");
        }
    }
}

/// A store without an address cites a handle, which any client can read.
fn check_handle(read: &str, key: &str) {
    let document: Value = serde_json::from_str(read).unwrap();
    assert_eq!(document["metadata"]["record_id"], key, "{document}");
}
