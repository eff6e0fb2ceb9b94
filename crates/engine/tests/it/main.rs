//! The engine over a real store: grants enumerated against an oracle, non-interference, windows,
//! lists, ingest.

mod grant_matrix;
mod ingest;
mod lists;
mod non_interference;
mod oracle;
mod windows;
mod world;
