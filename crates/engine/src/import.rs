//! Imports: lines are checked on one thread and written on another, good ones kept, bad ones set
//! aside with their reason.

use std::collections::BTreeMap;

use pdpp_auth::OwnerAccess;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ApiError, ConnectionId, ConnectionName, ErrorCode, SourceDeclaration};
use pdpp_store::connections::{ConnectionRef, NewConnection};
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::writes::{QuarantinedItem, WriteMode, WriteOutcome};
use tokio::sync::mpsc;

use crate::Engine;
pub use crate::import_report::{ImportProgress, ImportReason, ImportRejection, ImportReport};
use crate::ingest::refusal;
use crate::line::{LineChecker, LineFault};
use crate::refusal::from_store;

/// A batch is written when it has this many records …
const BATCH_RECORDS: usize = 1_000;
/// … or this many bytes of lines.
const BATCH_BYTES: usize = 4 * 1024 * 1024;
/// Most refusals a report lists.
const LISTED_REJECTIONS: usize = 20;
/// Bytes of refused lines that wait for a new connection to be worth making.
const MAX_HELD_BYTES: usize = 8 * 1024 * 1024;
/// A refused line longer than this is set aside without its content.
const MAX_QUARANTINED_BYTES: usize = 1024 * 1024;

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

/// One line of a source.
pub struct ImportLine {
    /// The source, such as a file name without its directory.
    pub source: String,
    /// The line's number, from 1.
    pub position: u64,
    /// The line, or why its reader refuses it.
    pub content: Result<Vec<u8>, RefusedLine>,
}

/// A line that its reader could not turn into a record.
pub struct RefusedLine {
    /// Why, as a code.
    pub code: ErrorCode,
    /// Why, for a person.
    pub message: String,
    /// What can be kept of it, so that a person recognises it.
    pub item: Vec<u8>,
}

impl ImportLine {
    fn len(&self) -> usize {
        self.content.as_ref().map_or_else(|refused| refused.item.len(), Vec::len)
    }
}

/// Lines as they come.
pub type ImportLines = Box<dyn Iterator<Item = std::io::Result<ImportLine>> + Send>;

/// A checked batch on its way to the store.
#[derive(Default)]
struct Batch {
    records: Vec<PreparedRecord>,
    places: Vec<Place>,
    rejected: Vec<Refused>,
    lines: u64,
    bytes: u64,
}

/// Where a record stood.
struct Place {
    source: String,
    position: u64,
    /// Its place in the batch, over all sources.
    order: u64,
    deletes: bool,
}

/// A refused line and its place in the batch.
struct Refused {
    order: u64,
    item: QuarantinedItem,
}

