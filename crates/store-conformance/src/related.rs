//! Related records: one page per group, each within the scope, and what is left out is stated.

use std::sync::Arc;

use pdpp_contract::declaration::FieldKind;

use super::ask::equals;
use super::cases;
use super::sample::{Account, between, field_name, fields, ids, one, record_id};
use pdpp_store::Store;
use pdpp_store::related::{FindRelated, RelatedGroup, RelatedPage, RelatedQuery};
use pdpp_store::scope::ReadScope;

pub(super) const CASES: super::CaseTable = cases![
    groups_answer_in_their_order,
    related_records_keep_within_the_scope,
    a_full_answer_says_what_it_left_out,
];

fn by_kind(kind: &str, limit: usize) -> RelatedGroup {
    let condition = equals(FieldKind::String, "kind", kind);
    let order_field = Some(field_name("at"));
    let find = FindRelated::ByKey { condition, order_field, limit };
    RelatedGroup { collection: 0, find }
}

fn by_id(collection: usize, id: &str) -> RelatedGroup {
    RelatedGroup { collection, find: FindRelated::ById(record_id(id)) }
}

fn query(groups: Vec<RelatedGroup>) -> RelatedQuery {
    RelatedQuery { groups, max_records: 100, max_bytes: usize::MAX, preview_chars: 5 }
}

async fn ask(store: &Arc<dyn Store>, scope: &ReadScope, query: RelatedQuery) -> Vec<RelatedPage> {
    store.related_records(scope, query).await.unwrap()
}

fn shown(pages: &[RelatedPage]) -> Vec<(Vec<String>, bool)> {
    let ids = |page: &RelatedPage| page.records.iter().map(|one| one.id.to_string()).collect();
    pages.iter().map(|page| (ids(page), page.has_more)).collect()
}

async fn filled(store: &Arc<dyn Store>) -> Account {
    let account = Account::open(store, "a").await;
    let long = "x".repeat(9_000);
    let mut records = Vec::new();
    for day in 1..=5 {
        let record =
            format!(r#"{{"id":"r{day}","at":"2026-01-0{day}","kind":"red","secret":"s"}}"#);
        records.push(record);
    }
    records.push(format!(r#"{{"id":"b1","at":"2026-01-09","kind":"blue","body":"{long}"}}"#));
    account.put("notes", &records).await;
    account.put_with_codes("notes", r#"{"id":"r9","at":"2026-01-08","kind":"red"}"#).await;
    account.put("titles", &[r#"{"id":"t","title":"T"}"#]).await;
    // The same keys in another connection belong to nobody here.
    let other = Account::open(store, "b").await;
    other.put("notes", &[r#"{"id":"r7","at":"2026-01-07","kind":"red"}"#]).await;
    account
}

async fn groups_answer_in_their_order(store: Arc<dyn Store>) {
    let account = filled(&store).await;
    let scope = ReadScope::new(vec![account.all("notes"), account.all("titles")]);
    let groups = vec![
        by_id(1, "t"),
        by_kind("red", 2),
        by_kind("green", 2),
        by_id(0, "b1"),
        by_id(0, "nobody"),
        by_kind("red", 9),
    ];
    let pages = ask(&store, &scope, query(groups)).await;
    let text = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        shown(&pages),
        [
            (text(&["t"]), false),
            (text(&["r9", "r5"]), true),
            (text(&[]), false),
            (text(&["b1"]), false),
            (text(&[]), false),
            (text(&["r9", "r5", "r4", "r3", "r2", "r1"]), false),
        ]
    );
    assert_eq!(pages[3].records[0].long[0].preview, "xxxxx", "long fields as beginnings");
    assert_eq!(pages[0].records[0].collection, 1);
    assert!(pages.iter().all(|page| !page.reduced));
}

async fn related_records_keep_within_the_scope(store: Arc<dyn Store>) {
    let account = filled(&store).await;
    let mut narrow = account.all("notes");
    narrow.fields = fields(&["id", "kind"]);
    narrow.time = between("at", "2026-01-02", "2026-01-05");
    let pages = ask(&store, &one(narrow), query(vec![by_kind("red", 9), by_id(0, "r1")])).await;
    assert_eq!(shown(&pages)[0], (["r4", "r3", "r2"].map(str::to_owned).to_vec(), false));
    assert_eq!(shown(&pages)[1].0, Vec::<String>::new(), "outside the time limit");
    let names: Vec<_> = pages[0].records[0].data.keys().cloned().collect();
    assert_eq!(names, ["id", "kind"], "only the fields of the scope");
    let mut uncoded = account.all("notes");
    uncoded.leave_out_codes = true;
    let pages = ask(&store, &one(uncoded), query(vec![by_kind("red", 1), by_id(0, "r9")])).await;
    assert_eq!(shown(&pages)[0], (vec!["r5".to_owned()], true));
    assert_eq!(shown(&pages)[1].0, Vec::<String>::new());
    let mut listed = account.all("notes");
    listed.records = ids(&["r2"]);
    let pages = ask(&store, &one(listed), query(vec![by_kind("red", 9)])).await;
    assert_eq!(shown(&pages)[0], (vec!["r2".to_owned()], false));
}

async fn a_full_answer_says_what_it_left_out(store: Arc<dyn Store>) {
    let account = filled(&store).await;
    let scope = account.scope("notes");
    let groups = || vec![by_kind("red", 4), by_kind("red", 4), by_kind("green", 4), by_id(0, "b1")];
    for (max_records, max_bytes) in [(5, usize::MAX), (100, 200)] {
        let full = RelatedQuery { max_records, max_bytes, ..query(groups()) };
        let pages = ask(&store, &scope, full).await;
        let told: Vec<_> = pages.iter().map(|page| (page.has_more, page.reduced)).collect();
        assert_eq!(told, [(true, false), (true, true), (false, false), (false, false)]);
        assert_eq!(pages[0].records.len(), 4);
        assert!(pages[1].records.len() < 4);
        assert_eq!(pages[3].records.len(), 1, "a record by its id is never left out");
    }
}
