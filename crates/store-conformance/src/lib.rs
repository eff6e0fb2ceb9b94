//! The behavioural suite of the store's traits. It knows no backend: every case takes a fresh store.
//!
//! A case panics when a promise is broken. [`run`] adds the full check after each of them, so that
//! every case also proves that what it did left the store sound.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::return_self_not_must_use,
    clippy::cast_possible_truncation,
    reason = "test code that is a library because the tests of several crates share it"
)]

mod aggregate;
mod ask;
mod blobs;
mod changes;
mod connections;
pub mod differential;
mod moves;
mod oauth;
mod owner;
mod paging;
mod rate_limits;
mod records;
mod related;
mod retention;
pub mod sample;
mod search;
mod seen_time;
mod text;
mod tokens;
mod verify;
mod wide;
mod writes;

use std::pin::Pin;
use std::sync::Arc;

use pdpp_store::Store;

pub use ask::{Ask, equals, range};

/// What a case does, as a future that can move between threads.
pub type CaseFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// One promise of the store.
#[derive(Clone, Copy)]
pub struct Case {
    /// The promise in plain words.
    pub name: &'static str,
    /// Panics when the store breaks it.
    pub run: fn(Arc<dyn Store>) -> CaseFuture,
}

/// The cases of one part of the suite.
pub type CaseTable = &'static [Case];

/// Builds a table from functions that take a store.
macro_rules! cases {
    ($($(#[$doc:meta])* $name:path),* $(,)?) => {
        &[$($crate::Case {
            name: $crate::last_segment(stringify!($name)),
            run: |store| Box::pin($name(store)),
        }),*]
    };
}
use cases;

/// What single records look like and which of them a reader sees.
pub const RECORDS: CaseTable = records::CASES;
/// Pages: one global order, nothing lost, nothing repeated.
pub const PAGING: CaseTable = paging::CASES;
/// Spans of text and matches inside it.
pub const TEXT: CaseTable = text::CASES;
/// What a write keeps, refuses and undoes.
pub const WRITES: CaseTable = writes::CASES;
/// Connections and their declarations.
pub const CONNECTIONS: CaseTable = connections::CASES;
/// The full check itself.
pub const VERIFY: CaseTable = verify::CASES;

/// What a follower of changes receives.
pub const CHANGES: CaseTable = changes::CASES;
/// Numbers over what a scope shows.
pub const AGGREGATES: CaseTable = aggregate::CASES;

/// Records that belong to others.
pub const RELATED: CaseTable = related::CASES;
/// Files that records refer to.
pub const BLOBS: CaseTable = blobs::CASES;
/// Words and where they are found.
pub const SEARCH: CaseTable = search::CASES;

/// The owner as a person, and what is told about agents' reads.
pub const OWNER: CaseTable = owner::CASES;

/// Streams with very many typed fields.
pub const WIDE: CaseTable = wide::CASES;

/// What servers tell each other about callers.
pub const RATE_LIMITS: CaseTable = rate_limits::CASES;

/// Tokens of the owner.
pub const TOKENS: CaseTable = tokens::CASES;

/// Taking a whole store in.
pub const MOVES: CaseTable = moves::CASES;

/// Signing in, as the store settles it.
pub const OAUTH: CaseTable = oauth::CASES;

/// Time, which never goes back.
pub const SEEN_TIME: CaseTable = seen_time::CASES;

/// How much of the past is kept.
pub const RETENTION: CaseTable = retention::CASES;

/// The whole suite by the name of its parts.
pub const TABLES: [(&str, CaseTable); 19] = [
    ("records", RECORDS),
    ("paging", PAGING),
    ("text", TEXT),
    ("writes", WRITES),
    ("connections", CONNECTIONS),
    ("wide", WIDE),
    ("verify", VERIFY),
    ("changes", CHANGES),
    ("aggregates", AGGREGATES),
    ("related", RELATED),
    ("blobs", BLOBS),
    ("search", SEARCH),
    ("owner", OWNER),
    ("oauth", OAUTH),
    ("rate_limits", RATE_LIMITS),
    ("tokens", TOKENS),
    ("moves", MOVES),
    ("seen_time", SEEN_TIME),
    ("retention", RETENTION),
];

/// Runs a case on a fresh store, then checks that the store is sound.
pub async fn run(case: &Case, store: Arc<dyn Store>) {
    (case.run)(Arc::clone(&store)).await;
    let report = store.verify().await.expect("the full check runs");
    assert_eq!(report.faults, Vec::<String>::new(), "the full check after {}", case.name);
}

/// The part of a path after the last `::`.
const fn last_segment(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut at = bytes.len();
    while at > 0 {
        if bytes[at - 1] == b':' {
            let (_, name) = path.split_at(at);
            return name.trim_ascii();
        }
        at -= 1;
    }
    path
}
