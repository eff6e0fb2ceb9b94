//! One ranking over several sources: honest about what it covers, whole over its pages.

use std::collections::BTreeSet;

use serde_json::json;

use super::world::{World, import, line, mailbox, mails};
use crate::program::Home;

/// Mails in each box.
const BOXES: [(&str, usize); 3] = [("work", 14), ("home", 7), ("club", 9)];

#[test]
fn journey_j14_a_ranking_of_a_part_says_so() {
    let home = Home::new();
    let lines: Vec<_> = (0..1_300)
        .map(|n| {
            let data = json!({"id": format!("m{n}"), "subject": "ubiquitous word",
                              "sent_at": "2026-01-01T00:00:00Z", "body": "x"});
            line("messages", &data["id"].clone(), &data)
        })
        .collect();
    import(&home, "work", "Work mail", &mailbox(), &lines);
    let world = World::over(home, &["work/messages:id,subject,sent_at"]);
    world.every_lane(|_, agent| {
        let common = agent.call("search", &json!({"query": "ubiquitous", "limit": 2}));
        assert!(common.shows("candidate_window"), "{}: {common:?}", agent.lane);
        let rare = agent.call("search", &json!({"query": "nothing-like-this"}));
        assert!(!rare.shows("candidate_window"), "{}: {rare:?}", agent.lane);
    });
}

#[test]
fn journey_j15_pages_over_several_sources_lose_and_repeat_nothing() {
    let home = Home::new();
    for (name, count) in BOXES {
        import(&home, name, name, &mailbox(), &mails(name, count));
    }
    let granted = BOXES.map(|(name, _)| format!("{name}/messages:id,subject,sent_at,body"));
    World::over(home, &granted.each_ref().map(String::as_str)).every_lane(|world, agent| {
        // The second mail of each box fits best; no box may take the whole page.
        let asked = json!({"query": "boiler report number 2", "limit": 5});
        let first = agent.call("search", &asked).ids();
        assert!((3..=5).contains(&first.len()), "{}: {first:?}", agent.lane);
        let best: BTreeSet<&String> = first.iter().take(3).collect();
        let second = BOXES.map(|(name, _)| format!("{}/messages:{name}-2", world.id(name)));
        assert_eq!(best, second.iter().collect(), "{}: a mix of all boxes", agent.lane);

        let rows = agent.every_row("search", &json!({"query": "boiler hums", "limit": 5}));
        let unique: BTreeSet<&String> = rows.iter().collect();
        assert_eq!(rows.len(), unique.len(), "{}: a hit came twice", agent.lane);
        for (name, count) in BOXES {
            // The third mail of each box is about something else.
            for n in (1..=count).filter(|n| *n != 3) {
                let id = format!("{}/messages:{name}-{n}", world.id(name));
                assert!(unique.contains(&id), "{}: {id} is missing", agent.lane);
            }
        }
    });
}
