//! Every page walks an index: SQLite's own plan of each kind of walk has no sort and no full scan.

use std::sync::Arc;

use pdpp_contract::declaration::{FieldKind, SourceDeclaration};
use pdpp_contract::ports::Entropy;
use pdpp_contract::{ConnectionId, ConnectionName, FieldName, Instant, StreamName};
use rusqlite::params_from_iter;

use crate::changes::version_view::{LogKeys, VersionView};
use crate::numbers::{CollectionNo, RecordNo};
use crate::records::connections::{ConnectionStore, NewConnection};
use crate::records::scope::{CollectionScope, TimeBounds};
use crate::records::sort_key::SortKey;
use crate::records::{CollectionQuery, Condition, Test};
use crate::sqlite::Backend;
use crate::sqlite::sql::changes::steps::{Direction, Steps};
use crate::sqlite::sql::connections::collection::{Collection, find_collection};
use crate::sqlite::sql::records::plan::{After, Conditions, Walk};
use crate::writes::hashing::HashKey;
use crate::{StoreOptions, StoreResult};

struct Zeros;

impl Entropy for Zeros {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}

fn scope() -> CollectionScope {
    CollectionScope {
        connection: ConnectionId::new("cin_a").unwrap(),
        stream: StreamName::new("notes").unwrap(),
        fields: std::collections::BTreeSet::new(),
        time: None,
        records: None,
        leave_out_codes: false,
        leave_out_secrets: false,
    }
}

fn limited() -> CollectionScope {
    let instant = |text| Instant::parse(text);
    let time = TimeBounds {
        field: field("at"),
        since: instant("2026-01-01"),
        until: instant("2026-02-01"),
    };
    CollectionScope { time: Some(time), leave_out_codes: true, ..scope() }
}

fn field(name: &str) -> FieldName {
    FieldName::new(name).unwrap()
}

fn equal(name: &str, text: &str) -> Condition {
    let key = SortKey::parse(FieldKind::String, text).unwrap();
    Condition { field: field(name), test: Test::Equals { key, text: text.to_owned() } }
}

fn at_least(name: &str, number: &str) -> Condition {
    let key = SortKey::parse(FieldKind::Number, number).unwrap();
    Condition { field: field(name), test: Test::AtLeast(key) }
}

/// Every combination of scope, conditions, order, bucket, direction and place to continue after.
fn every_walk(collection: &Collection, look: &mut dyn FnMut(&str, &Walk<'_>)) {
    let key = SortKey::time(Instant::parse("2026-01-02").unwrap());
    let conditions = [
        ("plain", vec![]),
        ("by value", vec![equal("kind", "mail")]),
        ("ranged", vec![at_least("amount", "5")]),
        ("by value and ranged", vec![equal("kind", "mail"), at_least("amount", "5")]),
        ("on the record", vec![equal("title", "t")]),
    ];
    for (limits, scope) in [("open", scope()), ("limited", limited())] {
        for (asked, conditions) in &conditions {
            let query = CollectionQuery { order_field: None, conditions: conditions.clone() };
            let conditions = Conditions::new(collection, &scope, &query);
            for order in [None, Some("at"), Some("amount"), Some("day")] {
                let column = order.map(|name| collection.shape.column(&field(name)).unwrap().0);
                for (missing, descending, inclusive) in
                    (0..8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0))
                {
                    for goes_on in [false, true] {
                        let after = After {
                            key: Some(&key).filter(|_| !missing && order.is_some()),
                            key_order: b"n1",
                            inclusive,
                        };
                        let walk = Walk {
                            collection,
                            conditions: &conditions,
                            order: column,
                            missing: missing || order.is_none(),
                            descending,
                            after: goes_on.then_some(after),
                        };
                        let name = format!(
                            "{limits}, {asked}, by {order:?}, missing {missing}, descending \
                             {descending}, goes on {goes_on}"
                        );
                        look(&name, &walk);
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn no_page_sorts_and_no_page_scans_a_table() {
    let directory = tempfile::tempdir().unwrap();
    let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(Zeros));
    let store = Backend::open(options).await.unwrap();
    let sample = include_str!("../../../../store-conformance/src/sample.json");
    let new = NewConnection {
        id: ConnectionId::new("cin_a").unwrap(),
        name: ConnectionName::new("a").unwrap(),
        display_name: None,
        declaration: SourceDeclaration::parse(sample).unwrap(),
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    store.ensure_connection(new).await.unwrap();
    let (walks, bad) = store.read(|db| Ok(bad_plans(db))).await.unwrap();
    assert_eq!(bad, Vec::<String>::new());
    assert_eq!(walks, 640, "every combination was looked at");
    let bad = store.read(|db| Ok(bad_change_plans(db))).await.unwrap();
    assert_eq!(bad, Vec::<String>::new());
}

/// A log is walked in its own order, each version found by its number.
fn bad_change_plans(db: &rusqlite::Connection) -> Vec<String> {
    let at = field("at");
    let (hashing, former) = (HashKey::new([0; 16]), std::collections::HashSet::new());
    let log = LogKeys { hashing: &hashing, time_field: Some(&at), former: &former };
    let only = std::collections::HashSet::from([RecordNo(1), RecordNo(2)]);
    let mut bad = Vec::new();
    for scope in [scope(), limited()] {
        let query = CollectionQuery::default();
        let names = std::collections::BTreeMap::new();
        let view = VersionView::new(&scope, &query, None, &names, &log);
        for only in [None, Some(&only)] {
            for direction in [Direction::Up, Direction::Down] {
                let sql = Steps::new(CollectionNo(1), &view, only).sql(direction);
                let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
                let rows = explain.raw_query().mapped(|row| row.get(3));
                let plan: Vec<String> = rows.map(Result::unwrap).collect();
                let fits = |step: &String| {
                    step.starts_with("SEARCH ") || step.starts_with("CORRELATED SCALAR SUBQUERY")
                };
                if plan.len() < 4 || !plan.iter().all(fits) {
                    bad.push(format!("{direction:?}: {plan:?}"));
                }
            }
        }
    }
    bad
}

fn bad_plans(db: &rusqlite::Connection) -> (usize, Vec<String>) {
    let scope = scope();
    let collection = find_collection(db, &scope.connection, &scope.stream).unwrap().unwrap();
    let (mut walks, mut bad) = (0, Vec::new());
    every_walk(&collection, &mut |name, walk| {
        walks += 1;
        let plan = plan(db, walk).unwrap();
        assert!(!plan.is_empty());
        let searches = |step: &String| step.starts_with("SEARCH ");
        if !plan.iter().all(searches) {
            bad.push(format!("{name}: {plan:?}"));
        }
    });
    (walks, bad)
}

fn plan(db: &rusqlite::Connection, walk: &Walk<'_>) -> StoreResult<Vec<String>> {
    let (sql, values) = walk.sql();
    let mut explain = db
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .map_err(crate::sqlite::errors::from_driver)?;
    let steps = explain
        .query_map(params_from_iter(values), |row| row.get(3))
        .and_then(Iterator::collect)
        .map_err(crate::sqlite::errors::from_driver)?;
    Ok(steps)
}
