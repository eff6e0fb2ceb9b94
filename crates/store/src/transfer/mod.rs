//! Moving a whole store into another one, between backends or within one.
//!
//! Everything keeps its number and its key: ids, versions, bookmarks, cursors, grants and tokens go
//! on working. Only the words of the index are made anew, from the bags that came along.

pub mod backup;
pub(crate) mod digest;
pub mod layout;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use async_trait::async_trait;

use crate::error::StoreResult;
pub use digest::ContentsDigest;

/// Where a store notes that a move into it is under way, and how far it is.
pub(crate) const UNFINISHED: &str = "unfinished_move";

/// Is told how many rows came, whenever some more of them are kept for good.
pub type Told = Arc<dyn Fn(u64) + Send + Sync>;

/// Some rows of one table on their way.
pub struct Load {
    pub(crate) what: Cargo,
}

impl Load {
    /// Whether it says which number a table gave out last.
    pub fn is_counter(&self) -> bool {
        matches!(self.what, Cargo::Counter { .. })
    }
}

/// What is on its way.
pub(crate) enum Cargo {
    /// Rows of a table that every store has, by its place in the list.
    Rows { table: usize, rows: Vec<Vec<Cell>> },
    /// Rows of a typed copy.
    Copies { projection_no: i64, rows: Vec<Vec<Cell>> },
    /// The next bytes of a file; without any, the file is whole.
    Bytes(Vec<u8>),
    /// The last number that was given out for a table.
    Counter { table: String, last: i64 },
    /// Nothing follows. Without it, the store stays unfinished.
    End,
}

/// A value on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Giving a store away whole, and taking one in.
#[async_trait]
pub trait Movable: Send + Sync {
    /// Sends everything, as it is at one moment, in an order that both backends keep: two stores that
    /// hold the same send the same. Ends early when nobody takes it any more.
    async fn give(&self, out: SyncSender<Load>) -> StoreResult<()>;

    /// The digest of all that `give` would send now: equal for stores that hold the same.
    async fn contents(&self) -> StoreResult<ContentsDigest>;

    /// Takes everything, and answers its digest; a `Conflict` when this store is in use, `InUse` while anybody else has it open.
    /// Nobody opens it meanwhile. What came is kept batch by batch,
    /// and until all of it is there the store opens for nothing but this. Taking from the same store
    /// again goes on; a `Conflict` when it is another one, or has changed where it was already taken.
    /// `TooWide`, before anything is kept, when a stream has more typed fields than surely fit here.
    /// The store must be opened anew afterwards: its keys are those of the other one.
    async fn take(&self, loads: Receiver<Load>, told: Told) -> StoreResult<ContentsDigest>;

    /// Opens what was taken for everybody. Called when it was compared with what was given: until
    /// then a killed move can still be begun again.
    async fn finish_move(&self) -> StoreResult<()>;
}

/// A table that every store has, with its columns: `i` numbers, `t` text, `b` bytes.
pub(crate) struct Table {
    pub name: &'static str,
    pub columns: &'static str,
    /// A new store has rows in it, or a server writes some by itself or for strangers before its owner
    /// has done anything. They give way; a row in any other table says that the store is in use.
    pub gives_way: bool,
}

pub(crate) const fn table(name: &'static str, columns: &'static str) -> Table {
    Table { name, columns, gives_way: false }
}

pub(crate) const fn passing(name: &'static str, columns: &'static str) -> Table {
    Table { name, columns, gives_way: true }
}

