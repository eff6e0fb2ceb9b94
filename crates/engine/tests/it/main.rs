//! The engine over a real store: grants enumerated against an oracle, non-interference, windows,
//! lists, search, ingest.
//!
//! Modules are marked as tests so that the lints know their helpers for test code.

#[cfg(test)]
mod aggregate_groups;
mod aggregate_pages;
#[cfg(test)]
mod aggregates;
#[cfg(test)]
mod aggregates_property;
#[cfg(test)]
mod blobs;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod changes_declared;
#[cfg(test)]
mod changes_hidden;
#[cfg(test)]
mod changes_property;
#[cfg(test)]
mod conversations;
#[cfg(test)]
mod erasure;
#[cfg(test)]
mod expand;
#[cfg(test)]
mod grant_matrix;
#[cfg(test)]
mod handles;
#[cfg(test)]
mod hidden_writes;
#[cfg(test)]
mod ingest;
#[cfg(test)]
mod judged_life;
#[cfg(test)]
mod keys_declared;
#[cfg(test)]
mod labels;
#[cfg(test)]
mod left_out;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod matrix_more;
#[cfg(test)]
mod mirror;
#[cfg(test)]
mod non_interference;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod relations_matrix;
#[cfg(test)]
mod rolling;
#[cfg(test)]
mod search;
mod search_coverage;
#[cfg(test)]
mod search_paging;
#[cfg(test)]
mod search_pieces;
#[cfg(test)]
mod search_property;
#[cfg(test)]
mod search_ranking;
#[cfg(test)]
mod transcripts;
#[cfg(test)]
mod unknown;
#[cfg(test)]
mod windows;
#[cfg(test)]
mod windows_property;
#[cfg(test)]
mod world;