impl Engine {
    /// Imports lines into a connection, creating it when its name is new.
    pub async fn import(
        &self,
        _: &OwnerAccess,
        request: ImportRequest,
        lines: ImportLines,
        progress: Box<dyn Fn(&ImportProgress) + Send + Sync>,
    ) -> Result<ImportReport, ApiError> {
        let checker = LineChecker::new(&request.declaration, self.shared.store.hash_key())?;
        let mut run = self.begin(request).await?;
        let (send, mut receive) = mpsc::channel::<std::io::Result<Batch>>(2);
        let reading = tokio::task::spawn_blocking(move || read_batches(&checker, lines, &send));
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

/// An import under way.
struct Run {
    report: ImportReport,
    progress: ImportProgress,
    /// The connection as it is to be, until it is so.
    planned: Option<NewConnection>,
    /// Refused lines of a connection that is not there yet.
    held: Vec<QuarantinedItem>,
    held_bytes: usize,
}

impl Run {
    fn new(connection_id: Option<ConnectionId>, connection: ConnectionName, dry_run: bool) -> Self {
        let report = ImportReport {
            connection_id,
            connection,
            seen: 0,
            added: 0,
            changed: 0,
            unchanged: 0,
            deleted: 0,
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
    async fn settle(&mut self, engine: &Engine) -> Result<(), ApiError> {
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

    async fn take(&mut self, engine: &Engine, batch: Batch) -> Result<(), ApiError> {
        let Batch { records, places, mut rejected, lines, bytes } = batch;
        if !records.is_empty() || self.held_bytes > MAX_HELD_BYTES {
            self.settle(engine).await?;
        }
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
        for (outcome, place) in outcomes.into_iter().zip(places) {
            if let Some((code, message)) = refusal(outcome, place.deletes) {
                let Place { source, position, order, .. } = place;
                let (message, item) = (message.to_owned(), Vec::new());
                let item = QuarantinedItem { source, position, code, message, item };
                rejected.push(Refused { order, item });
            }
            self.count(outcome);
        }
        rejected.sort_by_key(|refused| refused.order);
        let rejected: Vec<_> = rejected.into_iter().map(|refused| refused.item).collect();
        self.reject(&rejected);
        self.keep(engine, rejected).await?;
        self.report.seen += lines;
        self.progress.seen += lines;
        self.progress.bytes += bytes;
        if !self.report.dry_run {
            self.progress.committed += lines;
        }
        Ok(())
    }

    /// Why the import stopped, and what of it is in the store: batches are kept one by one.
    fn stopped(&self, mut error: ApiError) -> ApiError {
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

    fn count(&mut self, outcome: WriteOutcome) {
        let counter = match outcome {
            WriteOutcome::Added => &mut self.report.added,
            WriteOutcome::Changed => &mut self.report.changed,
            WriteOutcome::Unchanged | WriteOutcome::Absent => &mut self.report.unchanged,
            WriteOutcome::Deleted => &mut self.report.deleted,
            WriteOutcome::RefusedAppendOnly | WriteOutcome::RefusedUnknownStream => return,
        };
        *counter += 1;
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

    async fn finish(mut self, engine: &Engine) -> Result<ImportReport, ApiError> {
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

/// Reads and checks lines, a batch at a time, until they end or nobody listens any more.
fn read_batches(
    checker: &LineChecker,
    lines: ImportLines,
    send: &mpsc::Sender<std::io::Result<Batch>>,
) {
    let mut batch = Batch::default();
    let mut batch_bytes = 0;
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                let _ = send.blocking_send(Err(error));
                return;
            }
        };
        batch.lines += 1;
        batch_bytes += line.len();
        add_line(checker, line, &mut batch);
        let records = batch.records.len() + batch.rejected.len();
        if records >= BATCH_RECORDS || batch_bytes >= BATCH_BYTES {
            batch.bytes = u64::try_from(batch_bytes).unwrap_or(u64::MAX);
            if send.blocking_send(Ok(std::mem::take(&mut batch))).is_err() {
                return;
            }
            batch_bytes = 0;
        }
    }
    if batch.lines > 0 {
        batch.bytes = u64::try_from(batch_bytes).unwrap_or(u64::MAX);
        // When nobody listens any more there is nobody to tell.
        let _ = send.blocking_send(Ok(batch));
    }
}

fn add_line(checker: &LineChecker, line: ImportLine, batch: &mut Batch) {
    let ImportLine { source, position, content } = line;
    let order = batch.lines;
    let bytes = match content {
        Ok(bytes) => bytes,
        Err(RefusedLine { code, message, item }) => {
            let item = QuarantinedItem { source, position, code, message, item };
            batch.rejected.push(Refused { order, item });
            return;
        }
    };
    // Kept until the line is known to be good; huge ones are not worth a second copy.
    let copy = if bytes.len() <= MAX_QUARANTINED_BYTES { bytes.clone() } else { Vec::new() };
    match checker.check(bytes, None) {
        Ok(record) => {
            let deletes = record.content.is_none();
            batch.records.push(record);
            batch.places.push(Place { source, position, order, deletes });
        }
        Err(LineFault { code, message }) => {
            let item = QuarantinedItem { source, position, code, message, item: copy };
            batch.rejected.push(Refused { order, item });
        }
    }
}
