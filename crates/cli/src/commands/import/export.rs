//! `pdpp import FORMAT`: reads an export in one of the known formats, or finds out which it is.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::tz::TimeZone;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ConnectionName, SourceDeclaration};
use pdpp_engine::import::{ImportReport, ImportRequest};
use pdpp_import::blobs::{Blobs, DiscardBlobs};
use pdpp_import::export::Export;
use pdpp_import::feed::feed;
use pdpp_import::format::{Format, PrepareError, PreparedExport};
use pdpp_import::sink::ImportSetting;
use pdpp_import::survey::survey;

use super::attached::Attached;
use super::progress::Progress;
use super::report::ReportUnit;
use super::spool::Spool;
use super::{redeclaring, report, singer_state, watch};
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note};

/// Where an export is and where it goes
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct ExportArgs {
    /// Files, folders and zip archives of one export; - reads standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Your name for this account, such as work-mail; created if new
    #[arg(long, value_name = "NAME")]
    connection: ConnectionName,
    /// Display name for people and agents [default: the name]
    #[arg(long, value_name = "TEXT")]
    display_name: Option<DisplayName>,
    /// Show what would happen without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Keep running and import again whenever the files change
    #[arg(long, conflicts_with = "dry_run")]
    watch: bool,
    /// Time zone for times without one, such as Europe/Berlin
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = time_zone)]
    time_zone: TimeZone,
    /// Use this declaration instead of the detected one (csv, json, singer)
    #[arg(long, value_name = "DECL.json")]
    declaration: Option<PathBuf>,
    /// Print the detected declaration, to save and edit it, and import nothing
    #[arg(long)]
    print_declaration: bool,
    /// Continue although the account holds records of another source
    #[arg(long)]
    replace_declaration: bool,
    /// Name of the stream for all records (csv, json)
    #[arg(long, value_name = "NAME")]
    stream: Option<String>,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

/// Imports in a format, or in the one that is recognised.
pub async fn run(
    format: Option<&'static Format>,
    args: ExportArgs,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    if let Some(format) = format {
        check_options(format, &args)?;
    }
    let spool = Spool::take_standard_input(&args.paths, &data_dir)?;
    let paths = spool.paths();
    if args.print_declaration {
        let declaration = prepare(format, &args, paths)?.declaration;
        output.answer(&declaration, || {
            serde_json::to_string_pretty(&declaration).unwrap_or_default()
        })?;
        return Ok(Exit::Done);
    }
    let app = CliApp::open_for_import(data_dir, args.dry_run).await?;
    if args.watch {
        let again = async || once(format, &args, paths, &app, output).await;
        return watch::run(paths, output, again).await;
    }
    once(format, &args, paths, &app, output).await
}

/// One import, from opening the files to the report.
async fn once(
    format: Option<&'static Format>,
    args: &ExportArgs,
    paths: &[PathBuf],
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let mut prepared = prepare(format, args, paths)?;
    let _arrivals = app.begin_arrivals(args.dry_run).await?;
    let known = redeclaring::declared(app, &args.connection).await?;
    if let Some(known) = &known {
        keep_known_streams(known, &mut prepared.declaration);
    }
    let meant = (&args.connection, args.replace_declaration);
    let dropped = redeclaring::dropped(known.as_ref(), &prepared.declaration, meant)?;
    let state = prepared.state.clone();
    let report = import(prepared, args, paths, app).await?;
    // A tap that is told of records that were not taken would never send them again.
    let is_made = report.connection_id.is_some() && !args.dry_run;
    if let Some(state) = state.filter(|_| is_made) {
        singer_state::keep(&app.data_dir, &args.connection, &state)?;
    }
    report::answer(&report, (ReportUnit::Item, &dropped), &app.data_dir, output)
}

