//! Pages of a search while records change: what keeps its searched text comes once, what changes
//! comes at least once, and the answer counts it.

use std::collections::BTreeMap;

use pdpp_contract::ReadApi;
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_engine::GrantedReader;
use serde_json::{Value, json};

use crate::world::{World, mail, message};

fn ask(q: &str, cursor: Option<String>) -> SearchRequest {
    SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(20),
        cursor,
        filter: Vec::new(),
    }
}

/// Letter `number` of those about boilers; longer ones rank lower.
fn letter(number: u32, day: u32, size: u32) -> Value {
    let text = format!("the new boiler {}", "and more ".repeat(number as usize));
    let sent_at = format!("2026-02-{day:02}T09:00:00Z");
    message(
        &format!("m{number}"),
        json!({"sent_at": sent_at, "subject": "boiler", "text": text, "size": size}),
    )
}

async fn world(postgres: bool) -> Option<World> {
    let world = if postgres { World::on_postgres(82).await? } else { World::new(81).await };
    let lines: Vec<_> = (0..100).map(|number| letter(number, 1 + number % 20, 1)).collect();
    world.import("work-mail", &mail(), &lines).await;
    Some(world)
}

/// Every page after the first one, and how often each record came in all.
async fn to_the_end(
    reader: &GrantedReader,
    q: &str,
    first: SearchPage,
) -> (Vec<SearchPage>, BTreeMap<String, usize>) {
    let mut pages = vec![first];
    while let Some(cursor) = pages.last().and_then(|page| page.next_cursor.clone()) {
        assert!(cursor.len() <= 200, "{} characters", cursor.len());
        pages.push(reader.search(ask(q, Some(cursor))).await.unwrap());
        assert!(pages.len() < 50, "paging does not end");
    }
    let mut times = BTreeMap::new();
    for hit in pages.iter().flat_map(|page| &page.data) {
        *times.entry(hit.record_key.to_string()).or_insert(0) += 1;
    }
    (pages, times)
}

fn unseen(first: &SearchPage, most: usize) -> Vec<u32> {
    let seen: Vec<String> = first.data.iter().map(|hit| hit.record_key.to_string()).collect();
    (0..100).filter(|number| !seen.contains(&format!("m{number}"))).take(most).collect()
}

fn seen(first: &SearchPage) -> Vec<u32> {
    let number = |id: &str| id.strip_prefix('m').and_then(|id| id.parse().ok());
    first.data.iter().filter_map(|hit| number(&hit.record_key.to_string())).collect()
}

async fn text_that_stays_comes_once(world: World) {
    let reader = world.reader(&["work-mail"]).await;
    for q in ["boiler", "the new boiler", "new boiler and more"] {
        let first = reader.search(ask(q, None)).await.unwrap();
        // Forty letters that are still to come, and all that came: another size, another day.
        let changing: Vec<u32> = unseen(&first, 40).into_iter().chain(seen(&first)).collect();
        let day = 1 + u32::try_from(q.len()).unwrap();
        let lines: Vec<_> =
            changing.iter().map(|number| letter(*number, (number + day) % 28 + 1, day)).collect();
        world.import("work-mail", &mail(), &lines).await;
        let (pages, times) = to_the_end(&reader, q, first).await;
        assert_eq!(times.len(), 100, "{q}: matches that came");
        assert!(times.values().all(|times| *times == 1), "{q}: {times:?}");
        let last = pages.last().unwrap();
        assert!(!last.has_more && last.meta.recall.complete);
        assert_eq!(last.meta.changed_since_first_page, Some(0), "{q}");
        assert_eq!(pages[0].meta.changed_since_first_page, None);
    }
}

async fn text_that_changes_comes_at_least_once(world: World) {
    let reader = world.reader(&["work-mail"]).await;
    let q = "new boiler";
    let first = reader.search(ask(q, None)).await.unwrap();
    // Five that are still to come now rank first; two came already; three are new.
    let mut changed: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for number in unseen(&first, 5).into_iter().chain(seen(&first).into_iter().take(2)) {
        changed.push(format!("m{number}"));
        let data = json!({"sent_at": "2026-02-28T09:00:00Z", "subject": "new boiler new boiler",
                          "text": "boiler"});
        lines.push(message(&format!("m{number}"), data));
    }
    for number in 0..3 {
        changed.push(format!("n{number}"));
        let data = json!({"sent_at": "2026-02-28T09:00:00Z", "subject": "new boiler", "text": "-"});
        lines.push(message(&format!("n{number}"), data));
    }
    world.import("work-mail", &mail(), &lines).await;
    let (pages, times) = to_the_end(&reader, q, first).await;
    assert_eq!(times.len(), 103);
    for (id, times) in &times {
        assert!(*times == 1 || changed.contains(id), "{id} came {times} times");
    }
    for page in &pages[1..] {
        assert_eq!(page.meta.changed_since_first_page, Some(10));
    }
    // A change while the changed ones are being read comes, too.
    let before_last = pages[pages.len() - 2].next_cursor.clone();
    let again = message("n0", json!({"sent_at": "2026-02-28T09:00:00Z", "subject": "boiler"}));
    world.import("work-mail", &mail(), &[again]).await;
    let last = reader.search(ask(q, before_last)).await.unwrap();
    assert_eq!(last.data.last().map(|hit| hit.record_key.to_string()).as_deref(), Some("n0"));
}

/// Changes of what the grant hides, between two pages, are no changes.
async fn hidden_changes_do_not_count(world: World) {
    let reader = world.reader(&["work-mail/messages:id,subject"]).await;
    let first = reader.search(ask("boiler", None)).await.unwrap();
    let cursor = first.next_cursor.clone();
    let second = reader.search(ask("boiler", cursor.clone())).await.unwrap();
    let lines: Vec<_> = (0..100).map(|number| letter(99 - number, 5, 77)).collect();
    world.import("work-mail", &mail(), &lines).await;
    let elsewhere = [message("x", json!({"subject": "boiler"}))];
    world.import("home-mail", &mail(), &elsewhere).await;
    assert_eq!(reader.search(ask("boiler", None)).await.unwrap(), first);
    assert_eq!(reader.search(ask("boiler", cursor)).await.unwrap(), second);
    let (_, times) = to_the_end(&reader, "boiler", first).await;
    assert!(times.len() == 100 && times.values().all(|times| *times == 1), "{times:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_whose_searched_text_stays_comes_exactly_once() {
    text_that_stays_comes_once(world(false).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_whose_searched_text_changes_comes_at_least_once() {
    text_that_changes_comes_at_least_once(world(false).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hidden_change_between_two_pages_is_no_change() {
    hidden_changes_do_not_count(world(false).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_a_search_hold_on_postgres() {
    if let Some(world) = world(true).await {
        text_that_stays_comes_once(world).await;
    }
    if let Some(world) = world(true).await {
        text_that_changes_comes_at_least_once(world).await;
    }
    if let Some(world) = world(true).await {
        hidden_changes_do_not_count(world).await;
    }
}
