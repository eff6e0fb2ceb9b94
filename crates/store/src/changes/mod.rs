//! The change log: what became of records since a point, and how far back it reaches.
//!
//! Change numbers are the store's own: one counter, given in commit order, never twice. One number
//! therefore stands for a point in the history of every collection at once.

pub(crate) mod lost;
pub(crate) mod pruning;
pub(crate) mod version_view;
pub(crate) mod versions;

use async_trait::async_trait;
use pdpp_contract::{ConnectionId, FieldName, RecordId, StreamName};

use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::records::scope::ReadScope;
use crate::records::{CollectionQuery, StoredRecord};

/// A page of changes over all collections of a scope.
///
/// A change is *visible* when it alters what the scope and the query show of its record: the record
/// appears, leaves, or one of the asked fields has another value. A page lists each record once, at
/// its last visible change within the horizon; it never shows a change beyond the horizon.
#[derive(Debug, Clone)]
pub struct ChangesQuery {
    /// Per collection of the scope, in the same order: the conditions. The order field is not used.
    pub collections: Vec<CollectionQuery>,
    /// What the reader knows.
    pub known: Known,
    /// Where the previous page of the same session ended; the first page when absent.
    pub resume: Option<Resume>,
    /// Most changes to return.
    pub limit: usize,
    /// Stop growing at this many bytes of record JSON; one change is always returned.
    pub max_bytes: usize,
    /// How much of a long field to bring along, in characters.
    pub preview_chars: u32,
    /// The fields to return, within the scope's; all of the scope's when absent.
    pub fields: Option<Vec<FieldName>>,
}

/// What a reader knows: everything it may see, up to a change. The default knows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Known {
    /// The number of the change; 0 when the reader knows nothing.
    pub change_no: ChangeNo,
    /// How often version 0.1 had shortened the log when it told this; absent since.
    pub prunings: Option<i64>,
}

impl Known {
    /// Everything up to a change.
    #[must_use]
    pub const fn up_to(change_no: ChangeNo) -> Self {
        Self { change_no, prunings: None }
    }
}

/// A session of pages that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resume {
    /// The last change of the previous page.
    pub after: ChangeNo,
    /// The horizon of the session.
    pub horizon: ChangeNo,
}

/// The answer to a query for changes.
#[derive(Debug, Clone)]
pub enum Changes {
    /// A page.
    Page(ChangePage),
    /// A change that the scope could see was pruned since, or the number lies in the future.
    Expired,
}

/// A page of changes.
#[derive(Debug, Clone)]
pub struct ChangePage {
    /// The changes, oldest first.
    pub changes: Vec<RecordChange>,
    /// The last visible change when the session began: what the reader knows after its last page. Where
    /// visible changes beyond it were pruned, the change that makes up for them.
    pub horizon: ChangeNo,
    /// The number of the last change on the page, when there is one.
    pub last: Option<ChangeNo>,
    /// Whether changes follow within the horizon.
    pub has_more: bool,
    /// Whether the page ends early because of its bytes.
    pub reduced: bool,
}

/// What became of a record.
#[derive(Debug, Clone)]
pub enum RecordChange {
    /// It is there, and looks like this.
    Present(Box<StoredRecord>),
    /// It was there and is not any more.
    Gone(Departed),
}

/// A record that was deleted or left what the scope and the query show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departed {
    /// Which collection of the scope it belonged to.
    pub collection: usize,
    /// Where it came from.
    pub connection: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// Its canonical key.
    pub id: RecordId,
    /// Its number in the store, the one it had while it was there.
    pub record_no: RecordNo,
    /// When the producer processed the change that took it away.
    pub left_at: String,
}

/// Reading the change log.
#[async_trait]
pub trait ChangeLog: Send + Sync {
    /// One page of changes.
    ///
    /// A record whose visible part changed again beyond the horizon is left out: what it looked like
    /// within it is gone, and that later change has a number above the horizon, so a reader who goes
    /// on from the horizon receives it. A record that has left is reported even then.
    ///
    /// A record is reported as gone only if it was visible when the reader last looked. Where an old value decides
    /// whether it fulfilled a condition and the log cannot tell, it counts as having done so. A record that
    /// the scope does not show now is never looked at to tell.
    async fn changes(&self, scope: &ReadScope, query: ChangesQuery) -> StoreResult<Changes>;

    /// The number of the newest change; 0 when nothing was ever written.
    async fn newest_change(&self) -> StoreResult<ChangeNo>;
}
