//! Keeps accounts current: signs in at their source, reads what is new, writes it through the engine.
//!
//! [`accounts`] is what the command line and the server call. A run ([`run`]) holds its account's lease and
//! writes records, places and state in one transaction. [`credential`] seals passwords under a key that is
//! not in the store. [`imap`] is a kind of account. Nothing here knows arguments, pages, grants or MCP; the
//! clock and randomness are handed in.

pub mod accounts;
mod attachments;
pub mod credential;
pub mod fault;
pub mod imap;
pub mod run;
pub mod schedule;
pub mod settings;
