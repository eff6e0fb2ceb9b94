//! What a scope must keep hidden: records and fields, and scopes that do not show them.

use std::collections::BTreeSet;

use pdpp_contract::{FieldName, Instant, Json};
use pdpp_store::text::TextRead;
use pdpp_store::{CollectionScope, ReadScope, TimeBounds};

use crate::backend::{Backend, id, note, notes, text};

/// Stands in everything that is hidden, and in nothing else.
pub const HIDDEN: &str = "zanzibar";

/// What a case must be answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Text,
    NoField,
    NoRecord,
}

/// One read, and its right answer.
pub struct Case {
    pub name: &'static str,
    pub scope: CollectionScope,
    pub record: &'static str,
    pub field: &'static str,
    pub read: TextRead,
    pub expected: Expected,
}

/// Stores what the cases read.
pub async fn put_records(backend: &dyn Backend) {
    let long = |word: &str| text(&format!("{word} ").repeat(3_000));
    let parts = |word: &str| {
        let json = format!(r#"{{"long":["{}"],"short":"{word}"}}"#, "x".repeat(20_000));
        Json::parse(&json).unwrap()
    };
    let march = ("sent_at", text("2026-03-01T00:00:00Z"));
    let open = [
        march.clone(),
        ("body", long("evidence")),
        ("parts", parts("evidence")),
        ("secret", long(HIDDEN)),
        ("secret_word", text(HIDDEN)),
        ("secret_parts", parts(HIDDEN)),
    ];
    backend.put("a", note("open", &open, false)).await;
    let hidden = ("body", long(HIDDEN));
    let late = ("sent_at", text("2026-09-01T00:00:00Z"));
    backend.put("a", note("late", &[late, hidden.clone()], false)).await;
    backend.put("a", note("undated", std::slice::from_ref(&hidden), false)).await;
    backend.put("a", note("unlisted", &[march.clone(), hidden.clone()], false)).await;
    backend.put("a", note("codes", &[march.clone(), hidden.clone()], true)).await;
    backend.put("b", note("theirs", &[march, hidden], false)).await;
}

/// Every way to be refused, each beside a read that is allowed.
pub fn cases() -> Vec<Case> {
    use Expected::{NoField, NoRecord, Text};
    let until_june = CollectionScope { time: Some(until_june()), ..granted() };
    let listed =
        CollectionScope { records: Some(BTreeSet::from([id("open"), id("late")])), ..granted() };
    let no_codes = CollectionScope { leave_out_codes: true, ..granted() };
    let case = |name, scope: &CollectionScope, record, field, expected| Case {
        name,
        scope: scope.clone(),
        record,
        field,
        read: TextRead::Range { start: 0, limit: 4_096 },
        expected,
    };
    let hidden_match = TextRead::Match { q: HIDDEN.to_owned(), before: 9, after: 9, limit: 99 };
    vec![
        case("a granted field", &granted(), "open", "body", Text),
        case("a granted nested value", &granted(), "open", "/parts/short", Text),
        case("inside the time bounds", &until_june, "open", "body", Text),
        case("among the record ids", &listed, "open", "body", Text),
        case("without codes", &no_codes, "open", "body", Text),
        case("an ungranted long field", &granted(), "open", "secret", NoField),
        case("an ungranted short field", &granted(), "open", "secret_word", NoField),
        case("an ungranted nested value", &granted(), "open", "/secret_parts/short", NoField),
        Case {
            read: hidden_match,
            ..case("a match in an ungranted field", &granted(), "open", "secret", NoField)
        },
        case("a field that does not exist", &granted(), "open", "nothing", NoField),
        case("outside the time bounds", &until_june, "late", "body", NoRecord),
        case("without a time", &until_june, "undated", "body", NoRecord),
        case("not among the record ids", &listed, "unlisted", "body", NoRecord),
        case("with codes", &no_codes, "codes", "body", NoRecord),
        case("of another connection", &granted(), "theirs", "body", NoRecord),
    ]
}

fn granted() -> CollectionScope {
    notes("a", &["id", "body", "parts", "nothing"])
}

fn until_june() -> TimeBounds {
    TimeBounds {
        field: FieldName::new("sent_at").unwrap(),
        since: Instant::parse("2026-01-01T00:00:00Z"),
        until: Instant::parse("2026-06-01T00:00:00Z"),
    }
}

impl Case {
    pub fn scope(&self) -> ReadScope {
        ReadScope::new(vec![self.scope.clone()])
    }
}
