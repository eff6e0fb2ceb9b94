//! The owner's ingest call: a batch of lines for one stream, taken whole or not at all.

use pdpp_auth::OwnerAccess;
use pdpp_contract::error::Rejection;
use pdpp_contract::import::{ImportRecord, Rejected};
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, RecordId, StreamName};
use pdpp_store::connections::ConnectionRef;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::writes::{WriteMode, WriteOutcome};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Engine;
use crate::Shared;
use crate::import::checker::RecordChecker;
use crate::refusal::from_store;
use crate::view::no_connection;

/// Most rejections an answer lists.
const MAX_REJECTIONS: usize = 100;

/// A batch for one stream of one connection.
#[derive(Debug, Clone)]
pub struct IngestRequest {
    /// The connection.
    pub connection_id: ConnectionId,
    /// The stream.
    pub stream: StreamName,
    /// One record line per line; blank lines are skipped.
    pub body: Vec<u8>,
}

/// What a batch did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IngestReport {
    /// The stream.
    pub stream: StreamName,
    /// Lines with content.
    pub records_attempted: u64,
    /// Lines taken; the same number, or the call was refused.
    pub records_accepted: u64,
    /// Always 0: one refused line refuses the batch.
    pub records_rejected: u64,
    /// New records.
    pub records_added: u64,
    /// Records with other data than before.
    pub records_changed: u64,
    /// Records that were there already.
    pub records_unchanged: u64,
    /// Records that left the stream.
    pub records_deleted: u64,
}

impl Engine {
    /// Takes a batch, all of it or nothing. The same batch again changes nothing.
    pub async fn ingest(
        &self,
        _: &OwnerAccess,
        request: IngestRequest,
    ) -> Result<IngestReport, ApiError> {
        let IngestRequest { connection_id, stream, body } = request;
        let checker = checker(&self.shared, &connection_id, &stream).await?;
        let path_stream = stream.clone();
        let checked = tokio::task::spawn_blocking(move || check_all(&checker, &path_stream, &body));
        let batch = checked
            .await
            .map_err(|_| ApiError::new(ErrorCode::ApiFault, "the batch could not be checked"))??;
        let place =
            |(position, record): &(u64, PreparedRecord)| (*position, record.content.is_none());
        let places: Vec<(u64, bool)> = batch.iter().map(place).collect();
        let records = batch.into_iter().map(|(_, record)| record).collect();
        let outcome = self
            .shared
            .store
            .write_records(&connection_id, records, WriteMode::AllOrNothing)
            .await
            .map_err(from_store)?
            .ok_or_else(|| no_connection(&connection_id))?;
        if !outcome.kept {
            return Err(store_rejections(&places, &outcome.outcomes).into_error());
        }
        let count = |wanted: WriteOutcome| {
            let same = outcome.outcomes.iter().filter(|outcome| **outcome == wanted);
            u64::try_from(same.count()).unwrap_or(u64::MAX)
        };
        let attempted = u64::try_from(places.len()).unwrap_or(u64::MAX);
        Ok(IngestReport {
            stream,
            records_attempted: attempted,
            records_accepted: attempted,
            records_rejected: 0,
            records_added: count(WriteOutcome::Added),
            records_changed: count(WriteOutcome::Changed),
            records_unchanged: count(WriteOutcome::Unchanged) + count(WriteOutcome::Absent),
            records_deleted: count(WriteOutcome::Deleted),
        })
    }

    /// Takes one record out and erases it. A record that is not there is gone already.
    pub async fn delete_record(
        &self,
        _: &OwnerAccess,
        connection: &ConnectionId,
        stream: &StreamName,
        id: &RecordId,
    ) -> Result<(), ApiError> {
        checker(&self.shared, connection, stream).await?;
        let now = self.shared.clock.now();
        let erased = self.shared.store.erase_record(connection, stream, id, now).await;
        erased.map(|_| ()).map_err(from_store)
    }

    /// Takes every record out of a stream and erases them; says how many there were.
    pub async fn delete_stream_records(
        &self,
        _: &OwnerAccess,
        connection: &ConnectionId,
        stream: &StreamName,
    ) -> Result<u64, ApiError> {
        checker(&self.shared, connection, stream).await?;
        let now = self.shared.clock.now();
        self.shared.store.erase_stream(connection, stream, now).await.map_err(from_store)
    }
}

