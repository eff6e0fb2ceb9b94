//! Exact and range filters: on typed copies, on the record itself, on long fields.

use std::sync::Arc;

use pdpp_contract::declaration::{FieldKind, RangeOperator};

use super::super::sample::Account;
use super::super::{Ask, equals, range};
use pdpp_store::Store;

pub(super) async fn an_exact_filter_finds_the_value_of_a_typed_field(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","kind":"mail","done":true}"#,
                r#"{"id":"2","kind":"Mail","done":false}"#,
                r#"{"id":"3","kind":"mail "}"#,
                r#"{"id":"4","kind":null}"#,
                r#"{"id":"5","kind":"mail"}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    let kind = |text| Ask::by("at").only(equals(FieldKind::String, "kind", text));
    kind("mail").gives(&store, &scope, &["1", "5"]).await;
    kind("mail").descending().gives(&store, &scope, &["5", "1"]).await;
    kind("Mail").gives(&store, &scope, &["2"]).await;
    kind("").gives(&store, &scope, &[]).await;
    let done = |text| Ask::by("at").only(equals(FieldKind::Boolean, "done", text));
    done("true").gives(&store, &scope, &["1"]).await;
    done("false").gives(&store, &scope, &["2"]).await;
}

pub(super) async fn an_exact_filter_needs_no_typed_copy(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","title":"one","rate":2.50}"#,
                r#"{"id":"2","title":"two","rate":2.5}"#,
                r#"{"id":"3","title":"one"}"#,
                r#"{"id":"4"}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    let title = Ask::by("at").only(equals(FieldKind::String, "title", "one"));
    title.gives(&store, &scope, &["1", "3"]).await;
    let rate = Ask::by_key().only(equals(FieldKind::Number, "rate", "25e-1"));
    rate.gives(&store, &scope, &["1", "2"]).await;
}