/// Every table, in an order in which each finds what it refers to.
pub(crate) const TABLES: &[Table] = &[
    passing("store_meta", "name:t value:b"),
    table("declarations", "declaration_no:i digest:b connector_key:t json:t"),
    table(
        "connections",
        "connection_no:i connection_id:t name:t display_name:t connector_key:t declaration_no:i \
         created_at:t",
    ),
    table("projections", "projection_no:i connector_key:t stream:t shape:t"),
    table(
        "collections",
        "collection_no:i connection_no:i stream:t projection_no:i record_count:i declaration_no:i",
    ),
    table("collection_fields", "collection_no:i field_no:i name:t"),
    table("record_keys", "record_no:i collection_no:i change_no:i key_order:b"),
    table("records", "record_no:i collection_no:i flags:i emitted_at:t json:t"),
    table(
        "versions",
        "record_no:i change_no:i deleted:i flags:i emitted_at:t time_key:b field_hashes:b \
         other_times:b",
    ),
    passing("change_counter", "only_row:i change_no:i prunings:i"),
    table("changes", "collection_no:i change_no:i record_no:i"),
    table(
        "pruned",
        "record_no:i collection_no:i change_no:i uncoded:i time_min:b time_max:b lost:b \
         other_times:b losses:b",
    ),
    table("time_fields", "collection_no:i name:t"),
    table("texts", "text_no:i record_no:i kind:i chars:i bytes:i digest:b path:t"),
    table("text_chunks", "chunk_no:i text:t"),
    table(
        "quarantine",
        "item_no:i connection_no:i source:t position:i code:t message:t item:b created_at:t",
    ),
    table(
        "packages",
        "package_no:i package_id:t client:t access_mode:t created_at:t expires_at:t revoked_at:t",
    ),
    table("grants", "grant_no:i grant_id:t package_no:i connection_id:t revoked_at:t grant_json:t"),
    table(
        "tokens",
        "token_hash:b fingerprint:t kind:t package_no:i label:t created_at:t expires_at:t \
         revoked_at:t last_used_at:t family_no:i resource:t",
    ),
    table(
        "audit_events",
        "event_no:i at:t client:t package_id:t token_fingerprint:t operation:t connection_ids:t \
         stream:t records_returned:i bytes_returned:i outcome:t request_id:t hash:b",
    ),
    passing("audit_head", "only_row:i event_no:i hash:b"),
    table("search_fields", "field_no:i name:t"),
    table("search_rows", "row_no:i collection_no:i bag:b"),
    table("blobs", "sha256:b size_bytes:i created_at:t"),
    table("blob_refs", "sha256:b collection_no:i record_no:i field:t"),
    passing(
        "oauth_clients",
        "client_no:i client_id:t kind:t handle:t metadata_json:t security_hash:b created_at:t \
         approved_at:t last_used_at:t",
    ),
    passing(
        "oauth_requests",
        "request_no:i request_id:t client_no:i redirect_uri:t state:t code_challenge:t \
         resource:t scope:t details_json:t issuer:t requested_from:t same_as:b \
         user_code_hash:b device_hash:b poll_interval:i polled_at:t status:t draft_json:t \
         review_digest:b review_json:t created_at:t expires_at:t decided_at:t decided_in:t \
         package_no:i code_hash:b code_sealed:b code_expires_at:t redeemed_at:t family_no:i",
    ),
    passing("oauth_pushed", "uri_hash:b client_no:i params_json:t expires_at:t"),
    table(
        "oauth_families",
        "family_no:i package_no:i client_no:i resource:t scope:t security_hash:b by_key:i \
         created_at:t expires_at:t revoked_at:t revoked_why:t",
    ),
    table(
        "oauth_refresh_tokens",
        "token_hash:b family_no:i generation:i created_at:t expires_at:t superseded_at:t \
         successor_sealed:b",
    ),
    passing("oauth_documents", "url:t body:t fetched_at:t fresh_until:t"),
    passing("oauth_assertions", "assertion_hash:b expires_at:t"),
    table("owner_credential", "only_row:i password_hash:t set_at:t"),
    passing("owner_setup", "only_row:i code_hash:b expires_at:t"),
    table(
        "owner_sessions",
        "session_hash:b fingerprint:t device:t created_at:t authenticated_at:t last_seen_at:t",
    ),
    passing("login_failures", "who:t count:i last_at:t"),
    table("settings", "name:t value:t"),
    passing("store_clock", "only_row:i seen_at:t resets:i reset_from:t"),
    passing("seen_days", "day:t change_no:i"),
    table(
        "accounts",
        "connection_no:i kind:t settings_json:t credential:b every_seconds:i paused:i created_at:t \
         next_run_at:t failures:i current_at:t fresh_at:t run_no:i lease_until:t",
    ),
    table("account_folders", "connection_no:i folder:t state_json:t"),
    table("account_items", "connection_no:i folder:t epoch:i item:i record_id:t marks:t"),
    table(
        "account_runs",
        "connection_no:i run_no:i is_scheduled:i started_at:t ended_at:t fault_code:t fault:t \
         added:i changed:i kept:i rejected:i bytes:i",
    ),
];

impl Table {
    /// The columns that no two rows share, in which order rows are on their way: the first ones.
    pub(crate) fn order(&self) -> String {
        let keys = match self.name {
            "collection_fields" | "versions" | "changes" | "time_fields" | "account_folders"
            | "account_runs" => 2,
            "blob_refs" | "account_items" => 4,
            _ => 1,
        };
        let names: Vec<&str> = self.cells().into_iter().take(keys).map(|(name, _)| name).collect();
        names.join(", ")
    }

    /// The columns with their kinds.
    pub(crate) fn cells(&self) -> Vec<(&'static str, char)> {
        let part = |part: &'static str| {
            let (name, kind) = part.split_once(':').unwrap_or((part, "b"));
            (name, kind.chars().next().unwrap_or('b'))
        };
        self.columns.split_ascii_whitespace().map(part).collect()
    }
}
