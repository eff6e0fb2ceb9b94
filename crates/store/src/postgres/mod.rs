//! The Postgres backend.
//!
//! It serves windows into text, [`PostgresTexts`], and nothing else: the proof that a grant-checked
//! window costs the same wherever it lies, on Postgres as on SQLite.

mod chunks;
mod connect;
mod errors;
mod migrations;
mod put_record;
mod put_text;
mod read_text;
#[doc(hidden)]
pub mod statements;
mod text_nested;

pub use connect::PostgresTexts;
