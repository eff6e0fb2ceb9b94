//! One import of one export: the declaration it gets, the records it brings, its report.

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::import::ImportItem;
use pdpp_contract::{ConnectionName, Instant, SourceDeclaration};
use pdpp_engine::import::{ImportReport, ImportRequest, MergeRule, time_of};
use pdpp_import::blobs::{Blobs, DiscardBlobs};
use pdpp_import::feed::feed;
use pdpp_import::format::{PrepareError, PreparedExport};
use pdpp_import::sink::{ImportSetting, Sink};
use pdpp_store::connections::ConnectionRef;

use super::attached::Attached;
use super::progress::Progress;
use super::redeclaring::{self, Dropped};
use super::singer_state;
use super::text_process::text_reader;
use crate::app::CliApp;
use crate::failure::{Exit, Failure};

/// How far apart two zones can be.
const ZONE_SECONDS: i64 = 26 * 60 * 60;

/// Where records go, and how they are read.
pub struct ImportJob {
    /// The account.
    pub name: ConnectionName,
    /// Its label; `None` leaves an existing one.
    pub display_name: Option<DisplayName>,
    /// The zone of times that name none.
    pub zone: Option<TimeZone>,
    /// Whether records of another source may be left behind.
    pub replace_declaration: bool,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// What an import did, and what is no longer declared.
pub struct ImportOutcome {
    /// What it did.
    pub report: ImportReport,
    /// What the account declared before.
    pub dropped: Vec<Dropped>,
}

impl ImportJob {
    /// Imports what was prepared. `place` names the export where it cannot be read.
    pub async fn run(
        &self,
        mut prepared: PreparedExport,
        place: &Path,
        progress: &Progress,
        app: &CliApp,
    ) -> Result<ImportOutcome, Failure> {
        let known = redeclaring::declared(app, &self.name).await?;
        if let Some(known) = &known {
            keep_known_streams(known, &mut prepared.declaration);
        }
        let dropped = redeclaring::dropped(
            known.as_ref(),
            &prepared.declaration,
            (&self.name, self.replace_declaration),
        )?;
        let state = prepared.state.clone();
        let report = self.import(prepared, place, progress, app).await?;
        // A tap that is told of records that were not taken would never send them again.
        let is_made = report.connection_id.is_some() && !self.dry_run;
        if let Some(state) = state.filter(|_| is_made) {
            singer_state::keep(&app.data_dir, &self.name, &state)?;
        }
        Ok(ImportOutcome { report, dropped })
    }

    async fn import(
        &self,
        prepared: PreparedExport,
        place: &Path,
        progress: &Progress,
        app: &CliApp,
    ) -> Result<ImportReport, Failure> {
        let read_bytes = prepared.export().read_bytes();
        let blobs: Box<dyn Blobs> =
            if self.dry_run { Box::new(DiscardBlobs) } else { Box::new(Attached::new(app)) };
        let setting = ImportSetting {
            emitted_at: app.clock.now().to_string(),
            zone: self.zone.clone().unwrap_or(TimeZone::UTC),
            blobs,
            texts: text_reader(),
        };
        let declaration = prepared.declaration.clone();
        let rule = self.merge_rule(&prepared, app).await?;
        // The rounds that looked at the source counted too.
        read_bytes.store(0, std::sync::atomic::Ordering::Relaxed);
        let mut items = feed(setting, move |sink| prepared.read(sink));
        let notes = items.notes();
        // An export in which nothing is found makes no connection and changes none.
        let Some(first) = tokio::task::block_in_place(|| items.next()) else {
            return Err(nothing_found(place));
        };
        let request = ImportRequest {
            name: self.name.clone(),
            display_name: self.display_name.clone(),
            declaration,
            new_id: app.new_connection_id()?,
            dry_run: self.dry_run,
        };
        let items = Box::new(std::iter::once(first).chain(items));
        let listener = progress.listener_reading(read_bytes);
        let owner = app.owner();
        let mut report = app.engine.import_with(&owner, request, rule, items, listener).await?;
        report.notes = notes.list();
        if notes.met_local_times() {
            report.notes.push(zone_note(self.zone.as_ref()));
        }
        if let Some(connection) = report.connection_id.clone().filter(|_| !self.dry_run) {
            app.note("import", connection, report.added + report.changed + report.deleted).await?;
        }
        Ok(report)
    }

