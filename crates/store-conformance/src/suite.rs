//! The table of the suite: every case by its part and its name, and how one is run.

use std::pin::Pin;
use std::sync::Arc;

use pdpp_store::Store;

use crate::{
    accounts, aggregate, blobs, changes, connections, grouped, moves, oauth, owner, paging,
    rate_limits, records, related, retention, search, seen_time, text, tokens, verify, wide,
    writes,
};

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
        &[$($crate::suite::Case {
            name: $crate::suite::last_segment(stringify!($name)),
            run: |store| Box::pin($name(store)),
        }),*]
    };
}
pub(crate) use cases;

/// The whole suite by the name of its parts.
pub const TABLES: [(&str, CaseTable); 21] = [
    // What single records look like and which of them a reader sees.
    ("records", records::CASES),
    // Pages: one global order, nothing lost, nothing repeated.
    ("paging", paging::CASES),
    // Spans of text and matches inside it.
    ("text", text::CASES),
    // What a write keeps, refuses and undoes.
    ("writes", writes::CASES),
    // Connections and their declarations.
    ("connections", connections::CASES),
    // Streams with very many typed fields.
    ("wide", wide::CASES),
    // The full check itself.
    ("verify", verify::CASES),
    // What a follower of changes receives.
    ("changes", changes::CASES),
    // Numbers over what a scope shows.
    ("aggregates", aggregate::CASES),
    ("groups", grouped::CASES),
    // Records that belong to others.
    ("related", related::CASES),
    // Files that records refer to.
    ("blobs", blobs::CASES),
    // Words and where they are found.
    ("search", search::CASES),
    // The owner as a person, and what is told about agents' reads.
    ("owner", owner::CASES),
    // Signing in, as the store settles it.
    ("oauth", oauth::CASES),
    // What servers tell each other about callers.
    ("rate_limits", rate_limits::CASES),
    // Tokens of the owner.
    ("tokens", tokens::CASES),
    // Taking a whole store in.
    ("moves", moves::CASES),
    // Time, which never goes back.
    ("seen_time", seen_time::CASES),
    ("accounts", accounts::CASES),
    // How much of the past is kept.
    ("retention", retention::CASES),
];

/// Runs a case on a fresh store, then checks that the store is sound.
pub async fn run(case: &Case, store: Arc<dyn Store>) {
    (case.run)(Arc::clone(&store)).await;
    let report = store.verify().await.expect("the full check runs");
    assert_eq!(report.faults, Vec::<String>::new(), "the full check after {}", case.name);
}

/// The part of a path after the last `::`.
pub(crate) const fn last_segment(path: &'static str) -> &'static str {
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
