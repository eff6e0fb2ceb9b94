//! What a run of an account writes: records checked as in an import, and where they stand at their source,
//! in one transaction.

use std::sync::Arc;

use pdpp_auth::OwnerAccess;
use pdpp_contract::import::{ImportItem, RejectedItem};
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, JsonObject, RecordId, StreamName};
use pdpp_store::accounts::sync::SyncCommit;
use pdpp_store::connections::ConnectionRef;
use pdpp_store::writes::WriteOutcome;

use crate::Engine;
use crate::Shared;
use crate::import::checker::RecordChecker;
use crate::ingest::write_rejection;
use crate::refusal::from_store;
use crate::view::no_connection;

/// Writes for the runs of one account.
pub struct SyncWriter {
    shared: Arc<Shared>,
    connection: ConnectionId,
    checker: Arc<RecordChecker>,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SyncedCounts {
    /// New records.
    pub added: u64,
    /// Records with other data than before.
    pub changed: u64,
    /// Records that left their stream.
    pub deleted: u64,
    /// Items that were rejected and are in quarantine.
    pub rejected: u64,
}

impl Engine {
    /// Writes for runs of the account of this connection, by what the connection declares now.
    pub async fn sync_writer(
        &self,
        _: &OwnerAccess,
        connection: &ConnectionId,
    ) -> Result<SyncWriter, ApiError> {
        let which = ConnectionRef::Id(connection.clone());
        let found = self.shared.store.find_connection(&which).await.map_err(from_store)?;
        let found = found.ok_or_else(|| no_connection(connection))?;
        let declared = self.shared.declarations.get(found.declaration).await?;
        let checker = RecordChecker::new(&declared.source, self.shared.store.hash_key())?;
        Ok(SyncWriter {
            shared: Arc::clone(&self.shared),
            connection: connection.clone(),
            checker: Arc::new(checker),
        })
    }
}

impl SyncWriter {
    /// Keeps what is good of the items, and in the same transaction what the run says about their places.
    ///
    /// `None`, and nothing is kept, when another run has the account, or it is gone.
    pub async fn write(
        &self,
        items: Vec<ImportItem>,
        commit: SyncCommit,
    ) -> Result<Option<SyncedCounts>, ApiError> {
        let checker = Arc::clone(&self.checker);
        let checking = move || {
            let (mut records, mut places, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
            for ImportItem { source, position, content } in items {
                match content.and_then(|record| checker.check(record)) {
                    Ok(record) => {
                        places.push((source, position, record.content.is_none()));
                        records.push(record);
                    }
                    Err(fault) => rejected.push(RejectedItem { source, position, rejected: fault }),
                }
            }
            (records, places, rejected)
        };
        let checked = tokio::task::spawn_blocking(checking).await;
        let (records, places, rejected) = checked
            .map_err(|_| ApiError::new(ErrorCode::ApiFault, "the items could not be checked"))?;
        let mut counts = SyncedCounts::default();
        // Before their places are known: what is not read again must have been set aside.
        counts.rejected += self.set_aside(rejected).await?;
        let store = &self.shared.store;
        let written = store.write_synced(&self.connection, records, commit).await;
        let Some(written) = written.map_err(from_store)? else {
            return Ok(None);
        };
        let mut refused = Vec::new();
        for (outcome, (source, position, deletes)) in written.outcomes.into_iter().zip(places) {
            match outcome {
                WriteOutcome::Added => counts.added += 1,
                WriteOutcome::Changed => counts.changed += 1,
                WriteOutcome::Deleted => counts.deleted += 1,
                _ => {}
            }
            if let Some(rejected) = write_rejection(outcome, deletes) {
                refused.push(RejectedItem { source, position, rejected });
            }
        }
        counts.rejected += self.set_aside(refused).await?;
        Ok(Some(counts))
    }

    /// A record with its long texts; `None` when it is not there.
    pub async fn whole_record(
        &self,
        stream: &StreamName,
        id: &RecordId,
    ) -> Result<Option<JsonObject>, ApiError> {
        self.shared.store.whole_record(&self.connection, stream, id).await.map_err(from_store)
    }

    async fn set_aside(&self, rejected: Vec<RejectedItem>) -> Result<u64, ApiError> {
        let count = u64::try_from(rejected.len()).unwrap_or(u64::MAX);
        if count > 0 {
            let now = self.shared.clock.now();
            let store = &self.shared.store;
            store.quarantine(&self.connection, rejected, now).await.map_err(from_store)?;
        }
        Ok(count)
    }
}
