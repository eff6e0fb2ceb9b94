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
pub use crate::import_report::{ImportProgress, ImportRejection, ImportReport};
use crate::ingest::refusal;
use crate::line::{LineChecker, LineFault};
use crate::refusal::from_store;

/// A batch is written when it has this many records …
const BATCH_RECORDS: usize = 1_000;
/// … or this many bytes of lines.
const BATCH_BYTES: usize = 4 * 1024 * 1024;
/// Most refusals a report lists.
const LISTED_REJECTIONS: usize = 20;
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
    places: Vec<(String, u64)>,
    rejected: Vec<QuarantinedItem>,
    lines: u64,
    bytes: u64,
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
                ApiError::new(ErrorCode::Unavailable, format!("the source cannot be read: {error}"))
            })?;
            run.take(self, batch).await?;
            progress(&run.progress);
        }
        reading
            .await
            .map_err(|_| ApiError::new(ErrorCode::ApiFault, "the import stopped unexpectedly"))?;
        run.finish(self).await
    }

    async fn begin(&self, request: ImportRequest) -> Result<Run, ApiError> {
        let which = ConnectionRef::Name(request.name.clone());
        let store = &self.shared.store;
        let connection_id = if request.dry_run {
            let existing = store.find_connection(&which).await.map_err(from_store)?;
            existing.map(|connection| connection.id)
        } else {
            let new = NewConnection {
                id: request.new_id,
                name: request.name.clone(),
                display_name: request.display_name,
                declaration: request.declaration,
                now: self.shared.clock.now(),
            };
            Some(store.ensure_connection(new).await.map_err(from_store)?.id)
        };
        Ok(Run::new(connection_id, request.name, request.dry_run))
    }
}

/// An import under way.
struct Run {
    report: ImportReport,
    progress: ImportProgress,
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
            quarantined: 0,
            dry_run,
        };
        Self { report, progress: ImportProgress::default() }
    }

    async fn take(&mut self, engine: &Engine, batch: Batch) -> Result<(), ApiError> {
        let Batch { records, places, mut rejected, lines, bytes } = batch;
        let store = &engine.shared.store;
        let outcomes = match &self.report.connection_id {
            // A dry run into a connection that does not exist yet: everything would be new.
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
        for (outcome, (source, position)) in outcomes.into_iter().zip(places) {
            if let Some((code, message)) = refusal(outcome) {
                let message = message.to_owned();
                rejected.push(QuarantinedItem {
                    source,
                    position,
                    code,
                    message,
                    item: Vec::new(),
                });
            }
            self.count(outcome);
        }
        self.reject(&rejected);
        if let Some(id) = self.report.connection_id.as_ref().filter(|_| !self.report.dry_run)
            && !rejected.is_empty()
        {
            let now = engine.shared.clock.now();
            store.quarantine(id, rejected, now).await.map_err(from_store)?;
        }
        self.report.seen += lines;
        self.progress.seen += lines;
        self.progress.bytes += bytes;
        if !self.report.dry_run {
            self.progress.committed += lines;
        }
        Ok(())
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
            if self.report.rejections.len() < LISTED_REJECTIONS {
                self.report.rejections.push(ImportRejection {
                    source: item.source.clone(),
                    position: item.position,
                    code: item.code,
                    message: item.message.clone(),
                });
            }
        }
    }

    async fn finish(mut self, engine: &Engine) -> Result<ImportReport, ApiError> {
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
        if batch.records.len() >= BATCH_RECORDS || batch_bytes >= BATCH_BYTES {
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
    let bytes = match content {
        Ok(bytes) => bytes,
        Err(RefusedLine { code, message, item }) => {
            batch.rejected.push(QuarantinedItem { source, position, code, message, item });
            return;
        }
    };
    // Kept until the line is known to be good; huge ones are not worth a second copy.
    let copy = if bytes.len() <= MAX_QUARANTINED_BYTES { bytes.clone() } else { Vec::new() };
    match checker.check(bytes, None) {
        Ok(record) => {
            batch.records.push(record);
            batch.places.push((source, position));
        }
        Err(LineFault { code, message }) => {
            batch.rejected.push(QuarantinedItem { source, position, code, message, item: copy });
        }
    }
}