pub(super) async fn an_exact_filter_sees_a_long_field_whole(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let (one, other) = (format!("{}1", "x".repeat(9_000)), format!("{}2", "x".repeat(9_000)));
    let record =
        |id: &str, body: &str| format!(r#"{{"id":"{id}","kind":"{body}","body":"{body}"}}"#);
    account.put("notes", &[record("1", &one), record("2", &other), record("3", &one)]).await;
    let scope = account.scope("notes");
    for field in ["body", "kind"] {
        let filter = |text: &str| Ask::by("at").only(equals(FieldKind::String, field, text));
        filter(&one).gives(&store, &scope, &["1", "3"]).await;
        filter(&other).gives(&store, &scope, &["2"]).await;
        filter(&"x".repeat(9_000)).gives(&store, &scope, &[]).await;
    }
}

pub(super) async fn an_exact_filter_tells_long_strings_apart(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let stem = "s".repeat(62);
    let kinds: Vec<String> = ["", "a", "ab", "abc", "abd"].map(|end| format!("{stem}{end}")).into();
    let record = |(id, kind): (usize, &String)| format!(r#"{{"id":"{id}","kind":"{kind}"}}"#);
    let records: Vec<String> = kinds.iter().enumerate().map(record).collect();
    account.put("notes", &records).await;
    for (id, kind) in kinds.iter().enumerate() {
        let ask = Ask::by("at").only(equals(FieldKind::String, "kind", kind));
        ask.gives(&store, &account.scope("notes"), &[&id.to_string()]).await;
    }
}

pub(super) async fn spellings_of_one_number_are_equal(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let spellings = ["100", "1e2", "100.0", "1.00E+2", "1000e-1"];
    let record =
        |(id, text): (usize, &&str)| format!(r#"{{"id":"{id}","amount":{text},"rate":{text}}}"#);
    let records: Vec<String> = spellings.iter().enumerate().map(record).collect();
    account.put("notes", &records).await;
    account.put("notes", &[r#"{"id":"9","amount":100.1,"rate":100.1}"#]).await;
    let scope = account.scope("notes");
    for spelling in spellings {
        for field in ["amount", "rate"] {
            let ask = Ask::by_key().only(equals(FieldKind::Number, field, spelling));
            ask.gives(&store, &scope, &["0", "1", "2", "3", "4"]).await;
        }
    }
    account.put("notes", &[r#"{"id":"z","amount":-0,"rate":0.0}"#]).await;
    for field in ["amount", "rate"] {
        let ask = Ask::by_key().only(equals(FieldKind::Number, field, "0"));
        ask.gives(&store, &scope, &["z"]).await;
    }
}

pub(super) async fn big_numbers_filter_exactly(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let endless = "7".repeat(200);
    let numbers = [
        "9007199254740992",
        "9007199254740993",
        "123456789012345678901234567890",
        "123456789012345678901234567891",
        &format!("{endless}1"),
        &format!("{endless}2"),
    ];
    let record =
        |(id, text): (usize, &&str)| format!(r#"{{"id":"{id}","count":{text},"rate":{text}}}"#);
    let records: Vec<String> = numbers.iter().enumerate().map(record).collect();
    account.put("notes", &records).await;
    for (id, number) in numbers.iter().enumerate() {
        for (kind, field) in [(FieldKind::Integer, "count"), (FieldKind::Number, "rate")] {
            let ask = Ask::by_key().only(equals(kind, field, number));
            ask.gives(&store, &account.scope("notes"), &[&id.to_string()]).await;
        }
    }
}

pub(super) async fn every_range_operator_keeps_its_edge(store: Arc<dyn Store>) {
    use RangeOperator::{Gt, Gte, Lt, Lte};
    let account = Account::open(&store, "a").await;
    let record = |n: u32| {
        format!(
            r#"{{"id":"{n}","count":{n},"amount":{n}.5,"at":"2026-01-0{n}T00:00:00Z","day":"2026-01-0{n}"}}"#
        )
    };
    account.put("notes", &[record(1), record(2), record(3)]).await;
    let scope = account.scope("notes");
    let fields = [
        (FieldKind::Integer, "count", "2"),
        (FieldKind::Number, "amount", "2.50"),
        (FieldKind::DateTime, "at", "2026-01-02T01:00:00+01:00"),
        (FieldKind::Date, "day", "2026-01-02"),
    ];
    for (kind, field, edge) in fields {
        for (operator, expected) in
            [(Gte, &["2", "3"][..]), (Gt, &["3"]), (Lte, &["1", "2"]), (Lt, &["1"])]
        {
            let condition = range(kind, field, operator, edge);
            let ask = Ask::by("at").only(condition.clone());
            ask.gives(&store, &scope, expected).await;
            let backwards: Vec<&str> = expected.iter().rev().copied().collect();
            Ask::by("count").descending().only(condition).gives(&store, &scope, &backwards).await;
        }
    }
}

pub(super) async fn a_record_without_a_value_fulfils_no_condition(store: Arc<dyn Store>) {
    use RangeOperator::{Gt, Gte, Lt, Lte};
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","count":null,"title":null}"#,
                r#"{"id":"2"}"#,
                r#"{"id":"3","count":"5","title":5}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    for operator in [Gte, Gt, Lte, Lt] {
        let ask = Ask::by_key().only(range(FieldKind::Integer, "count", operator, "5"));
        ask.gives(&store, &scope, &[]).await;
    }
    for text in ["null", "", "undefined"] {
        let ask = Ask::by_key().only(equals(FieldKind::String, "title", text));
        ask.gives(&store, &scope, &[]).await;
    }
}

pub(super) async fn equal_times_are_equal_instants(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let (here, there) = ("2026-04-01T09:00:00+02:00", "2026-04-01T07:00:00Z");
    let record = |id: &str, at: &str| format!(r#"{{"id":"{id}","at":"{at}","seen":"{at}"}}"#);
    account.put("notes", &[record("1", here), record("2", there)]).await;
    account.put("notes", &[record("3", "2026-04-01T07:00:00.000000001Z")]).await;
    let scope = account.scope("notes");
    for at in [here, there, "2026-04-01T07:00:00.000Z"] {
        // `at` has a typed copy and `seen` has none; the answer is the same.
        for field in ["at", "seen"] {
            let ask = Ask::by("at").only(equals(FieldKind::DateTime, field, at));
            ask.gives(&store, &scope, &["1", "2"]).await;
        }
    }
}

pub(super) async fn a_filter_compares_values_of_its_own_kind(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    account
        .put(
            "notes",
            &[
                r#"{"id":"1","kind":"1","title":"1","rate":1,"count":1}"#,
                r#"{"id":"2","kind":1,"title":1,"rate":"1","count":"1"}"#,
                r#"{"id":"3","kind":true,"title":true,"rate":true,"count":true}"#,
            ],
        )
        .await;
    let scope = account.scope("notes");
    for field in ["kind", "title"] {
        let ask = |text| Ask::by_key().only(equals(FieldKind::String, field, text));
        ask("1").gives(&store, &scope, &["1"]).await;
        ask("true").gives(&store, &scope, &[]).await;
    }
    for field in ["rate", "count"] {
        let ask = Ask::by_key().only(equals(FieldKind::Number, field, "1"));
        ask.gives(&store, &scope, &["1"]).await;
    }
}

pub(super) async fn a_container_does_not_equal_its_text(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let (short, long) = ("[1]".to_owned(), format!("[{}1]", "1,".repeat(5_000)));
    let record = |id: &str, title: &str| format!(r#"{{"id":"{id}","title":{title}}}"#);
    account.put("notes", &[record("1", &short), record("2", &long)]).await;
    for text in [&short, &long] {
        let ask = Ask::by_key().only(equals(FieldKind::String, "title", text));
        ask.gives(&store, &account.scope("notes"), &[]).await;
    }
}

pub(super) async fn conditions_add_up(store: Arc<dyn Store>) {
    let account = Account::open(&store, "a").await;
    let record = |n: u32| {
        let (kind, title) = (n % 2, n % 3);
        format!(r#"{{"id":"{n:02}","count":{n},"kind":"k{kind}","title":"t{title}"}}"#)
    };
    account.put("notes", &(0..24).map(record).collect::<Vec<_>>()).await;
    let ask = Ask::by("count")
        .only(equals(FieldKind::String, "kind", "k0"))
        .only(equals(FieldKind::String, "title", "t1"))
        .only(range(FieldKind::Integer, "count", RangeOperator::Gt, "4"))
        .only(range(FieldKind::Integer, "count", RangeOperator::Lte, "16"));
    ask.gives(&store, &account.scope("notes"), &["10", "16"]).await;
}
