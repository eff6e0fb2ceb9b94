//! Pages: one global order over all connections, nothing lost and nothing repeated.

mod merging;
mod moving;

use std::sync::Arc;

use pdpp_contract::declaration::{FieldKind, RangeOperator};

use super::sample::{Account, between, one};
use super::{Ask, CaseTable, cases, equals, range};
use pdpp_store::RecordNo;
use pdpp_store::Store;
use pdpp_store::records::PagePosition;
use pdpp_store::scope::ReadScope;

pub(super) const CASES: CaseTable = cases![
    equal_times_page_without_loss,
    equal_beginnings_of_text_page_without_loss,
    missing_values_page_without_loss,
    filtered_and_sorted_pages_reach_the_end,
    pages_in_a_time_limit_reach_the_end,
    compound_keys_page_without_loss,
    a_page_stops_at_its_bytes_but_holds_one_record,
    a_count_stops_at_its_bound,
    a_place_outside_the_scope_is_unknown,
    merging::three_connections_merge_into_one_order,
    merging::ties_across_connections_page_without_loss,
    merging::streams_of_one_connection_merge_without_loss,
    merging::collections_can_lack_the_order_field,
    merging::merged_pages_respect_each_collection_s_limits,
    moving::untouched_records_stay_while_others_come_and_go,
    moving::a_page_can_end_at_a_record_that_is_gone,
    moving::a_page_can_end_at_a_record_that_moved,
    moving::a_page_can_end_at_a_record_that_left_the_view,
    moving::pages_hold_under_a_running_writer,
];

/// `count` notes, `ties` of them at a time with the same instant in different spellings. They come
/// in another order than that of their keys, so that the order of arrival cannot pass for it.
pub(super) fn tied(count: u32, ties: u32) -> Vec<String> {
    let record = |n: u32| {
        let hour = n / ties;
        let at = match n % 3 {
            0 => format!("2026-01-01T{hour:02}:00:00Z"),
            1 => format!("2026-01-01T{hour:02}:00:00.000Z"),
            _ => format!("2026-01-01T{:02}:00:00+01:00", hour + 1),
        };
        format!(r#"{{"id":"{n:03}","at":"{at}","kind":"k{}","count":{n}}}"#, n % 2)
    };
    assert!(!count.is_multiple_of(7), "steps of seven reach every number");
    (0..count).map(|n| record((n * 7 + 3) % count)).collect()
}

async fn equal_times_page_without_loss(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &tied(23, 5)).await;
    let scope = account.scope("notes");
    let mut ids: Vec<String> = (0..23).map(|n| format!("{n:03}")).collect();
    for limit in 1..=24 {
        assert_eq!(Ask::by("at").limit(limit).ids(&store, &scope).await, ids, "pages of {limit}");
    }
    ids.reverse();
    for limit in 1..=24 {
        let ask = Ask::by("at").descending().limit(limit);
        assert_eq!(ask.ids(&store, &scope).await, ids, "pages of {limit}, backwards");
    }
}