/// A checker for a connection that carries the stream.
async fn checker(
    shared: &Shared,
    connection: &ConnectionId,
    stream: &StreamName,
) -> Result<RecordChecker, ApiError> {
    let which = ConnectionRef::Id(connection.clone());
    let found = shared.store.find_connection(&which).await.map_err(from_store)?;
    let found = found.ok_or_else(|| no_connection(connection))?;
    let declaration = shared.declarations.get(found.declaration).await?;
    if declaration.stream(stream).is_none() {
        let message = format!("the connection declares no stream {stream}");
        return Err(ApiError::new(ErrorCode::NotFound, message).param("stream"));
    }
    RecordChecker::new(&declaration.source, shared.store.hash_key())
}

type Checked = Vec<(u64, PreparedRecord)>;

fn check_all(
    checker: &RecordChecker,
    stream: &StreamName,
    body: &[u8],
) -> Result<Checked, ApiError> {
    let (mut records, mut rejections) = (Vec::new(), Rejections::default());
    for (position, line) in (0..).zip(body.split(|byte| *byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let read = ImportRecord::parse(line.to_vec(), Some(stream));
        match read.and_then(|record| checker.check(record)) {
            // Once a line is rejected nothing will be written, so the good ones need not be kept.
            Ok(_) if rejections.count > 0 => {}
            Ok(record) => records.push((position, record)),
            Err(rejected) => {
                records = Vec::new();
                rejections.add(position, rejected);
            }
        }
    }
    if rejections.count == 0 { Ok(records) } else { Err(rejections.into_error()) }
}

fn store_rejections(places: &[(u64, bool)], outcomes: &[WriteOutcome]) -> Rejections {
    let mut rejections = Rejections::default();
    for ((position, deletes), outcome) in places.iter().zip(outcomes) {
        if let Some(rejected) = write_rejection(*outcome, *deletes) {
            rejections.add(*position, rejected);
        }
    }
    rejections
}

/// Why the store rejected a record, if it did.
pub(crate) fn write_rejection(outcome: WriteOutcome, deletes: bool) -> Option<Rejected> {
    let (code, message) = match outcome {
        WriteOutcome::RefusedAppendOnly if deletes => (
            ErrorCode::AppendOnlyConflict,
            "the stream only grows: its records cannot be deleted one by one",
        ),
        WriteOutcome::RefusedAppendOnly => (
            ErrorCode::AppendOnlyConflict,
            "the stream only grows: a record with this key is there with other data",
        ),
        WriteOutcome::RefusedUnknownStream => {
            (ErrorCode::InvalidRecord, "the declaration has no stream of this name")
        }
        WriteOutcome::Added
        | WriteOutcome::Changed
        | WriteOutcome::Unchanged
        | WriteOutcome::Deleted
        | WriteOutcome::Absent => return None,
    };
    Some(Rejected::because(code, message))
}

/// The rejected lines of a batch: the first of them, and how many there are. A batch of nothing but
/// wrong lines costs no more memory than its body.
#[derive(Default)]
struct Rejections {
    first: Vec<Rejection>,
    count: u64,
}

impl Rejections {
    fn add(&mut self, input_index: u64, rejected: Rejected) {
        self.count += 1;
        if self.first.len() < MAX_REJECTIONS {
            let Rejected { code, message, .. } = rejected;
            self.first.push(Rejection { input_index, code, message });
        }
    }

    fn into_error(self) -> ApiError {
        let Self { first, count } = self;
        let code = first.first().map_or(ErrorCode::InvalidRecord, |first| first.code);
        let listed = if count > u64::try_from(first.len()).unwrap_or(u64::MAX) {
            format!(" (the first {MAX_REJECTIONS} are listed)")
        } else {
            String::new()
        };
        let message = format!(
            "{count} lines were refused{listed}, so nothing was written; mend them and send the batch again"
        );
        let mut error = ApiError::new(code, message);
        error.rejections = first;
        error
    }
}
