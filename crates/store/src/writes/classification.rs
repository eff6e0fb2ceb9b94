//! Judging stored records again, after the rules for what they carry have changed.

use std::sync::Arc;

use async_trait::async_trait;
use pdpp_contract::JsonObject;

use crate::error::StoreResult;
use crate::writes::prepare::Judgement;

/// Says what a record carries that a grant may leave out.
pub type Judge = Arc<dyn Fn(&JsonObject) -> Judgement + Send + Sync>;

/// How far a new judgement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Judged {
    /// Records looked at by this call.
    pub records: u64,
    /// Records among them that are marked otherwise than before.
    pub changed: u64,
    /// Whether every record has been judged.
    pub done: bool,
}

/// Judging what a store of an earlier version holds.
#[async_trait]
pub trait RecordJudging: Send + Sync {
    /// Whether records wait for a new judgement. Never again, once they do not.
    async fn awaits_judgement(&self) -> StoreResult<bool>;

    /// Lets every record wait for a new judgement, as opening a store of an earlier version does.
    async fn ask_for_judgement(&self) -> StoreResult<()>;

    /// Judges the next records in one transaction; several processes share the work. A record that is
    /// marked otherwise than before has a new version, and its parts and the thread it began go with it.
    /// Holds one record at a time.
    async fn judge_some(&self, judge: Judge) -> StoreResult<Judged>;
}
