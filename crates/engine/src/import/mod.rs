//! Imports: items are checked on one thread and written on another. Records are kept, rejected items
//! are quarantined with their reason.

mod batch;
pub(crate) mod checker;
mod merging;
mod report;
mod run;
mod schema;

use std::sync::Arc;

use pdpp_auth::OwnerAccess;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::import::ImportItem;
use pdpp_contract::{ApiError, ConnectionId, ConnectionName, ErrorCode, SourceDeclaration};
use pdpp_store::connections::{ConnectionRef, NewConnection};
use tokio::sync::mpsc;

use crate::Engine;
use crate::refusal::from_store;
use batch::{CheckedBatch, read_batches};
use checker::RecordChecker;
pub use merging::{MergeRule, time_of};
pub use report::{ImportProgress, ImportRejection, ImportReport, RejectionReason, StreamCounts};
use run::Run;

/// Where records go and what they look like.
pub struct ImportRequest {
    /// The owner's short name of the connection.
    pub name: ConnectionName,
    /// The owner's label; `None` leaves an existing one.
    pub display_name: Option<DisplayName>,
    /// What the records look like.
    pub declaration: SourceDeclaration,
    /// The id to use if the connection is new.
    pub new_id: ConnectionId,
    /// Report what would happen and write nothing.
    pub dry_run: bool,
}

/// Items as they come.
pub type ImportItems = Box<dyn Iterator<Item = std::io::Result<ImportItem>> + Send>;

impl Engine {
    /// Imports items into a connection, creating it when its name is new.
    pub async fn import(
        &self,
        _: &OwnerAccess,
        request: ImportRequest,
        items: ImportItems,
        progress: Box<dyn Fn(&ImportProgress) + Send + Sync>,
    ) -> Result<ImportReport, ApiError> {
        self.import_merging(request, MergeRule::Replace, items, progress).await
    }

    /// Imports items into a connection, as [`Engine::import`] does, under a rule for what is there.
    pub async fn import_with(
        &self,
        _: &OwnerAccess,
        request: ImportRequest,
        rule: MergeRule,
        items: ImportItems,
        progress: Box<dyn Fn(&ImportProgress) + Send + Sync>,
    ) -> Result<ImportReport, ApiError> {
        self.import_merging(request, rule, items, progress).await
    }

    async fn import_merging(
        &self,
        mut request: ImportRequest,
        rule: MergeRule,
        items: ImportItems,
        progress: Box<dyn Fn(&ImportProgress) + Send + Sync>,
    ) -> Result<ImportReport, ApiError> {
        request.declaration = request.declaration.with_conversations();
        let checker = RecordChecker::new(&request.declaration, self.shared.store.hash_key())?;
        let checker = Arc::new(checker);
        let declaration = request.declaration.clone();
        let mut run = self.begin(request).await?;
        // A connection that is new has nothing to merge with.
        let merges = rule != MergeRule::Replace && run.report.connection_id.is_some();
        run.merge = merges.then(|| (rule, Arc::clone(&checker), declaration));
        let (send, mut receive) = mpsc::channel::<std::io::Result<CheckedBatch>>(2);
        let reading =
            tokio::task::spawn_blocking(move || read_batches(&checker, items, merges, &send));
        while let Some(batch) = receive.recv().await {
            let batch = batch.map_err(|error| {
                let message = format!("the source cannot be read: {error}");
                run.stopped(ApiError::new(ErrorCode::Unavailable, message))
            })?;
            let taken = run.take(self, batch).await;
            taken.map_err(|error| run.stopped(error))?;
            progress(&run.progress);
        }
        reading
            .await
            .map_err(|_| ApiError::new(ErrorCode::ApiFault, "the import stopped unexpectedly"))?;
        run.finish(self).await
    }

    async fn begin(&self, request: ImportRequest) -> Result<Run, ApiError> {
        let which = ConnectionRef::Name(request.name.clone());
        let existing = self.shared.store.find_connection(&which).await.map_err(from_store)?;
        let existing = existing.map(|connection| connection.id);
        let mut run = Run::new(existing, request.name.clone(), request.dry_run);
        if !request.dry_run {
            run.planned = Some(NewConnection {
                id: request.new_id,
                name: request.name,
                display_name: request.display_name,
                declaration: request.declaration,
                now: self.shared.clock.now(),
            });
        }
        // One that is there takes its new declaration first; a new one waits until it is needed.
        if run.report.connection_id.is_some() {
            run.settle(self).await?;
        }
        Ok(run)
    }
}
