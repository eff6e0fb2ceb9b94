//! The engine over a real store: grants enumerated against an oracle, non-interference, windows,
//! lists, ingest.

mod changes;
mod changes_property;
mod grant_matrix;
mod ingest;
mod lists;
mod mirror;
mod non_interference;
mod oracle;
mod search;
mod windows;
mod world;
