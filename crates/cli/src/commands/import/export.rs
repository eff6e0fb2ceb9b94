//! `pdpp import FORMAT`: reads an export in one of the known formats.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::tz::TimeZone;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::{ConnectionName, SourceDeclaration};
use pdpp_import::export::Export;
use pdpp_import::format::{Format, PreparedExport};

use super::job::{ImportJob, ImportOutcome, not_prepared};
use super::progress::Progress;
use super::report::ReportUnit;
use super::spool::Spool;
use super::{report, watch};
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

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
    /// Time zone for times without one, such as Europe/Berlin [default: UTC]
    #[arg(long, value_name = "ZONE", value_parser = time_zone)]
    time_zone: Option<TimeZone>,
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

/// Imports in a format.
pub async fn run(
    format: &'static Format,
    args: ExportArgs,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    check_options(format, &args)?;
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
    format: &'static Format,
    args: &ExportArgs,
    paths: &[PathBuf],
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let prepared = prepare(format, args, paths)?;
    let _arrivals = app.begin_arrivals(args.dry_run).await?;
    let job = ImportJob {
        name: args.connection.clone(),
        display_name: args.display_name.clone(),
        zone: args.time_zone.clone(),
        replace_declaration: args.replace_declaration,
        dry_run: args.dry_run,
    };
    let size_bytes = prepared.export().size_bytes();
    let progress = Progress::start(Some(size_bytes), args.quiet, args.dry_run);
    let outcome = job.run(prepared, first(paths), &progress, app).await;
    progress.finish();
    let ImportOutcome { report, dropped } = outcome?;
    report::answer(&report, (ReportUnit::Item, &dropped), &app.data_dir, output)
}

fn prepare(
    format: &'static Format,
    args: &ExportArgs,
    paths: &[PathBuf],
) -> Result<PreparedExport, Failure> {
    let place = first(paths);
    let export = Export::open(paths).map_err(|error| Failure::input(place, &error))?;
    let given = args.declaration.as_deref().map(given_declaration).transpose()?;
    let prepared = format.prepare(export, given, args.stream.as_deref());
    prepared.map_err(|error| not_prepared(error, place))
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

/// The first path, which names an export in messages.
pub fn first(paths: &[PathBuf]) -> &Path {
    paths.first().map_or(Path::new("-"), PathBuf::as_path)
}

/// Reads a time zone of the command line.
pub fn time_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name).map_err(|_| "not a time zone; write it like Europe/Berlin".to_owned())
}
