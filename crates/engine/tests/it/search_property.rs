//! Search against a plain reading of the same records: every visible record that holds a rare word is
//! found, wherever the word stands in a field of any length, and pages show each hit once, in one
//! order, also while others write.

use std::collections::BTreeSet;

use pdpp_contract::ReadApi;
use pdpp_contract::search::SearchRequest;
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message};

const RARE: &str = "zeppelin";

/// A small generator, so that a failing seed can be run again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    /// Some text of about so many characters.
    fn text(&mut self, chars: usize) -> String {
        let words = ["harbour", "ледокол", "東京都", "boat", "été", "repair", "the", "sail"];
        let mut text = String::new();
        while text.chars().count() < chars {
            text.push_str(words[self.roll(words.len())]);
            text.push(' ');
            // Long texts need not be different everywhere.
            if text.len() > 600 {
                text = text.repeat(chars / text.chars().count() + 1);
            }
        }
        text.chars().take(chars).collect()
    }

    /// A text with the rare word at any place, often near a border of the index's rows.
    fn planted(&mut self, chars: usize) -> String {
        let borders = [0, 3_999, 8_190, 62_995, 63_000, 63_998, 64_000, 126_000, 127_000];
        let place = if self.roll(3) == 0 { self.roll(chars + 1) } else { borders[self.roll(9)] };
        let place = place.min(chars);
        let before = self.text(place);
        let spelling = ["zeppelin", "Zeppelins", "ZEPPELIN,", "(zéppelin)"][self.roll(4)];
        format!("{before} {spelling} {}", self.text(chars - place))
    }
}

struct Made {
    connection: &'static str,
    id: String,
    day: usize,
    in_subject: bool,
    in_text: bool,
}

async fn world_of(dice: &mut Dice, seed: u64) -> (World, Vec<Made>) {
    let world = World::new(seed).await;
    let mut made = Vec::new();
    for connection in ["work-mail", "home-mail"] {
        let mut lines = Vec::new();
        for n in 0..24 {
            let (in_subject, in_text) = (dice.roll(5) == 0, dice.roll(2) == 0);
            let chars = [0, 40, 900, 8_200, 64_010, 130_000][dice.roll(6)];
            let text = if in_text { dice.planted(chars) } else { dice.text(chars) };
            let subject = if in_subject { dice.planted(30) } else { dice.text(30) };
            let (id, day) = (format!("m{n}"), 1 + dice.roll(6));
            let sent_at = format!("2026-02-{day:02}T09:00:00Z");
            let data = json!({"sent_at": sent_at, "subject": subject, "text": text});
            lines.push(message(&id, data));
            made.push(Made { connection, id, day, in_subject, in_text });
        }
        world.import(connection, &mail(), &lines).await;
    }
    (world, made)
}

