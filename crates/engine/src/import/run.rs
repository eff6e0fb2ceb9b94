//! An import under way: what is written, set aside and counted.

use std::collections::BTreeMap;

use pdpp_contract::{ApiError, ConnectionId, ConnectionName, ErrorCode, StreamName};
use pdpp_store::connections::NewConnection;
use pdpp_store::writes::{QuarantinedItem, WriteMode, WriteOutcome};

use super::batch::{Batch, Place, Refused};
use super::report::{ImportProgress, ImportReason, ImportRejection, ImportReport, StreamCounts};
use crate::Engine;
use crate::ingest::refusal;
use crate::refusal::from_store;

/// Most refusals a report lists.
const LISTED_REJECTIONS: usize = 20;
/// Bytes of refused lines that wait for a new connection to be worth making.
const MAX_HELD_BYTES: usize = 8 * 1024 * 1024;

/// An import under way.
pub(super) struct Run {
    pub(super) report: ImportReport,
    pub(super) progress: ImportProgress,
    /// The connection as it is to be, until it is so.
    pub(super) planned: Option<NewConnection>,
    /// Refused lines of a connection that is not there yet.
    held: Vec<QuarantinedItem>,
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
        };
        let progress = ImportProgress::default();
        Self { report, progress, planned: None, held: Vec::new(), held_bytes: 0 }
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

    /// Sets refused lines aside, now or when there is a connection to set them aside for.
    async fn keep(&mut self, engine: &Engine, items: Vec<QuarantinedItem>) -> Result<(), ApiError> {
        if items.is_empty() || self.report.dry_run {
            return Ok(());
        }
        if let (Some(id), None) = (&self.report.connection_id, &self.planned) {
            let now = engine.shared.clock.now();
            return engine.shared.store.quarantine(id, items, now).await.map_err(from_store);
        }
        let size =
            |item: &QuarantinedItem| item.item.len() + item.message.len() + item.source.len();
        self.held_bytes += items.iter().map(size).sum::<usize>();
        self.held.extend(items);
        Ok(())
    }

    pub(super) async fn take(&mut self, engine: &Engine, batch: Batch) -> Result<(), ApiError> {
        let Batch { records, places, mut rejected, lines, bytes } = batch;
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
                let written = store.write_records(id, records, mode).await.map_err(from_store)?;
                let gone =
                    || ApiError::new(ErrorCode::Conflict, "the connection was removed meanwhile");
                written.ok_or_else(gone)?.outcomes
            }
        };
        for ((outcome, place), stream) in outcomes.into_iter().zip(places).zip(streams) {
            if let Some((code, message)) = refusal(outcome, place.deletes) {
                let Place { source, position, order, .. } = place;
                let (message, item) = (message.to_owned(), Vec::new());
                let item = QuarantinedItem { source, position, code, message, item };
                rejected.push(Refused { order, item });
            }
            self.count(stream, outcome);
        }
        rejected.sort_by_key(|refused| refused.order);
        let rejected: Vec<_> = rejected.into_iter().map(|refused| refused.item).collect();
        self.reject(&rejected);
        self.keep(engine, rejected).await?;
        self.report.seen += lines;
        self.progress.seen += lines;
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

    fn reject(&mut self, items: &[QuarantinedItem]) {
        for item in items {
            self.report.rejected += 1;
            *self.report.rejected_by_code.entry(item.code.as_str().to_owned()).or_default() += 1;
            let rejection = ImportRejection {
                source: item.source.clone(),
                position: item.position,
                code: item.code,
                message: item.message.clone(),
            };
            let reasons = &mut self.report.reasons;
            let counted = reasons.iter_mut().any(|reason| reason.takes(&rejection));
            if !counted && reasons.len() < LISTED_REJECTIONS {
                reasons.push(ImportReason::of(&rejection));
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