async fn equal_beginnings_of_text_page_without_loss(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let stem = "t".repeat(70);
    let record = |n: u32| format!(r#"{{"id":"{n:02}","title":"{stem}{}"}}"#, 99 - n);
    account.put("titles", &(0..12).rev().map(record).collect::<Vec<_>>()).await;
    let ids: Vec<String> = (0..12).map(|n| format!("{n:02}")).collect();
    let expected: Vec<&str> = ids.iter().map(String::as_str).collect();
    Ask::by("title").gives(&store, &account.scope("titles"), &expected).await;
}

async fn missing_values_page_without_loss(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| match n % 3 {
        0 => format!(r#"{{"id":"{n}","at":"2026-01-01T00:00:00Z"}}"#),
        1 => format!(r#"{{"id":"{n}"}}"#),
        _ => format!(r#"{{"id":"{n}","at":null}}"#),
    };
    account.put("notes", &(0..9).rev().map(record).collect::<Vec<_>>()).await;
    let scope = account.scope("notes");
    Ask::by("at").gives(&store, &scope, &["0", "3", "6", "1", "2", "4", "5", "7", "8"]).await;
    let backwards = ["6", "3", "0", "8", "7", "5", "4", "2", "1"];
    Ask::by("at").descending().gives(&store, &scope, &backwards).await;
}

async fn filtered_and_sorted_pages_reach_the_end(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &tied(120, 10)).await;
    let scope = account.scope("notes");
    let wanted = |n: &u32| n % 2 == 1 && *n >= 11;
    let mut ids: Vec<String> = (0..120).filter(wanted).map(|n| format!("{n:03}")).collect();
    for order in ["at", "count"] {
        let ask = Ask::by(order).only(equals(FieldKind::String, "kind", "k1")).only(range(
            FieldKind::Integer,
            "count",
            RangeOperator::Gt,
            "10",
        ));
        for limit in [1, 2, 7, 54, 55, 56] {
            assert_eq!(ask.clone().limit(limit).ids(&store, &scope).await, ids, "by {order}");
        }
        ids.reverse();
        assert_eq!(ask.clone().descending().limit(3).ids(&store, &scope).await, ids);
        ids.reverse();
        assert_eq!(ask.count(&store, &scope).await, 55);
    }
}

async fn pages_in_a_time_limit_reach_the_end(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account.put("notes", &tied(60, 6)).await;
    let mut collection = account.all("notes");
    collection.time = between("at", "2026-01-01T02:00:00Z", "2026-01-01T07:00:00Z");
    let scope = one(collection);
    let ids: Vec<String> = (12..42).map(|n| format!("{n:03}")).collect();
    for order in [Ask::by("at"), Ask::by("count"), Ask::by_key()] {
        for limit in [1, 4, 29, 30] {
            assert_eq!(order.clone().limit(limit).ids(&store, &scope).await, ids);
        }
        assert_eq!(order.count(&store, &scope).await, 30);
    }
}

async fn compound_keys_page_without_loss(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| format!(r#"{{"user":"u{}","day":"d{}"}}"#, n / 4, n % 4);
    account.put("pairs", &(0..12).rev().map(record).collect::<Vec<_>>()).await;
    let id = |n: u32| format!(r#"["u{}","d{}"]"#, n / 4, n % 4);
    let ids: Vec<String> = (0..12).map(id).collect();
    let mut expected: Vec<&str> = ids.iter().map(String::as_str).collect();
    Ask::by_key().gives(&store, &account.scope("pairs"), &expected).await;
    expected.reverse();
    Ask::by_key().descending().gives(&store, &account.scope("pairs"), &expected).await;
}

async fn a_page_stops_at_its_bytes_but_holds_one_record(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| format!(r#"{{"id":"{n}","body":"{}"}}"#, "x".repeat(2_000));
    account.put("notes", &(0..6).map(record).collect::<Vec<_>>()).await;
    let scope = account.scope("notes");
    let (mut after, mut sizes, mut ids) = (None, Vec::new(), Vec::new());
    loop {
        let mut query = Ask::by("at").query(&scope, after);
        query.max_bytes = 3_000;
        let page = store.list_records(&scope, query).await.unwrap().unwrap();
        sizes.push(page.records.len());
        ids.extend(page.records.iter().map(|record| record.id.to_string()));
        assert_eq!(page.reduced, page.has_more, "only its bytes end a page early here");
        if !page.has_more {
            break;
        }
        after = page.last;
    }
    assert_eq!(ids, ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(sizes, [2, 2, 2]);
    let mut query = Ask::by("at").query(&scope, None);
    query.max_bytes = 1;
    assert_eq!(store.list_records(&scope, query).await.unwrap().unwrap().records.len(), 1);
}

async fn a_count_stops_at_its_bound(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    a.put("notes", &tied(10, 2)).await;
    b.put("notes", &tied(10, 2)).await;
    let scope = ReadScope::new(vec![a.all("notes"), b.all("notes")]);
    let kind = Ask::by("at").only(equals(FieldKind::String, "kind", "k1"));
    let title = Ask::by("at").only(range(FieldKind::Integer, "count", RangeOperator::Gte, "0"));
    for (ask, all) in [(Ask::by("at"), 20), (kind, 10), (title, 20)] {
        for at_most in [0, 1, 7, 10, 11, 20, 21] {
            let queries = ask.query(&scope, None).collections;
            let counted = store.count_records(&scope, queries, at_most).await.unwrap();
            assert_eq!(counted, at_most.min(all));
        }
    }
}

async fn a_place_outside_the_scope_is_unknown(store: Arc<dyn Store>) {
    let (a, b) = (Account::open(&store, "a").await, Account::open(&store, "b").await);
    for account in [&a, &b] {
        account.put("notes", &tied(3, 1)).await;
        account.put("titles", &[r#"{"id":"1","title":"t"}"#]).await;
    }
    let place = |page: pdpp_store::records::ListPage| page.last.unwrap();
    let foreign = place(Ask::by("at").limit(1).page(&store, &b.scope("notes"), None).await);
    let stream = place(Ask::by("title").limit(1).page(&store, &a.scope("titles"), None).await);
    let nowhere = PagePosition { key: None, record_no: RecordNo(i64::MAX) };
    for place in [foreign, stream, nowhere] {
        let query = Ask::by("at").query(&a.scope("notes"), Some(place));
        let page = store.list_records(&a.scope("notes"), query).await.unwrap();
        assert!(page.is_none(), "a place that is not in the scope was continued after");
    }
}