async fn import(
    prepared: PreparedExport,
    args: &ExportArgs,
    paths: &[PathBuf],
    app: &CliApp,
) -> Result<ImportReport, Failure> {
    let export = prepared.export();
    let read_bytes = export.read_bytes();
    // The first round, which looked at the source, counted too.
    read_bytes.store(0, std::sync::atomic::Ordering::Relaxed);
    let size_bytes = export.size_bytes();
    let blobs: Box<dyn Blobs> =
        if args.dry_run { Box::new(DiscardBlobs) } else { Box::new(Attached::new(app)) };
    let setting = ImportSetting {
        emitted_at: app.clock.now().to_string(),
        zone: args.time_zone.clone(),
        blobs,
    };
    let declaration = prepared.declaration.clone();
    let mut items = feed(setting, move |sink| prepared.read(sink));
    let notes = items.notes();
    // An export in which nothing is found makes no connection and changes none.
    let Some(first) = tokio::task::block_in_place(|| items.next()) else {
        return Err(nothing_found(paths));
    };
    let progress = Progress::start(Some(size_bytes), args.quiet, args.dry_run);
    let listener = progress.listener_reading(read_bytes);
    let request = ImportRequest {
        name: args.connection.clone(),
        display_name: args.display_name.clone(),
        declaration,
        new_id: app.new_connection_id()?,
        dry_run: args.dry_run,
    };
    let items = Box::new(std::iter::once(first).chain(items));
    let report = app.engine.import(&app.owner(), request, items, listener).await;
    progress.finish();
    let mut report = report?;
    report.notes = notes.list();
    if let Some(connection) = report.connection_id.clone().filter(|_| !args.dry_run) {
        app.note("import", connection, report.added + report.changed + report.deleted).await?;
    }
    Ok(report)
}

fn prepare(
    format: Option<&'static Format>,
    args: &ExportArgs,
    paths: &[PathBuf],
) -> Result<PreparedExport, Failure> {
    let unreadable = |error: &io::Error| Failure::input(first(paths), error);
    let export = Export::open(paths).map_err(|error| unreadable(&error))?;
    let format = match format {
        Some(format) => format,
        None => {
            let found = survey(export.clone()).map_err(|error| unreadable(&error))?.exports;
            let found = found.into_iter().map(|found| found.format);
            let found = found.max_by_key(|format| format.recognise.rank);
            let found = found.ok_or_else(|| nothing_found(paths))?;
            note(&format!("Detected format: {}.", found.name));
            found
        }
    };
    check_options(format, args)?;
    let given = args.declaration.as_deref().map(given_declaration).transpose()?;
    format.prepare(export, given, args.stream.as_deref()).map_err(|error| match error {
        PrepareError::Io(error) => unreadable(&error),
        PrepareError::Nothing(None) => nothing_found(paths),
        PrepareError::Nothing(Some(why)) => {
            let message = format!("{}: nothing could be read; {why}", first(paths).display());
            Failure::new(Exit::Data, "nothing_found", message)
        }
        PrepareError::TooMuch(why) => {
            let message = format!("{}: {why}; nothing was imported", first(paths).display());
            Failure::new(Exit::Data, "too_much", message)
        }
        PrepareError::Undeclarable(faults) => Failure {
            message: format!(
                "{}: the detected declaration is invalid; nothing was imported",
                first(paths).display()
            ),
            ..Failure::declaration(faults)
        },
    })
}

/// Refuses what this format would ignore.
fn check_options(format: &Format, args: &ExportArgs) -> Result<(), Failure> {
    let name = format.name;
    if args.declaration.is_some() && !format.is_inferred() {
        let message = format!("{name} has a built-in declaration; remove --declaration");
        return Err(Failure::usage(message));
    }
    if args.stream.is_some() && !format.takes_stream() {
        let message = format!("{name} has built-in stream names; remove --stream");
        return Err(Failure::usage(message));
    }
    Ok(())
}

fn given_declaration(path: &Path) -> Result<SourceDeclaration, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(path, &error))?;
    SourceDeclaration::parse_new(&text).map_err(Failure::declaration)
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

fn nothing_found(paths: &[PathBuf]) -> Failure {
    let message = format!(
        "{}: nothing to import was found; name the format, or see: pdpp import --help",
        first(paths).display()
    );
    Failure::new(Exit::Data, "nothing_found", message)
}

fn first(paths: &[PathBuf]) -> &Path {
    paths.first().map_or(Path::new("-"), PathBuf::as_path)
}

fn time_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name).map_err(|_| "not a time zone; write it like Europe/Berlin".to_owned())
}
