//! Search: every visible row that holds a word is found, with its place, and nothing else.

use std::sync::Arc;

use pdpp_contract::FieldName;

use super::cases;
use super::sample::{Account, SAMPLE, between, declaration, fields, ids, one};
use pdpp_store::Store;
use pdpp_store::records::CollectionQuery;
use pdpp_store::scope::{CollectionScope, ReadScope};
use pdpp_store::search::{SearchMatches, SearchQuery, Term};
use pdpp_store::words::words;
use pdpp_store::{ChangeNo, RecordNo};

pub(super) const CASES: super::CaseTable = cases![
    a_word_is_found_in_any_case_and_form,
    a_beginning_finds_words_that_begin_so,
    a_word_far_into_a_long_field_knows_its_place,
    the_index_follows_updates_and_deletes,
    search_keeps_within_the_scope,
    search_keeps_within_the_scope_of_a_large_store,
    only_searched_fields_are_searched,
    the_cap_counts_visible_rows_only,
    a_later_page_finds_the_same_and_tells_changes_apart,
    what_is_hidden_decides_nothing_between_two_pages,
];

async fn open(store: &Arc<dyn Store>, name: &str) -> Account {
    let plain = r#""aggregations": {"group_by": ["kind", "done"]}"#;
    let searched = format!(r#"{plain}, "search": {{"lexical_fields": ["title", "body"]}}"#);
    Account::declared(store, name, declaration(&SAMPLE.replacen(plain, &searched, 1))).await
}

/// The term of a word as a text would have it.
fn term(word: &str) -> Term {
    Term { text: words(word)[0].term.clone(), prefix: false }
}

async fn ask(store: &Arc<dyn Store>, scope: &ReadScope, term: Term, cap: usize) -> SearchMatches {
    ask_later(store, scope, term, (cap, None)).await
}

/// A first page, or a later one of a search that had seen so much.
async fn ask_later(
    store: &Arc<dyn Store>,
    scope: &ReadScope,
    term: Term,
    (cap, seen_through): (usize, Option<ChangeNo>),
) -> SearchMatches {
    let searched = |part: &CollectionScope| {
        let wanted = |field: &&FieldName| ["title", "body"].contains(&field.as_str());
        part.fields.iter().filter(wanted).cloned().collect()
    };
    let query = SearchQuery {
        terms: vec![term],
        fields: scope.collections().iter().map(searched).collect(),
        collections: scope.collections().iter().map(|_| CollectionQuery::default()).collect(),
        cap,
        seen_through,
    };
    store.search(scope, query).await.unwrap()
}

/// The ids of the records that hold a term.
async fn found(store: &Arc<dyn Store>, scope: &ReadScope, term: Term) -> Vec<String> {
    let matches = ask(store, scope, term, 100).await;
    assert!(matches.complete);
    let mut numbers: Vec<RecordNo> = matches.rows.iter().map(|row| row.record_no).collect();
    numbers.dedup();
    assert_eq!(matches.frequencies[0] as usize, matches.rows.len());
    let found = numbers.len();
    let records = store.records_by_number(scope, numbers, 0).await.unwrap();
    assert_eq!(records.len(), found, "a search finds nothing outside the view");
    let mut ids: Vec<String> = records.iter().map(|record| record.id.to_string()).collect();
    ids.sort();
    ids
}

fn titled(id: &str, title: &str) -> String {
    format!(r#"{{"id":"{id}","at":"2026-01-0{id}","title":"{title}","secret":"heron"}}"#)
}

async fn a_word_is_found_in_any_case_and_form(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    let titles = ["A heron by the lake", "HERONS, many", "Zürich", "nothing here", "heron heron"];
    let records: Vec<_> =
        (1..).zip(titles).map(|(id, title): (u32, _)| titled(&id.to_string(), title)).collect();
    account.put("notes", &records).await;
    let scope = account.scope("notes");
    assert_eq!(found(&store, &scope, term("heron")).await, ["1", "2", "5"]);
    assert_eq!(found(&store, &scope, term("zurich")).await, ["3"]);
    assert_eq!(found(&store, &scope, term("absent")).await, Vec::<String>::new());
    let matches = ask(&store, &scope, term("heron"), 100).await;
    let counts: u32 = matches.rows.iter().flat_map(|row| &row.hits).map(|hit| hit.count).sum();
    assert_eq!((matches.visible, counts), (5, 4));
}

async fn a_beginning_finds_words_that_begin_so(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    account
        .put("notes", &[titled("1", "harbour"), titled("2", "harvest"), titled("3", "shar")])
        .await;
    let scope = account.scope("notes");
    let begins = |text: &str| Term { text: text.to_owned(), prefix: true };
    assert_eq!(found(&store, &scope, begins("har")).await, ["1", "2"]);
    assert_eq!(found(&store, &scope, begins("harb")).await, ["1"]);
    assert_eq!(found(&store, &scope, begins("x")).await, Vec::<String>::new());
}

async fn a_word_far_into_a_long_field_knows_its_place(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    let filler = "plain words of a long letter. ".repeat(30_000);
    let body = format!("{filler}kingfisher {filler}");
    account.put("notes", &[format!(r#"{{"id":"1","body":"{body}"}}"#)]).await;
    let matches = ask(&store, &account.scope("notes"), term("kingfisher"), 100).await;
    assert!(!matches.rows.is_empty());
    let place = filler.chars().count() as u64;
    for hit in matches.rows.iter().flat_map(|row| &row.hits) {
        let span = hit.start_chars..hit.start_chars + 64_000;
        assert!(span.contains(&place), "{span:?} holds {place}");
    }
}

async fn the_index_follows_updates_and_deletes(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    account.put("notes", &[titled("1", "heron"), titled("2", "heron")]).await;
    let scope = account.scope("notes");
    account.put("notes", &[titled("1", "egret")]).await;
    assert_eq!(found(&store, &scope, term("heron")).await, ["2"]);
    assert_eq!(found(&store, &scope, term("egret")).await, ["1"]);
    account.delete("notes", "2").await;
    assert_eq!(found(&store, &scope, term("heron")).await, Vec::<String>::new());
    account.put("notes", &[titled("2", "heron")]).await;
    assert_eq!(found(&store, &scope, term("heron")).await, ["2"]);
    assert_eq!(store.rebuild_index().await.unwrap(), 2);
    assert_eq!(found(&store, &scope, term("heron")).await, ["2"]);
}

async fn search_keeps_within_the_scope(store: Arc<dyn Store>) {
    let (a, b) = (open(&store, "a").await, open(&store, "b").await);
    a.put("notes", &[titled("1", "heron"), titled("2", "heron")]).await;
    a.put_with_codes("notes", &titled("3", "heron")).await;
    b.put("notes", &[titled("4", "heron")]).await;
    let all = a.all("notes");
    let changed = |change: &(dyn Fn(&mut CollectionScope) + Sync)| {
        let mut scope = all.clone();
        change(&mut scope);
        one(scope)
    };
    assert_eq!(found(&store, &one(all.clone()), term("heron")).await, ["1", "2", "3"]);
    let both = ReadScope::new(vec![all.clone(), b.all("notes")]);
    assert_eq!(found(&store, &both, term("heron")).await, ["1", "2", "3", "4"]);
    for (scope, expected) in [
        (changed(&|scope| scope.time = between("at", "2026-01-02", "2026-01-03")), vec!["2"]),
        (changed(&|scope| scope.records = ids(&["1"])), vec!["1"]),
        (changed(&|scope| scope.leave_out_codes = true), vec!["1", "2"]),
        (changed(&|scope| scope.fields = fields(&["id", "body"])), vec![]),
    ] {
        assert_eq!(found(&store, &scope, term("heron")).await, expected);
        let visible = ask(&store, &scope, term("heron"), 100).await.visible;
        assert!(visible <= 3, "numbers come from what is visible");
    }
}

/// So many records in view that a search walks the words' rows, instead of looking at every record.
const MANY: u32 = 3_050;

async fn search_keeps_within_the_scope_of_a_large_store(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    let record = |id: u32, day: &str, title: &str| {
        format!(r#"{{"id":"{id}","at":"{day}","title":"{title}"}}"#)
    };
    let mut records: Vec<_> = (0..MANY).map(|id| record(id, "2026-01-01", "x")).collect();
    records.push(record(9_001, "2026-01-01", "heron"));
    records.push(record(9_002, "2026-03-01", "heron"));
    account.put("notes", &records).await;
    account.put_with_codes("notes", &record(9_003, "2026-01-01", "heron")).await;
    let mut scope = account.all("notes");
    scope.time = between("at", "", "2026-02-01");
    assert_eq!(found(&store, &one(scope.clone()), term("heron")).await, ["9001", "9003"]);
    scope.leave_out_codes = true;
    assert_eq!(found(&store, &one(scope), term("heron")).await, ["9001"]);
}

async fn only_searched_fields_are_searched(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    account.put("notes", &[titled("1", "egret")]).await;
    let scope = account.scope("notes");
    assert_eq!(found(&store, &scope, term("heron")).await, Vec::<String>::new());
    assert_eq!(found(&store, &scope, term("egret")).await, ["1"]);
}

async fn the_cap_counts_visible_rows_only(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    let record = |n: u32| {
        let day = if n.is_multiple_of(2) { "2026-01-01" } else { "2026-03-01" };
        format!(r#"{{"id":"{n:02}","at":"{day}","title":"heron"}}"#)
    };
    account.put("notes", &(0..20).map(record).collect::<Vec<_>>()).await;
    let mut scope = account.all("notes");
    scope.time = between("at", "", "2026-02-01");
    let matches = ask(&store, &one(scope.clone()), term("heron"), 10).await;
    assert_eq!((matches.rows.len(), matches.complete), (10, true), "ten are visible");
    let matches = ask(&store, &one(scope), term("heron"), 4).await;
    assert_eq!((matches.rows.len(), matches.complete), (4, false));
    let numbers: Vec<RecordNo> = matches.rows.iter().map(|row| row.record_no).collect();
    assert!(numbers.is_sorted_by(|a, b| a > b), "the newest first");
}

async fn a_later_page_finds_the_same_and_tells_changes_apart(store: Arc<dyn Store>) {
    let account = open(&store, "a").await;
    let notes: Vec<String> = (1..=4).map(|id: u32| titled(&id.to_string(), "heron")).collect();
    account.put("notes", &notes).await;
    let scope = account.scope("notes");
    let first = ask(&store, &scope, term("heron"), 4).await;
    let seen = Some(first.seen_through);
    let numbers = |matches: &SearchMatches, changed: bool| -> Vec<RecordNo> {
        let rows = matches.rows.iter().filter(|row| row.changed_at.is_some() == changed);
        rows.map(|row| row.record_no).collect()
    };
    let [.., two, one] = numbers(&first, false)[..] else { panic!("{first:?}") };
    // Another field, the text itself, and two that are new.
    account
        .put("notes", &[titled("1", "heron").replace("\"secret\":\"heron\"", "\"secret\":\"x\"")])
        .await;
    account.put("notes", &[titled("2", "another heron")]).await;
    account.put("notes", &[titled("5", "heron"), titled("6", "heron")]).await;
    let later = ask_later(&store, &scope, term("heron"), (4, seen)).await;
    let stayed: Vec<RecordNo> =
        numbers(&first, false).into_iter().filter(|number| *number != two).collect();
    assert_eq!(numbers(&later, false), stayed, "new ones push none of the old ones out");
    assert!(stayed.contains(&one) && numbers(&later, true).contains(&two));
    assert_eq!(numbers(&later, true).len(), 3);
    assert!(later.complete);
    assert_eq!(later.seen_through, first.seen_through);
    let mut changes: Vec<_> = later.rows.iter().filter_map(|row| row.changed_at).collect();
    changes.sort_unstable();
    changes.dedup();
    assert!(changes.len() == 3 && changes[0] > first.seen_through, "{changes:?}");
}

async fn what_is_hidden_decides_nothing_between_two_pages(store: Arc<dyn Store>) {
    let (account, other) = (open(&store, "a").await, open(&store, "b").await);
    let notes: Vec<String> = (1..=3).map(|id: u32| titled(&id.to_string(), "heron")).collect();
    account.put("notes", &notes).await;
    let mut scope = account.all("notes");
    scope.fields = fields(&["id", "title"]);
    scope.leave_out_codes = true;
    let scope = one(scope);
    let first = timeless(ask(&store, &scope, term("heron"), 100).await);
    let seen = Some(first.seen_through);
    other.put("notes", &[titled("1", "heron")]).await;
    account.put_with_codes("notes", &titled("9", "heron")).await;
    for word in ["x", "y", "z"] {
        let hidden =
            titled("3", "heron").replace("\"secret\":\"heron\"", &format!("\"secret\":\"{word}\""));
        account.put("notes", &[hidden]).await;
    }
    assert_eq!(timeless(ask(&store, &scope, term("heron"), 100).await), first);
    assert_eq!(timeless(ask_later(&store, &scope, term("heron"), (100, seen)).await), first);
    let newest = store.newest_change().await.unwrap();
    store.prune_versions(newest).await.unwrap();
    assert_eq!(timeless(ask(&store, &scope, term("heron"), 100).await), first);
    assert_eq!(timeless(ask_later(&store, &scope, term("heron"), (100, seen)).await), first);
}

/// What is found, without the moment of the store, which no answer carries.
fn timeless(found: SearchMatches) -> SearchMatches {
    SearchMatches { as_of: ChangeNo(0), ..found }
}
