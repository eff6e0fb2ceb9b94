//! An import under way: what is written, set aside and counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use pdpp_contract::import::{Rejected, RejectedItem};
use pdpp_contract::{
    ApiError, ConnectionId, ConnectionName, ErrorCode, SourceDeclaration, StreamName,
};
use pdpp_store::connections::NewConnection;
use pdpp_store::writes::{WriteMode, WriteOutcome};

use super::batch::{CheckedBatch, Origin};
use super::checker::RecordChecker;
use super::merging::{MergeRule, Merging};
use super::report::{ImportProgress, ImportRejection, ImportReport, RejectionReason, StreamCounts};
use crate::Engine;
use crate::ingest::write_rejection;
use crate::refusal::from_store;

/// Most rejections a report lists.
const LISTED_REJECTIONS: usize = 20;
/// Bytes of rejected items that wait for a new connection to be worth making.
const MAX_HELD_BYTES: usize = 8 * 1024 * 1024;

/// An import under way.
pub(super) struct Run {
    pub(super) report: ImportReport,
    pub(super) progress: ImportProgress,
    /// The connection as it is to be, until it is so.
    pub(super) planned: Option<NewConnection>,
    /// How records are merged with those that are there, when they are.
    pub(super) merge: Option<(MergeRule, Arc<RecordChecker>, SourceDeclaration)>,
    /// Rejected items of a connection that is not there yet.
    held: Vec<RejectedItem>,
    held_bytes: usize,
}

impl Run {
    pub(super) fn new(
        connection_id: Option<ConnectionId>,
        connection: ConnectionName,
        dry_run: bool,
    ) -> Self {
        let report = ImportReport {
            connection_id,
            connection,
            seen: 0,
            added: 0,
            changed: 0,
            unchanged: 0,
            deleted: 0,
            streams: BTreeMap::new(),
            rejected: 0,
            rejected_by_code: BTreeMap::new(),
            rejections: Vec::new(),
            reasons: Vec::new(),
            quarantined: 0,
            dry_run,
            notes: Vec::new(),
        };
        let progress = ImportProgress::default();
        Self { report, progress, planned: None, merge: None, held: Vec::new(), held_bytes: 0 }
    }

    /// Makes the connection what it is to be. Before that, a file in which nothing is right leaves
    /// no trace.
    pub(super) async fn settle(&mut self, engine: &Engine) -> Result<(), ApiError> {
        let Some(planned) = self.planned.take() else {
            return Ok(());
        };
        let store = &engine.shared.store;
        let connection = store.ensure_connection(planned).await.map_err(from_store)?;
        self.report.connection_id = Some(connection.id);
        let held = std::mem::take(&mut self.held);
        self.keep(engine, held).await
    }

    /// Quarantines rejected items, now or when there is a connection to quarantine them for.
    async fn keep(&mut self, engine: &Engine, items: Vec<RejectedItem>) -> Result<(), ApiError> {
        if items.is_empty() || self.report.dry_run {
            return Ok(());
        }
        if let (Some(id), None) = (&self.report.connection_id, &self.planned) {
            let now = engine.shared.clock.now();
            return engine.shared.store.quarantine(id, items, now).await.map_err(from_store);
        }
        let size = |item: &RejectedItem| {
            item.rejected.item.len() + item.rejected.message.len() + item.source.len()
        };
        self.held_bytes += items.iter().map(size).sum::<usize>();
        self.held.extend(items);
        Ok(())
    }

