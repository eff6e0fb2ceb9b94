//! Connections: found again by name, changed by a new declaration, erased whole.

use std::sync::Arc;

use pdpp_contract::declaration::{FieldKind, RangeOperator};
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ConnectionId, ConnectionName, SourceDeclaration};

use super::sample::{Account, SAMPLE, declaration, field_name, found, new, sample, time};
use super::{Ask, CaseTable, cases, equals, range};
use pdpp_store::Store;
use pdpp_store::connections::ConnectionRef;
use pdpp_store::error::StoreError;
use pdpp_store::scope::ReadScope;

const NOW: &str = "2026-06-01T00:00:00Z";

pub(super) const CASES: CaseTable = cases![
    a_connection_is_found_again_by_its_name,
    a_name_of_another_kind_of_source_is_a_conflict,
    an_id_that_is_taken_is_a_conflict,
    only_the_asked_connections_are_listed,
    a_label_changes_and_stays,
    a_new_declaration_derives_typed_copies_of_old_records,
    a_field_can_change_its_kind,
    keys_are_made_of_the_same_fields_for_ever,
    a_dropped_stream_keeps_its_records,
    a_declaration_can_be_read_again,
    a_removed_connection_is_gone_with_everything,
    removed_numbers_are_not_used_again,
];

async fn a_connection_is_found_again_by_its_name(store: Arc<dyn Store>) {
    let first = store.ensure_connection(new("work", sample())).await.unwrap();
    let mut again = new("work", sample());
    again.id = ConnectionId::new("cin_other").unwrap();
    again.now = time(NOW);
    let second = store.ensure_connection(again).await.unwrap();
    assert_eq!(first, second, "neither the id nor the date of creation changes");
    let names: Vec<&str> = first.streams.iter().map(|stream| stream.name.as_str()).collect();
    assert_eq!(names, ["letters", "log", "notes", "pairs", "titles"], "by name");
    let by_id = ConnectionRef::Id(first.id.clone());
    let by_name = ConnectionRef::Name(ConnectionName::new("work").unwrap());
    for which in [by_id, by_name] {
        assert_eq!(store.find_connection(&which).await.unwrap().as_ref(), Some(&first));
    }
    let nobody = ConnectionRef::Name(ConnectionName::new("nobody").unwrap());
    assert_eq!(store.find_connection(&nobody).await.unwrap(), None);
}

fn another_kind() -> SourceDeclaration {
    declaration(&SAMPLE.replace("/connectors/sample", "/connectors/other"))
}

async fn a_name_of_another_kind_of_source_is_a_conflict(store: Arc<dyn Store>) {
    let first = store.ensure_connection(new("work", sample())).await.unwrap();
    let refused = store.ensure_connection(new("work", another_kind())).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(store.list_connections().await.unwrap(), [first], "nothing was changed");
    store.ensure_connection(new("play", another_kind())).await.unwrap();
}

async fn an_id_that_is_taken_is_a_conflict(store: Arc<dyn Store>) {
    let first = store.ensure_connection(new("work", sample())).await.unwrap();
    let mut other = new("play", sample());
    other.id = first.id.clone();
    let refused = store.ensure_connection(other).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(store.list_connections().await.unwrap(), [first]);
}

