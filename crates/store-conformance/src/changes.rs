//! The change log: what a follower receives, what stays hidden, what pruning takes.

use std::sync::Arc;

use pdpp_contract::RecordId;

use super::sample::{Account, between, fields, ids, one};
use super::{CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::changes::{ChangePage, Changes, ChangesQuery, Known, RecordChange, Resume};
use pdpp_store::scope::ReadScope;
use pdpp_store::{ChangeNo, RecordNo};

pub(super) const CASES: CaseTable = cases![
    each_record_comes_once_at_its_last_change,
    a_record_that_leaves_is_reported_gone,
    a_hidden_change_is_no_change,
    changes_of_a_hidden_record_never_show,
    long_hidden_runs_lie_between_what_shows,
    one_number_stands_for_all_connections,
    pages_go_on_within_their_horizon,
    pruning_leaves_the_answer_from_the_beginning_alone,
    pruning_expires_only_what_it_took_something_from,
    a_number_from_the_future_is_expired,
];

fn query(known: Known, resume: Option<Resume>, limit: usize) -> ChangesQuery {
    ChangesQuery {
        collections: Vec::new(),
        known,
        resume,
        limit,
        max_bytes: usize::MAX,
        preview_chars: 0,
        fields: None,
    }
}

async fn page(store: &Arc<dyn Store>, scope: &ReadScope, query: ChangesQuery) -> ChangePage {
    match store.changes(scope, query).await.unwrap() {
        Changes::Page(page) => page,
        Changes::Expired => panic!("the log does not reach back"),
    }
}

/// The ids of a page, `-` before those that are gone.
fn shown(page: &ChangePage) -> Vec<String> {
    let short = |change: &RecordChange| match change {
        RecordChange::Present(record) => record.id.to_string(),
        RecordChange::Gone(departed) => format!("-{}", departed.id),
    };
    page.changes.iter().map(short).collect()
}

/// The records of a page, whatever became of them, with their numbers.
fn numbers(page: &ChangePage) -> Vec<(RecordId, RecordNo)> {
    let number = |change: &RecordChange| match change {
        RecordChange::Present(record) => (record.id.clone(), record.record_no),
        RecordChange::Gone(departed) => (departed.id.clone(), departed.record_no),
    };
    page.changes.iter().map(number).collect()
}

/// Everything since a point, at every page size.
async fn since(store: &Arc<dyn Store>, scope: &ReadScope, known: Known) -> (Vec<String>, Known) {
    let whole = page(store, scope, query(known, None, 100)).await;
    assert!(!whole.has_more);
    let expected = shown(&whole);
    for limit in 1..=expected.len() {
        let (mut all, mut resume) = (Vec::new(), None);
        loop {
            let part = page(store, scope, query(known, resume, limit)).await;
            assert!(part.changes.len() <= limit);
            all.extend(shown(&part));
            if !part.has_more {
                break;
            }
            resume = Some(Resume { after: part.last.unwrap(), horizon: part.horizon });
        }
        assert_eq!(all, expected, "pages of {limit}");
    }
    (expected, Known::up_to(whole.horizon))
}

fn note(id: &str, day: u32, title: &str, secret: &str) -> String {
    format!(r#"{{"id":"{id}","at":"2026-01-{day:02}","title":"{title}","secret":"{secret}"}}"#)
}

/// The first half of January, without the secret.
fn narrow(account: &Account) -> ReadScope {
    let mut collection = account.all("notes");
    collection.fields = fields(&["id", "at", "title"]);
    collection.time = between("at", "2026-01-01", "2026-01-15");
    collection.leave_out_codes = true;
    one(collection)
}

async fn each_record_comes_once_at_its_last_change(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = account.scope("notes");
    assert_eq!(since(&store, &scope, Known::default()).await.0, Vec::<String>::new());
    account.put("notes", &["1", "2", "3"].map(|id| note(id, 1, "t", "-"))).await;
    account.put("notes", &[note("1", 1, "u", "-")]).await;
    let (all, known) = since(&store, &scope, Known::default()).await;
    assert_eq!(all, ["2", "3", "1"]);
    assert_eq!(since(&store, &scope, known).await, (vec![], known));
    account.put("notes", &[note("2", 1, "u", "-"), note("4", 1, "u", "-")]).await;
    assert_eq!(since(&store, &scope, known).await.0, ["2", "4"]);
}

async fn a_record_that_leaves_is_reported_gone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = narrow(&account);
    account.put("notes", &["1", "2", "3"].map(|id| note(id, 1, "t", "-"))).await;
    let there = numbers(&page(&store, &scope, query(Known::default(), None, 100)).await);
    let (_, known) = since(&store, &scope, Known::default()).await;
    account.delete("notes", "1").await;
    account.put("notes", &[note("2", 20, "t", "-")]).await;
    account.put_with_codes("notes", &note("3", 1, "t", "-")).await;
    account.put("notes", &[note("4", 1, "t", "-")]).await;
    account.delete("notes", "4").await;
    let left = numbers(&page(&store, &scope, query(known, None, 100)).await);
    assert_eq!(left, there, "each keeps the number it had");
    let (changes, later) = since(&store, &scope, known).await;
    assert_eq!(changes, ["-1", "-2", "-3"], "a record that came and went is no news");
    assert_eq!(since(&store, &scope, Known::default()).await.0, Vec::<String>::new());
    account.put("notes", &[note("1", 1, "t", "-")]).await;
    assert_eq!(since(&store, &scope, later).await.0, ["1"]);
}

async fn a_hidden_change_is_no_change(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = narrow(&account);
    account.put("notes", &["1", "2"].map(|id| note(id, 1, "t", "-"))).await;
    let (all, known) = since(&store, &scope, Known::default()).await;
    account.put("notes", &[note("1", 1, "t", "changed")]).await;
    assert_eq!(since(&store, &scope, known).await, (vec![], known));
    assert_eq!(since(&store, &scope, Known::default()).await, (all, known), "nor a new place");
}

async fn changes_of_a_hidden_record_never_show(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = narrow(&account);
    let mut only = account.all("notes");
    only.records = ids(&["1"]);
    let only = one(only);
    account.put("notes", &[note("1", 1, "t", "-")]).await;
    let (_, known) = since(&store, &scope, Known::default()).await;
    for title in ["t", "u"] {
        account.put("notes", &[note("2", 20, title, "-")]).await;
        account.put_with_codes("notes", &note("3", 1, title, "-")).await;
    }
    account.delete("notes", "2").await;
    account.delete("notes", "3").await;
    assert_eq!(since(&store, &scope, known).await, (vec![], known));
    assert_eq!(since(&store, &only, known).await, (vec![], known));
}

async fn long_hidden_runs_lie_between_what_shows(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = narrow(&account);
    account.put("notes", &["1", "2"].map(|id| note(id, 1, "t", "-"))).await;
    // Hidden by its time, by its codes, by its field: more of each than is read at once.
    for round in 0..3 {
        let outside: Vec<String> =
            (0..70).map(|n| note(&format!("o{n}"), 20, &format!("{round}"), "-")).collect();
        account.put("notes", &outside).await;
        account.put_with_codes("notes", &note("c", 1, &format!("{round}"), "-")).await;
        for n in 0..70 {
            account.put("notes", &[note("1", 1, "t", &format!("{round}.{n}"))]).await;
        }
        account.put("notes", &[note(&format!("v{round}"), 1, "t", "-")]).await;
    }
    let (all, known) = since(&store, &scope, Known::default()).await;
    assert_eq!(all, ["1", "2", "v0", "v1", "v2"]);
    account.put("notes", &[note("o3", 1, "back", "-"), note("o4", 20, "still", "-")]).await;
    let (later, known) = since(&store, &scope, known).await;
    assert_eq!(later, ["o3"], "what comes into view shows, beside what does not");
    account.put("notes", &[note("o3", 20, "back", "-")]).await;
    assert_eq!(since(&store, &scope, known).await.0, ["-o3"]);
}

async fn one_number_stands_for_all_connections(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    let both = ReadScope::new(vec![a.all("notes"), b.all("notes")]);
    for (account, id) in [(&a, "1"), (&b, "2"), (&a, "3"), (&b, "4")] {
        account.put("notes", &[note(id, 1, "t", "-")]).await;
    }
    let (all, known) = since(&store, &both, Known::default()).await;
    assert_eq!(all, ["1", "2", "3", "4"]);
    b.put("notes", &[note("2", 1, "u", "-")]).await;
    a.delete("notes", "1").await;
    assert_eq!(since(&store, &both, known).await.0, ["2", "-1"]);
}

async fn pages_go_on_within_their_horizon(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scope = account.scope("notes");
    account.put("notes", &["1", "2", "3", "4"].map(|id| note(id, 1, "t", "-"))).await;
    let first = page(&store, &scope, query(Known::default(), None, 1)).await;
    let resume = Resume { after: first.last.unwrap(), horizon: first.horizon };
    account.put("notes", &[note("3", 1, "u", "-"), note("5", 1, "u", "-")]).await;
    let rest = page(&store, &scope, query(Known::default(), Some(resume), 9)).await;
    assert_eq!(shown(&rest), ["2", "4"], "what changed again comes with the next session");
    assert_eq!(rest.horizon, first.horizon);
    assert_eq!(since(&store, &scope, Known::up_to(rest.horizon)).await.0, ["3", "5"]);
}

async fn pruning_leaves_the_answer_from_the_beginning_alone(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let scopes = [narrow(&account), account.scope("notes")];
    for round in 0..6 {
        let title = ["t", "u", "t"][round % 3];
        for (id, day) in [("1", 1), ("2", 1 + 19 * u32::from(round % 2 == 0)), ("3", 2)] {
            account.put("notes", &[note(id, day, title, &round.to_string())]).await;
        }
        account.delete("notes", "3").await;
    }
    for scope in &scopes {
        let before = since(&store, scope, Known::default()).await;
        let newest = store.newest_change().await.unwrap();
        store.prune_versions(newest).await.unwrap();
        let after = since(&store, scope, Known::default()).await;
        assert_eq!((after.0, after.1.change_no), (before.0, before.1.change_no));
        assert_eq!(since(&store, scope, after.1).await, (vec![], after.1), "it is no loss later");
    }
}

async fn pruning_expires_only_what_it_took_something_from(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let (narrow, wide) = (narrow(&account), account.scope("notes"));
    account.put("notes", &[note("1", 1, "t", "-"), note("2", 20, "t", "-")]).await;
    let (_, narrow_known) = since(&store, &narrow, Known::default()).await;
    let (_, wide_known) = since(&store, &wide, Known::default()).await;
    for secret in ["x", "y", "z"] {
        account.put("notes", &[note("1", 1, "t", secret), note("2", 20, secret, "-")]).await;
    }
    let newest = store.newest_change().await.unwrap();
    assert_eq!(store.prune_versions(ChangeNo::NONE).await.unwrap(), 0);
    assert_eq!(store.prune_versions(newest).await.unwrap(), 4);
    assert_eq!(since(&store, &narrow, narrow_known).await.0, Vec::<String>::new());
    let answer = store.changes(&wide, query(wide_known, None, 9)).await.unwrap();
    assert!(matches!(answer, Changes::Expired));
}

async fn a_number_from_the_future_is_expired(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let known = Known::up_to(ChangeNo(1));
    let answer = store.changes(&account.scope("notes"), query(known, None, 9)).await.unwrap();
    assert!(matches!(answer, Changes::Expired), "the store was put back to an older state");
}