    /// Whether the export is older than what the account holds: its newest record tells. To find it
    /// the export is read once more, and only when there is something to compare it with.
    async fn merge_rule(
        &self,
        prepared: &PreparedExport,
        app: &CliApp,
    ) -> Result<MergeRule, Failure> {
        if prepared.format().is_live() {
            return Ok(MergeRule::Replace);
        }
        let which = ConnectionRef::Name(self.name.clone());
        let Some(connection) = app.store.find_connection(&which).await? else {
            return Ok(MergeRule::Newer);
        };
        let Some(known) = redeclaring::declared(app, &self.name).await? else {
            return Ok(MergeRule::Newer);
        };
        let stored = app.engine.newest_record(&connection.id, &known).await?;
        let Some(stored) = stored else { return Ok(MergeRule::Newer) };
        let (now, zone) = (app.clock.now(), self.zone.clone());
        let newest = tokio::task::block_in_place(|| newest(prepared, now, zone));
        let is_older = newest.is_some_and(|newest| {
            // Another zone moves all times; that makes no export older.
            let seconds = stored.unix_seconds().saturating_sub(newest.unix_seconds());
            seconds > if self.zone.is_some() { ZONE_SECONDS } else { 0 }
        });
        Ok(if is_older { MergeRule::Older } else { MergeRule::Newer })
    }
}

/// How times without a zone were read, and how to read them otherwise.
fn zone_note(zone: Option<&TimeZone>) -> String {
    match zone.and_then(TimeZone::iana_name) {
        Some(zone) => format!("times without a time zone were read in {zone}"),
        None => {
            "times without a time zone were read as UTC; to read them in yours, import the same \
                 again with --time-zone, such as --time-zone Europe/Berlin: the records change in \
                 place"
                .to_owned()
        }
    }
}

/// The time of the newest record of an export; what is still to come does not count.
fn newest(prepared: &PreparedExport, now: Timestamp, zone: Option<TimeZone>) -> Option<Instant> {
    let mut setting = ImportSetting {
        emitted_at: now.to_string(),
        zone: zone.unwrap_or(TimeZone::UTC),
        blobs: Box::new(DiscardBlobs),
        texts: Box::new(pdpp_import::texts::reader::NoTexts),
    };
    let (now, mut newest) = (Instant::from(now), None);
    let mut see = |item: ImportItem| {
        if let Ok(record) = item.content
            && let Some(data) = &record.data
            && let Some(stream) = prepared.declaration.stream(record.stream.as_str())
            && let Some(field) = &stream.cursor_field
        {
            newest = newest.max(time_of(data, field).filter(|time| *time <= now));
        }
        Ok(())
    };
    // What cannot be read is met again by the import itself.
    let _ = prepared.read(&mut Sink::new(&mut setting, &mut see));
    newest
}

/// Why an export could not be prepared.
pub fn not_prepared(error: PrepareError, place: &Path) -> Failure {
    match error {
        PrepareError::Io(error) => Failure::input(place, &error),
        PrepareError::Nothing(None) => nothing_found(place),
        PrepareError::Nothing(Some(why)) => {
            let message = format!("{}: nothing could be read; {why}", place.display());
            Failure::new(Exit::Data, "nothing_found", message)
        }
        PrepareError::TooMuch(why) => {
            let message = format!("{}: {why}; nothing was imported", place.display());
            Failure::new(Exit::Data, "too_much", message)
        }
        PrepareError::Undeclarable(faults) => Failure {
            message: format!(
                "{}: the detected declaration is invalid; nothing was imported",
                place.display()
            ),
            ..Failure::declaration(faults)
        },
    }
}

/// Streams that the connection has and this export does not stay declared.
fn keep_known_streams(known: &SourceDeclaration, declaration: &mut SourceDeclaration) {
    if known.source != declaration.source {
        return;
    }
    let missing = known.streams.iter();
    let missing = missing.filter(|stream| declaration.stream(stream.name.as_str()).is_none());
    let missing: Vec<_> = missing.cloned().collect();
    declaration.streams.extend(missing);
}

fn nothing_found(place: &Path) -> Failure {
    let message = format!("{}: nothing to import was found in it", place.display());
    Failure::new(Exit::Data, "nothing_found", message)
}
