//! Several collections in one order, with one place to continue after.

use std::sync::Arc;

use super::super::Ask;
use super::super::sample::{Account, between, fields, sample};
use super::tied;
use pdpp_store::RecordNo;
use pdpp_store::Store;
use pdpp_store::scope::ReadScope;

pub(super) async fn three_connections_merge_into_one_order(store: Arc<dyn Store>) {
    let mut collections = Vec::new();
    for (turn, name) in ["c", "a", "b"].iter().enumerate() {
        let account = Account::open(&store, name).await;
        let record = |n: usize| {
            format!(r#"{{"id":"{name}{n}","at":"2026-01-01T00:00:{:02}Z"}}"#, n * 3 + turn)
        };
        account.put("notes", &(0..8).map(record).collect::<Vec<_>>()).await;
        account.put("notes", &[format!(r#"{{"id":"m{turn}"}}"#)]).await;
        collections.push(account.all("notes"));
    }
    let scope = ReadScope::new(collections);
    let mut expected: Vec<String> =
        (0..24).map(|n| format!("{}{}", ["c", "a", "b"][n % 3], n / 3)).collect();
    expected.extend(["m0", "m1", "m2"].map(str::to_owned));
    for limit in 1..=28 {
        assert_eq!(Ask::by("at").limit(limit).ids(&store, &scope).await, expected, "{limit}");
    }
    expected.reverse();
    expected.rotate_left(3);
    for limit in 1..=28 {
        let ask = Ask::by("at").descending().limit(limit);
        assert_eq!(ask.ids(&store, &scope).await, expected, "{limit}, backwards");
    }
    assert_eq!(Ask::by("at").count(&store, &scope).await, 27);
}

pub(super) async fn ties_across_connections_page_without_loss(store: Arc<dyn Store>) {
    let mut collections = Vec::new();
    for name in ["b", "c", "a"] {
        let account = Account::open(&store, name).await;
        account.put("notes", &tied(6, 3)).await;
        account.put("notes", &[r#"{"id":"none"}"#]).await;
        collections.push(account.all("notes"));
    }
    let scope = ReadScope::new(collections);
    let keys = ["000", "001", "002", "003", "004", "005", "none"];
    let place = |key: &str| ["a", "b", "c"].map(|name| format!("cin_{name}/{key}"));
    let forwards: Vec<String> = keys.iter().flat_map(|key| place(key)).collect();
    // The direction turns values and keys; of equal keys the connection ids stay in their order.
    let turned = ["005", "004", "003", "002", "001", "000", "none"];
    let backwards: Vec<String> = turned.iter().flat_map(|key| place(key)).collect();
    for limit in 1..=22 {
        let ask = Ask::by("at").limit(limit);
        assert_eq!(ask.places(&store, &scope).await, forwards, "pages of {limit}");
        assert_eq!(ask.descending().places(&store, &scope).await, backwards, "pages of {limit}");
    }
}

pub(super) async fn streams_of_one_connection_merge_without_loss(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| format!(r#"{{"id":"{n}","at":"2026-01-01T00:00:00Z","text":"t"}}"#);
    let records: Vec<String> = (0..5).map(record).collect();
    account.put("notes", &records).await;
    account.put("log", &records).await;
    let scope = ReadScope::new(vec![account.all("notes"), account.all("log")]);
    let ids = ["0", "0", "1", "1", "2", "2", "3", "3", "4", "4"];
    for limit in 1..=11 {
        let ask = Ask::by("at").limit(limit);
        assert_eq!(ask.ids(&store, &scope).await, ids, "pages of {limit}");
        let seen = ask.descending().records(&store, &scope).await;
        let distinct: std::collections::BTreeSet<RecordNo> =
            seen.iter().map(|r| r.record_no).collect();
        assert_eq!((seen.len(), distinct.len()), (10, 10), "pages of {limit}, backwards");
    }
}

pub(super) async fn collections_can_lack_the_order_field(store: Arc<dyn Store>) {
    let with = Account::open(&store, "a").await;
    let mut bare = sample();
    bare.streams[0].cursor_field = None;
    bare.streams[0].consent_time_field = None;
    bare.streams[0].query.range_filters.clear();
    let without = Account::declared(&store, "b", bare).await;
    for account in [&with, &without] {
        account.put("notes", &tied(4, 2)).await;
    }
    let scope = ReadScope::new(vec![with.all("notes"), without.all("notes")]);
    let own = |n: u32| format!("cin_a/{n:03}");
    let other = |n: u32| format!("cin_b/{n:03}");
    let forwards: Vec<String> = (0..4).map(own).chain((0..4).map(other)).collect();
    let backwards: Vec<String> = (0..4).rev().map(own).chain((0..4).rev().map(other)).collect();
    for limit in 1..=9 {
        let ask = Ask::by("at").limit(limit);
        assert_eq!(ask.places(&store, &scope).await, forwards, "pages of {limit}");
        assert_eq!(ask.descending().places(&store, &scope).await, backwards, "pages of {limit}");
    }
}

pub(super) async fn merged_pages_respect_each_collection_s_limits(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    for account in [&a, &b] {
        account.put("notes", &tied(8, 2)).await;
    }
    let (mut early, mut narrow) = (a.all("notes"), b.all("notes"));
    early.time = between("at", "", "2026-01-01T02:00:00Z");
    narrow.fields = fields(&["id"]);
    narrow.records = super::super::sample::ids(&["001", "006"]);
    let scope = ReadScope::new(vec![early, narrow]);
    let expected = ["cin_a/000", "cin_a/001", "cin_b/001", "cin_a/002", "cin_a/003", "cin_b/006"];
    for limit in 1..=7 {
        let ask = Ask::by("at").limit(limit);
        assert_eq!(ask.places(&store, &scope).await, expected, "pages of {limit}");
    }
    assert_eq!(Ask::by("at").count(&store, &scope).await, 6);
    for record in Ask::by("at").records(&store, &scope).await {
        assert_eq!(record.data.contains_key("at"), record.connection == a.id);
    }
}