async fn only_the_asked_connections_are_listed(store: Arc<dyn Store>) {
    for name in ["c", "a", "b"] {
        let account = Account::open(&store, name).await;
        account.put("notes", &[r#"{"id":"1"}"#, r#"{"id":"2"}"#]).await;
        account.delete("notes", "1").await;
    }
    let id = |name: &str| ConnectionId::new(format!("cin_{name}")).unwrap();
    let asked = [id("c"), id("nobody"), id("a"), id("c")];
    let listed = store.connections(&asked).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["a", "c"], "in the order of their ids, each once, no other");
    assert!(store.connections(&[]).await.unwrap().is_empty());
    let all = store.list_connections().await.unwrap();
    let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let notes = all[0].streams.iter().find(|stream| stream.name.as_str() == "notes");
    assert_eq!(notes.map(|stream| stream.record_count), Some(1));
}

async fn a_label_changes_and_stays(store: Arc<dyn Store>) {
    let label = |text: &str| Some(DisplayName::new(text).unwrap());
    let mut work = new("work", sample());
    work.display_name = label("Work");
    let first = store.ensure_connection(work.clone()).await.unwrap();
    assert_eq!(first.display_name, label("Work"));
    work.display_name = None;
    let kept = store.ensure_connection(work.clone()).await.unwrap();
    assert_eq!(kept.display_name, label("Work"), "no label leaves the old one");
    work.display_name = label("Office");
    assert_eq!(store.ensure_connection(work).await.unwrap().display_name, label("Office"));
    assert!(store.rename_connection(&first.id, None).await.unwrap());
    let nobody = ConnectionId::new("cin_nobody").unwrap();
    assert!(!store.rename_connection(&nobody, label("x")).await.unwrap());
    assert_eq!(store.list_connections().await.unwrap()[0].display_name, None);
}

async fn a_new_declaration_derives_typed_copies_of_old_records(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    let long = "t".repeat(9_000);
    let record = |n: u32| {
        let title = if n == 3 { long.clone() } else { format!("t{n}") };
        format!(r#"{{"id":"{n}","rate":{}.5,"seen":"2026-01-0{}","title":"{title}"}}"#, 9 - n, n)
    };
    for account in [&a, &b] {
        account.put("notes", &(1..=4).map(record).collect::<Vec<_>>()).await;
    }
    a.put_with_codes("notes", r#"{"id":"5"}"#).await;
    let before = found(&store, &a.scope("notes"), "2").await.unwrap();
    Ask::by("rate").gives(&store, &a.scope("notes"), &["1", "2", "3", "4", "5"]).await;
    let mut later = sample();
    let all = vec![RangeOperator::Gte, RangeOperator::Gt, RangeOperator::Lte, RangeOperator::Lt];
    later.streams[0].query.range_filters.insert(field_name("rate"), all.clone());
    later.streams[0].query.range_filters.insert(field_name("seen"), all);
    later.streams[0].query.aggregations.group_by.push(field_name("title"));
    let changed = Account::declared(&store, "a", later).await;
    let scope = changed.scope("notes");
    Ask::by("rate").gives(&store, &scope, &["4", "3", "2", "1", "5"]).await;
    Ask::by("seen").descending().gives(&store, &scope, &["4", "3", "2", "1", "5"]).await;
    let rate = range(FieldKind::Number, "rate", RangeOperator::Lt, "6.50");
    Ask::by("rate").only(rate).gives(&store, &scope, &["4"]).await;
    let title = |text: &str| Ask::by("at").only(equals(FieldKind::String, "title", text));
    title("t2").gives(&store, &scope, &["2"]).await;
    title(&long).gives(&store, &scope, &["3"]).await;
    let mut careful = changed.all("notes");
    careful.leave_out_codes = true;
    Ask::by("rate").gives(&store, &super::sample::one(careful), &["4", "3", "2", "1"]).await;
    let after = found(&store, &scope, "2").await.unwrap();
    assert_eq!(before[0].record_no, after[0].record_no);
    assert_eq!(before[0].emitted_at, after[0].emitted_at);
    Ask::by("rate").gives(&store, &b.scope("notes"), &["1", "2", "3", "4"]).await;
    changed.put("notes", &[record(6)]).await;
    Ask::by("rate").gives(&store, &scope, &["6", "4", "3", "2", "1", "5"]).await;
    let back = Account::open(&store, "a").await;
    Ask::by("count").gives(&store, &back.scope("notes"), &["1", "2", "3", "4", "5", "6"]).await;
}

async fn a_field_can_change_its_kind(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let titles = ["2026-01-02", "2026-01-01T23:00:00-02:00", "not a time"];
    let record = |(n, title): (usize, &&str)| format!(r#"{{"id":"{n}","title":"{title}"}}"#);
    account.put("titles", &titles.iter().enumerate().map(record).collect::<Vec<_>>()).await;
    Ask::by("title").gives(&store, &account.scope("titles"), &["1", "0", "2"]).await;
    let mut later = sample();
    later.streams[1].schema["properties"]["title"]["format"] = "date-time".into();
    let later = Account::declared(&store, "a", later).await;
    Ask::by("title").gives(&store, &later.scope("titles"), &["0", "1", "2"]).await;
}

async fn keys_are_made_of_the_same_fields_for_ever(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let keyed_by = |fields: &[&str]| {
        let mut other = sample();
        let titles = other.streams.iter_mut().find(|stream| stream.name.as_str() == "titles");
        titles.unwrap().primary_key = fields.iter().map(|name| field_name(name)).collect();
        other
    };
    // Nothing is stored yet: the key may still change.
    Account::declared(&store, "a", keyed_by(&["id", "kind"])).await;
    let account = Account::open(&account.store, "a").await;
    account.put("titles", &[r#"{"id":"1","title":"t","kind":"k"}"#]).await;
    let named = ConnectionRef::Name(ConnectionName::new("a").unwrap());
    let before = store.find_connection(&named).await.unwrap();
    let refused = store.ensure_connection(new("a", keyed_by(&["id", "kind"]))).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(store.find_connection(&named).await.unwrap(), before);
    // Also when the record is gone: its id may still stand in somebody's copy.
    account.delete("titles", "1").await;
    assert!(store.ensure_connection(new("a", keyed_by(&["id", "kind"]))).await.is_err());
}

async fn a_dropped_stream_keeps_its_records(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("titles", &[r#"{"id":"1","title":"t"}"#]).await;
    let titles = account.scope("titles");
    let mut fewer = sample();
    fewer.streams.retain(|stream| stream.name.as_str() != "titles");
    Account::declared(&store, "a", fewer).await;
    Ask::by("title").gives(&store, &titles, &["1"]).await;
    let again = Account::open(&store, "a").await;
    again.put("titles", &[r#"{"id":"2","title":"s"}"#]).await;
    Ask::by("title").gives(&store, &titles, &["2", "1"]).await;
}

async fn a_declaration_can_be_read_again(store: Arc<dyn Store>) {
    let connection = store.ensure_connection(new("a", sample())).await.unwrap();
    let json = store.declaration(connection.declaration).await.unwrap().unwrap();
    assert_eq!(declaration(&json).to_canonical_json(), sample().to_canonical_json());
    let changed = store.ensure_connection(new("b", another_kind())).await.unwrap();
    assert_ne!(connection.declaration, changed.declaration);
    let unknown = pdpp_store::connections::DeclarationDigest([0; 32]);
    assert_eq!(store.declaration(unknown).await.unwrap(), None);
}

async fn a_removed_connection_is_gone_with_everything(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    let body = "x".repeat(9_000);
    for account in [&a, &b] {
        let long = format!(r#"{{"id":"1","body":"{body}","parts":{{"p":"{body}"}}}}"#);
        account.put("notes", &[long.as_str(), r#"{"id":"2"}"#, r#"{"id":"3"}"#]).await;
        account.put("titles", &[r#"{"id":"1","title":"t"}"#]).await;
        account.delete("notes", "3").await;
    }
    let erased = store.remove_connection(&a.id, time(NOW)).await.unwrap().unwrap();
    assert_eq!((erased.id.clone(), erased.name.as_str(), erased.records), (a.id.clone(), "a", 3));
    assert!(erased.texts >= 2, "the long body and the long parts: {erased:?}");
    assert_eq!(store.remove_connection(&a.id, time(NOW)).await.unwrap(), None);
    assert!(Ask::by("at").ids(&store, &a.scope("notes")).await.is_empty());
    assert!(found(&store, &a.scope("notes"), "1").await.unwrap().is_empty());
    Ask::by("at").gives(&store, &b.scope("notes"), &["1", "2"]).await;
    let report = store.verify().await.unwrap();
    assert_eq!((report.connections, report.records), (1, 3));
    // The name is free again, also for another kind of source.
    let again = Account::declared(&store, "a", another_kind()).await;
    Ask::by("at").gives(&store, &again.scope("notes"), &[]).await;
}

async fn removed_numbers_are_not_used_again(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    a.put("notes", &[r#"{"id":"1","at":"2026-01-01"}"#, r#"{"id":"2","at":"2026-01-02"}"#]).await;
    let page = Ask::by("at").limit(1).page(&store, &a.scope("notes"), None).await;
    let highest = found(&store, &a.scope("notes"), "2").await.unwrap()[0].record_no;
    store.remove_connection(&a.id, time(NOW)).await.unwrap();
    let again = Account::open(&store, "a").await;
    again
        .put("notes", &[r#"{"id":"1","at":"2026-01-01"}"#, r#"{"id":"2","at":"2026-01-02"}"#])
        .await;
    b.put("notes", &[r#"{"id":"1"}"#]).await;
    let scope = ReadScope::new(vec![again.all("notes"), b.all("notes")]);
    for record in Ask::by("at").records(&store, &scope).await {
        assert!(record.record_no > highest, "a number came back");
    }
    let query = Ask::by("at").query(&again.scope("notes"), page.last);
    let stale = store.list_records(&again.scope("notes"), query).await.unwrap();
    assert!(stale.is_none(), "a place of the removed connection leads nowhere");
}
