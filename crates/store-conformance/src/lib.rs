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

mod accounts;
mod aggregate;
mod ask;
mod blobs;
mod changes;
mod connections;
pub mod differential;
mod grouped;
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
mod suite;
mod text;
mod tokens;
mod verify;
mod wide;
mod writes;

pub use ask::{Ask, equals, range};
pub use suite::{Case, CaseFuture, CaseTable, TABLES, run};

use suite::cases;
