//! Search through the engine: what is found, in which order, with which place, page by page.

use pdpp_contract::query::{Filter, FilterTest};
use pdpp_contract::search::{SearchHit, SearchPage, SearchRequest};
use pdpp_contract::{ErrorCode, FieldName, ReadApi, StreamName};
use pdpp_engine::GrantedReader;
use serde_json::json;

use crate::world::{World, connection_id, mail, message};

fn ask(q: &str) -> SearchRequest {
    SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: None,
        cursor: None,
        filter: Vec::new(),
    }
}

async fn ids(reader: &GrantedReader, q: &str) -> Vec<String> {
    let page = reader.search(ask(q)).await.unwrap();
    page.data.iter().map(|hit| hit.record_key.to_string()).collect()
}

async fn small_world() -> World {
    let world = World::new(11).await;
    let mail_of = |id: &str, subject: &str, text: &str, day: u32| {
        let sent_at = format!("2026-02-{day:02}T09:00:00Z");
        message(id, json!({"sent_at": sent_at, "subject": subject, "text": text, "size": day}))
    };
    let work = [
        mail_of(
            "boiler",
            "Your new boiler",
            "It will be installed on Thursday and costs 58,900 SEK.",
            3,
        ),
        mail_of(
            "offer",
            "First offer",
            "The boiler would cost 61,400 SEK. We install it in December.",
            1,
        ),
        mail_of("pasta", "Lost parcel", "The pasta maker was lost; you get a refund.", 2),
        mail_of("makers", "Makers fair", "Come and cook pasta with a maker of bread.", 4),
        mail_of("cafe", "Möte på Café Ångström", "Vi ses klockan tre.", 5),
        mail_of("tokyo", "東京の会議", "来週、東京都で会います。", 6),
    ];
    world.import("work-mail", &mail(), &work).await;
    let home = [mail_of("home", "Boiler manual", "How to bleed a radiator.", 9)];
    world.import("home-mail", &mail(), &home).await;
    world
}

#[tokio::test]
async fn a_sentence_finds_what_it_is_about() {
    let world = small_world().await;
    let reader = world.reader(&["work-mail"]).await;
    let found = ids(&reader, "when does the new boiler get installed and what does it cost?").await;
    assert_eq!(found, ["boiler", "offer"]);
    assert_eq!(ids(&reader, "INSTALLATION").await, ["boiler", "offer"]);
    assert_eq!(ids(&reader, "cafe angstrom").await, ["cafe"]);
    assert_eq!(ids(&reader, "東京").await, ["tokyo"]);
    assert_eq!(ids(&reader, "都").await, ["tokyo"]);
    assert_eq!(ids(&reader, "58900").await, ["boiler"]);
    assert!(ids(&reader, "unheard-of").await.is_empty());
}

#[tokio::test]
async fn phrases_and_beginnings_are_kept_to_the_letter() {
    let world = small_world().await;
    let reader = world.reader(&["work-mail"]).await;
    assert_eq!(ids(&reader, "\"pasta maker\"").await, ["pasta"]);
    assert_eq!(ids(&reader, "\"maker pasta\"").await, Vec::<String>::new());
    assert_eq!(ids(&reader, "installe*").await, ["boiler"]);
    assert_eq!(ids(&reader, "Thurs*").await, ["boiler"]);
}

#[tokio::test]
async fn one_ranking_covers_all_connections_and_narrows_on_request() {
    let world = small_world().await;
    let reader = world.reader(&["work-mail", "home-mail"]).await;
    let page = reader.search(ask("boiler")).await.unwrap();
    let found: Vec<_> = page.data.iter().map(|hit| hit.record_key.as_str()).collect();
    assert_eq!(found.len(), 3);
    assert!(found.contains(&"home"));
    assert!(page.meta.recall.complete);
    let mut request = ask("boiler");
    request.connection_id = Some(connection_id("home-mail"));
    let page = reader.search(request).await.unwrap();
    assert_eq!(page.data.len(), 1);
    assert_eq!(page.data[0].title.as_deref(), Some("Boiler manual"));
    assert_eq!(page.data[0].authored_at.as_deref(), Some("2026-02-09T09:00:00Z"));
    let mut request = ask("boiler");
    request.streams = vec![StreamName::new("messages").unwrap()];
    let test = FilterTest::Equals("1".to_owned());
    request.filter = vec![Filter { field: FieldName::new("size").unwrap(), test }];
    assert_eq!(reader.search(request.clone()).await.unwrap().data.len(), 1);
    request.streams.clear();
    assert_eq!(reader.search(request).await.unwrap_err().code, ErrorCode::InvalidFilter);
}

#[tokio::test]
async fn words_in_hidden_fields_and_records_are_not_there() {
    let world = small_world().await;
    let subjects = world.reader(&["work-mail/messages:id,subject"]).await;
    assert!(ids(&subjects, "refund").await.is_empty());
    let page = subjects.search(ask("boiler")).await.unwrap();
    assert_eq!(page.data.len(), 1);
    assert_eq!(page.data[0].matched_fields, ["subject"]);
    assert_eq!(page.data[0].authored_at, None);
    let early = world.reader(&["work-mail/messages@..2026-02-03"]).await;
    assert_eq!(ids(&early, "boiler").await, ["offer"]);
}

