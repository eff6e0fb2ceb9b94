//! Measures per group, and groups page by page.

use std::sync::Arc;

use pdpp_contract::aggregate::Granularity;

use super::aggregate::{Asked, ask, measured, shown};
use super::sample::{Account, fields};
use super::{CaseTable, cases};
use pdpp_store::Store;
use pdpp_store::aggregate::Measure;
use pdpp_store::scope::ReadScope;

pub(super) const CASES: CaseTable = cases![
    every_measure_is_computed_per_group,
    values_and_times_make_groups_together,
    groups_of_several_connections_are_one,
    every_group_is_on_one_page,
    a_page_goes_on_after_the_same_group,
];

async fn spending(store: &Arc<dyn Store>) -> Account {
    let account = Account::open(store, "a").await;
    let record = |(id, (kind, day, amount)): (usize, (&str, &str, &str))| {
        format!(r#"{{"id":"{id}","kind":{kind},"at":"{day}T12:00:00Z","amount":{amount}}}"#)
    };
    let rows = [
        (r#""food""#, "2026-01-03", "0.1"),
        (r#""food""#, "2026-01-04", "0.2"),
        (r#""food""#, "2026-02-01", "10"),
        (r#""rent""#, "2026-01-01", "500.00"),
        (r#""rent""#, "2026-02-01", "500"),
        (r#""gift""#, "2026-02-02", "null"),
        ("null", "2026-02-03", "7"),
    ];
    let records: Vec<String> = rows.into_iter().enumerate().map(record).collect();
    account.put("notes", &records).await;
    account
}

async fn every_measure_is_computed_per_group(store: Arc<dyn Store>) {
    let account = spending(&store).await;
    let scope = account.scope("notes");
    for (measure, expected, total) in [
        (Measure::Sum, r#""rent"=1000 "food"=10.3 null=7 "gift"=0"#, "1017.3"),
        (Measure::Mean, r#""rent"=500 null=7 "food"=3.4333333333333333333 "gift"=null"#, "169.55"),
        (Measure::Least, r#""food"=0.1 null=7 "rent"=500.00 "gift"=null"#, "0.1"),
        (Measure::Greatest, r#""rent"=500.00 "food"=10 null=7 "gift"=null"#, "500.00"),
        (Measure::Distinct, r#""food"=3 "rent"=1 null=1 "gift"=0"#, "5"),
    ] {
        let asked = Asked::of(measure, "amount").by("kind");
        assert_eq!(measured(&store, &scope, asked.clone()).await, expected, "{measure:?}");
        let found = ask(&store, &scope, &asked, &[]).await;
        assert_eq!(found.value.unwrap().to_canonical(), total, "{measure:?}");
        assert_eq!((found.records, found.groups.unwrap().group_count), (7, 4));
    }
}

async fn values_and_times_make_groups_together(store: Arc<dyn Store>) {
    let account = spending(&store).await;
    let scope = account.scope("notes");
    let counts = Asked::count().by("kind").per("at", Granularity::Month, "UTC");
    assert_eq!(
        measured(&store, &scope, counts).await,
        r#""2026-01-01"/"food"=2 "2026-01-01"/"rent"=1 "2026-02-01"/"food"=1 "#.to_owned()
            + r#""2026-02-01"/"gift"=1 "2026-02-01"/"rent"=1 "2026-02-01"/null=1"#
    );
    let sums = Asked::of(Measure::Sum, "amount").per("at", Granularity::Month, "UTC");
    let expected = r#""2026-01-01"=500.3 "2026-02-01"=517"#;
    assert_eq!(measured(&store, &scope, sums).await, expected);
}

async fn groups_of_several_connections_are_one(store: Arc<dyn Store>) {
    let account = spending(&store).await;
    let other = Account::open(&store, "b").await;
    let hidden = Account::open(&store, "c").await;
    for account in [&other, &hidden] {
        let record = r#"{"id":"1","kind":"food","at":"2026-01-09T00:00:00Z","amount":4}"#;
        account.put("notes", &[record]).await;
    }
    let mut narrow = hidden.all("notes");
    narrow.fields = fields(&["id", "kind"]);
    let scope = ReadScope::new(vec![account.all("notes"), other.all("notes"), narrow]);
    let sums = Asked::of(Measure::Sum, "amount").by("kind");
    let found = ask(&store, &scope, &sums, &[]).await;
    let food = found
        .groups
        .unwrap()
        .groups
        .into_iter()
        .find(|group| group.key.as_ref().is_some_and(|key| key.to_canonical() == r#""food""#));
    let food = food.unwrap();
    assert_eq!((food.records, shown(&food).as_str()), (5, r#""food"=14.3"#));
    assert_eq!(found.value.unwrap().to_canonical(), "1021.3");
}

/// Every group, in the order of the pages.
async fn paged(store: &Arc<dyn Store>, scope: &ReadScope, mut asked: Asked) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        let page = ask(store, scope, &asked, &[]).await.groups.unwrap();
        assert!(page.groups.len() <= asked.most);
        all.extend(page.groups.iter().map(shown));
        match page.next {
            Some(next) => asked.after = Some(next),
            None => {
                assert_eq!(page.group_count, all.len() as u64);
                return all;
            }
        }
    }
}

async fn every_group_is_on_one_page(store: Arc<dyn Store>) {
    let account = spending(&store).await;
    let scope = account.scope("notes");
    for asked in [
        Asked::count().by("kind"),
        Asked::count().per("at", Granularity::Day, "UTC"),
        Asked::count().by("kind").per("at", Granularity::Day, "Europe/Berlin"),
        Asked::of(Measure::Sum, "amount").by("kind"),
    ] {
        let whole = paged(&store, &scope, asked.clone()).await;
        for most in 1..4 {
            assert_eq!(paged(&store, &scope, Asked { most, ..asked.clone() }).await, whole);
        }
    }
}

async fn a_page_goes_on_after_the_same_group(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |id: &str, kind: &str| format!(r#"{{"id":"{id}","kind":"{kind}"}}"#);
    let start = [record("1", "a"), record("2", "b"), record("3", "c"), record("4", "d")];
    account.put("notes", &start).await;
    let scope = account.scope("notes");
    let asked = Asked { most: 2, ..Asked::count().by("kind") };
    let first = ask(&store, &scope, &asked, &[]).await.groups.unwrap();
    let next = Asked { after: first.next, ..asked };
    // A group that comes to stand before the page moves it, and nothing is shown twice.
    account.put("notes", &[record("5", "e"), record("6", "e")]).await;
    assert_eq!(measured(&store, &scope, next.clone()).await, r#""c"=1 "d"=1"#);
    // The group that the page ended with is gone: it goes on from the same position.
    account.delete("notes", "2").await;
    assert_eq!(measured(&store, &scope, next).await, r#""c"=1 "d"=1"#);
}