/// Every hit of every page: the connection's id and the record's.
async fn pages(reader: &GrantedReader, q: &str, limit: u32) -> Vec<(String, String)> {
    let mut request = SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(limit),
        cursor: None,
        filter: Vec::new(),
    };
    let mut found = Vec::new();
    loop {
        let page = reader.search(request.clone()).await.unwrap();
        for hit in &page.data {
            found.push((hit.connection_id.to_string(), hit.record_key.to_string()));
        }
        match page.next_cursor {
            Some(next) => request.cursor = Some(next),
            None => return found,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_visible_record_with_a_rare_word_is_found_once() {
    type Sees = fn(&Made) -> bool;
    let grants: [(&[&str], Sees); 4] = [
        (&["work-mail/messages", "home-mail/messages"], |made| made.in_subject || made.in_text),
        (&["home-mail/messages:id,subject"], |made| {
            made.connection == "home-mail" && made.in_subject
        }),
        (&["work-mail/messages:id,text@2026-02-02..2026-02-05"], |made| {
            made.connection == "work-mail" && made.in_text && (2..5).contains(&made.day)
        }),
        (&["work-mail/messages:id,sent_at"], |_| false),
    ];
    for seed in 0..3 {
        let mut dice = Dice(seed);
        let (world, made) = world_of(&mut dice, seed).await;
        for (grant, sees) in grants {
            let reader = world.reader(grant).await;
            let wanted: BTreeSet<_> = made
                .iter()
                .filter(|made| sees(made))
                .map(|made| (format!("cin_{}", made.connection.replace('-', "")), made.id.clone()))
                .collect();
            for (q, limit) in [(RARE, 1), (RARE, 100), ("\"zeppelin\"", 4), ("zeppel*", 7)] {
                let found = pages(&reader, q, limit).await;
                let once: BTreeSet<_> = found.iter().cloned().collect();
                assert_eq!(
                    found.len(),
                    once.len(),
                    "{q} by {limit}, seed {seed}: a hit came again"
                );
                assert_eq!(once, wanted, "{q} by {limit}, seed {seed}, {grant:?}");
            }
            let sentence = "where does the zeppelin get its repair near the harbour?";
            let (few, all) =
                (pages(&reader, sentence, 3).await, pages(&reader, sentence, 100).await);
            assert_eq!(few, all, "seed {seed}: the size of a page changes the order");
            let once: BTreeSet<_> = all.iter().cloned().collect();
            assert_eq!(once.len(), all.len());
            assert!(wanted.is_subset(&once));
        }
    }
}

/// One of many messages about a boat; every fourth is about the same thing.
fn about_the_boat(n: usize, size: usize) -> Value {
    let topics = ["engine oil filter", "sail cloth needle", "paint brush varnish", "rope knot"];
    let text = format!(
        "the boat {} needs a repair {} {}",
        topics[n % 4],
        if n.is_multiple_of(3) { "in the harbour" } else { "soon" },
        topics[(n / 3) % 4].repeat(n % 5)
    );
    let data = json!({"sent_at": "2026-02-02", "subject": "boat", "text": text, "size": size});
    message(&format!("m{n:03}"), data)
}

const SENTENCE: &str = "when did we repair the boat in the harbour and what oil did it need";

/// The words that the best answers share are looked for among visible texts only.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_texts_change_no_ranking() {
    let (plain, busy) = (World::new(22).await, World::new(23).await);
    let visible: Vec<_> = (0..90).map(|n| about_the_boat(n, 0)).collect();
    plain.import("work-mail", &mail(), &visible).await;
    let hidden = |n: usize, day: u32| {
        let text = "repair the boat in the harbour: needle, cloth, varnish, oil ".repeat(n % 4 + 1);
        let data = json!({"sent_at": format!("2026-03-{day:02}"), "subject": "oil", "text": text});
        message(&format!("h{n:03}"), data)
    };
    let outside: Vec<_> = (0..60).map(|n| hidden(n, 1)).collect();
    busy.import("secret-mail", &mail(), &outside).await;
    busy.import("work-mail", &mail(), &outside).await;
    let mut same_inside: Vec<_> = (0..90).map(|n| about_the_boat(n, n)).collect();
    for line in &mut same_inside {
        line["data"]["body"] = json!("repair boat harbour oil varnish");
    }
    busy.import("work-mail", &mail(), &same_inside).await;
    let grant = &["work-mail/messages:id,sent_at,text@2026-02-01..2026-03-01"];
    let (a, b) = (plain.reader(grant).await, busy.reader(grant).await);
    for limit in [7, 100] {
        let (one, other) = (pages(&a, SENTENCE, limit).await, pages(&b, SENTENCE, limit).await);
        assert_eq!(one.len(), 90);
        assert_eq!(one, other);
    }
    let wide = busy.reader(&["work-mail/messages"]).await;
    assert_ne!(pages(&wide, SENTENCE, 100).await, pages(&a, SENTENCE, 100).await);
}

/// A sentence is ranked by closeness and company too; both are settled on the first page.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_a_sentence_stay_stable_while_the_store_changes() {
    let world = World::new(21).await;
    let line = about_the_boat;
    let lines: Vec<_> = (0..90).map(|n| line(n, 0)).collect();
    world.import("work-mail", &mail(), &lines).await;
    let reader = world.reader(&["work-mail/messages:id,sent_at,subject,text"]).await;
    let expected = pages(&reader, SENTENCE, 100).await;
    assert_eq!(expected.len(), 90);
    let mut request = SearchRequest {
        q: SENTENCE.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(7),
        cursor: None,
        filter: Vec::new(),
    };
    let (mut seen, mut changed) = (Vec::new(), BTreeSet::new());
    for round in 0.. {
        let page = reader.search(request.clone()).await.unwrap();
        seen.extend(page.data.iter().map(|hit| hit.record_key.to_string()));
        // A new match, a change in a field the grant hides, and one in a field that it shows.
        let new = line(100 + round, 0);
        let hidden = line(round, 1_000);
        let visible = format!("m{:03}", 89 - round);
        let other = message(&visible, json!({"sent_at": "2026-02-02", "text": "boat engine oil"}));
        changed.insert(visible);
        world.import("work-mail", &mail(), &[new, hidden, other]).await;
        match page.next_cursor {
            Some(next) => request.cursor = Some(next),
            None => break,
        }
    }
    let expected: Vec<String> = expected.into_iter().map(|(_, id)| id).collect();
    let all: BTreeSet<String> = seen.iter().cloned().collect();
    assert!(expected.iter().all(|id| all.contains(id)), "a changed one comes at least once");
    // What kept its text comes once, in the order of the first page; new ones are not among it.
    let kept = |ids: Vec<String>| -> Vec<String> {
        ids.into_iter().filter(|id| !changed.contains(id) && id.as_str() < "m100").collect()
    };
    assert_eq!(kept(seen), kept(expected));
}