#[tokio::test]
async fn the_index_follows_every_change() {
    let world = small_world().await;
    let reader = world.reader(&["work-mail"]).await;
    let revised = message(
        "pasta",
        json!({"sent_at": "2026-02-02", "subject": "Found parcel", "text": "It came."}),
    );
    let gone = json!({"type": "RECORD", "stream": "messages", "key": "offer", "op": "delete",
                      "emitted_at": "2026-11-02T00:00:00Z"});
    world.import("work-mail", &mail(), &[revised, gone]).await;
    assert!(ids(&reader, "refund").await.is_empty());
    assert_eq!(ids(&reader, "found").await, ["pasta"]);
    assert_eq!(ids(&reader, "boiler").await, ["boiler"]);
    let report = world.store.verify().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    assert_eq!(world.store.rebuild_index().await.unwrap(), 6);
    assert_eq!(ids(&reader, "boiler").await, ["boiler"]);
    assert_eq!(world.store.verify().await.unwrap().faults, Vec::<String>::new());
}

#[tokio::test]
async fn a_word_is_found_wherever_it_stands_in_a_long_field() {
    let world = World::new(12).await;
    let filler = "lorem ipsum dolor sit amet ";
    let text = format!("{}Zanzibar deep inside {}", filler.repeat(20_000), filler.repeat(5_000));
    let line = message("long", json!({"sent_at": "2026-02-02", "subject": "s", "text": text}));
    world.import("work-mail", &mail(), &[line]).await;
    let reader = world.reader(&["work-mail"]).await;
    let page = reader.search(ask("zanzibar")).await.unwrap();
    let snippet = page.data[0].snippet.clone().unwrap();
    assert!(snippet.text.contains("<mark>Zanzibar</mark> deep inside"), "{}", snippet.text);
    let place = u64::try_from(filler.len() * 20_000).unwrap();
    assert_eq!(
        (snippet.match_start_chars, snippet.match_end_chars),
        (Some(place), Some(place + 8))
    );
}

async fn all_pages(reader: &GrantedReader, q: &str, limit: u32) -> (Vec<SearchHit>, SearchPage) {
    let mut request = ask(q);
    request.limit = Some(limit);
    let mut hits = Vec::new();
    loop {
        let page = reader.search(request.clone()).await.unwrap();
        assert!(page.data.len() <= usize::try_from(limit).unwrap());
        hits.extend(page.data.clone());
        match &page.next_cursor {
            Some(next) => request.cursor = Some(next.clone()),
            None => return (hits, page),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_records_page_to_the_end_with_each_hit_once() {
    let world = World::new(13).await;
    let line = |n: u32| {
        let rare = if n.is_multiple_of(97) { "heron" } else { "gull" };
        let sent_at = format!("2026-{:02}-{:02}T09:00:00Z", n % 12 + 1, n % 28 + 1);
        let text =
            format!("{rare} number {n} common {}", "x ".repeat(usize::try_from(n % 7).unwrap()));
        message(&format!("m{n}"), json!({"sent_at": sent_at, "subject": "bird", "text": text}))
    };
    let lines: Vec<_> = (0..3_600).map(line).collect();
    world.import("work-mail", &mail(), &lines).await;
    let reader = world.reader(&["work-mail"]).await;
    let (hits, page) = all_pages(&reader, "heron", 10).await;
    let mut found: Vec<_> = hits.iter().map(|hit| hit.record_key.to_string()).collect();
    assert_eq!(found.len(), 38, "every visible record with the rare word");
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 38, "each hit once");
    assert!(page.meta.recall.complete);
    let (common, page) = all_pages(&reader, "common", 100).await;
    assert_eq!(common.len(), 1_000, "the cap");
    assert!(!page.meta.recall.complete);
    assert_eq!(page.meta.recall.candidate_window_limit, Some(1_000));
    // The same question among few visible records takes the other way and finds the same.
    let narrow = world.reader(&["work-mail/messages@2026-03-01..2026-04-01"]).await;
    let (few, _) = all_pages(&narrow, "heron", 3).await;
    let wanted =
        hits.iter().filter(|hit| hit.authored_at.as_deref().unwrap().starts_with("2026-03"));
    assert_eq!(few.len(), wanted.count());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_stay_stable_while_the_store_changes() {
    let world = World::new(14).await;
    let line = |n: u32, text: &str| {
        message(
            &format!("m{n:03}"),
            json!({"sent_at": "2026-02-02", "subject": "s", "text": text, "size": n}),
        )
    };
    let lines: Vec<_> =
        (0..60).map(|n| line(n, &format!("heron {}", "y ".repeat(n as usize)))).collect();
    world.import("work-mail", &mail(), &lines).await;
    let reader = world.reader(&["work-mail/messages:id,sent_at,subject,text"]).await;
    let (expected, _) = all_pages(&reader, "heron", 100).await;
    let mut request = ask("heron");
    request.limit = Some(7);
    let mut seen = Vec::new();
    let mut round = 0;
    loop {
        let page = reader.search(request.clone()).await.unwrap();
        seen.extend(page.data.iter().map(|hit| hit.record_key.to_string()));
        // New matches, and changes in a field the grant hides.
        let new = line(100 + round, "heron");
        let hidden = line(round, &format!("heron {}", "y ".repeat(round as usize)));
        let mut hidden = hidden;
        hidden["data"]["size"] = json!(1_000 + round);
        world.import("work-mail", &mail(), &[new, hidden]).await;
        round += 1;
        match page.next_cursor {
            Some(next) => request.cursor = Some(next),
            None => break,
        }
    }
    let expected: Vec<_> = expected.iter().map(|hit| hit.record_key.to_string()).collect();
    let (before, new) = seen.split_at(expected.len());
    assert_eq!(before, expected);
    // The new ones come last, in the order in which they came.
    let expected: Vec<_> = (100..).take(new.len()).map(|n| format!("m{n}")).collect();
    assert_eq!(new, expected);
    assert!(new.len() >= 8, "{new:?}");
}