    pub(super) async fn take(
        &mut self,
        engine: &Engine,
        batch: CheckedBatch,
    ) -> Result<(), ApiError> {
        let CheckedBatch { records, sources, origins, mut rejected, items, bytes } = batch;
        if !records.is_empty() || self.held_bytes > MAX_HELD_BYTES {
            self.settle(engine).await?;
        }
        let streams: Vec<StreamName> = records.iter().map(|one| one.stream.clone()).collect();
        let store = &engine.shared.store;
        let outcomes = match &self.report.connection_id {
            // Nothing to write, or a dry run into a connection that does not exist yet: everything
            // would be new.
            None => vec![WriteOutcome::Added; records.len()],
            Some(id) => {
                let mode =
                    if self.report.dry_run { WriteMode::DryRun } else { WriteMode::KeepGood };
                let written = match &self.merge {
                    Some((rule, checker, declaration)) => {
                        let (connection, rule) = (id, *rule);
                        let merging = Merging { engine, connection, declaration, checker, rule };
                        merging.write(records, sources, mode).await?
                    }
                    None => {
                        let written = store.write_records(id, records, mode).await;
                        written.map_err(from_store)?.map(|written| written.outcomes)
                    }
                };
                let gone =
                    || ApiError::new(ErrorCode::Conflict, "the connection was removed meanwhile");
                written.ok_or_else(gone)?
            }
        };
        for ((outcome, origin), stream) in outcomes.into_iter().zip(origins).zip(streams) {
            let Origin { source, position, order, deletes } = origin;
            if let Some(why) = write_rejection(outcome, deletes) {
                rejected.push((order, RejectedItem { source, position, rejected: why }));
            }
            self.count(stream, outcome);
        }
        rejected.sort_by_key(|(order, _)| *order);
        let rejected: Vec<_> = rejected.into_iter().map(|(_, item)| item).collect();
        self.reject(&rejected);
        self.keep(engine, rejected).await?;
        self.report.seen += items;
        self.progress.seen += items;
        self.progress.bytes += bytes;
        if !self.report.dry_run {
            let ImportReport { added, changed, deleted, .. } = &self.report;
            self.progress.written = added + changed + deleted;
        }
        Ok(())
    }

    /// Why the import stopped, and what of it is in the store: batches are kept one by one.
    pub(super) fn stopped(&self, mut error: ApiError) -> ApiError {
        let ImportReport { added, changed, unchanged, deleted, .. } = &self.report;
        let kept = if added + changed + unchanged + deleted == 0 {
            "; no record was imported".to_owned()
        } else {
            format!(
                "; imported so far: {added} added, {changed} changed, {unchanged} unchanged, \
                 {deleted} deleted; import the same again to go on"
            )
        };
        error.message.push_str(&kept);
        error
    }

    fn count(&mut self, stream: StreamName, outcome: WriteOutcome) {
        let mut one = StreamCounts::default();
        one.count(outcome);
        self.report.added += one.added;
        self.report.changed += one.changed;
        self.report.unchanged += one.unchanged;
        self.report.deleted += one.deleted;
        if one.all() > 0 {
            self.report.streams.entry(stream).or_default().count(outcome);
        }
    }

    fn reject(&mut self, items: &[RejectedItem]) {
        for RejectedItem { source, position, rejected: Rejected { code, message, .. } } in items {
            self.report.rejected += 1;
            *self.report.rejected_by_code.entry(code.as_str().to_owned()).or_default() += 1;
            let rejection = ImportRejection {
                source: source.clone(),
                position: *position,
                code: *code,
                message: message.clone(),
            };
            let reasons = &mut self.report.reasons;
            let counted = reasons.iter_mut().any(|reason| reason.takes(&rejection));
            if !counted && reasons.len() < LISTED_REJECTIONS {
                reasons.push(RejectionReason::of(&rejection));
            }
            if self.report.rejections.len() < LISTED_REJECTIONS {
                self.report.rejections.push(rejection);
            }
        }
    }

    pub(super) async fn finish(mut self, engine: &Engine) -> Result<ImportReport, ApiError> {
        // An empty file makes its connection, for records that will come another way.
        if self.report.rejected == 0 {
            self.settle(engine).await?;
        }
        if let Some(id) = &self.report.connection_id {
            let count = engine.shared.store.quarantined(id).await;
            self.report.quarantined = count.map_err(from_store)?;
        }
        Ok(self.report)
    }
}
