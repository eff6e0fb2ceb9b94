//! `pdpp import PATH…`: finds every export, shows a plan, imports all of it, says what is left out.

mod accounts;
mod answer;
mod plan;

use std::path::PathBuf;

use clap::Args;
use jiff::tz::TimeZone;
use pdpp_contract::ConnectionName;
use pdpp_contract::ids::DisplayName;
use pdpp_engine::import::ImportReport;
use pdpp_import::export::Export;
use pdpp_import::survey::{FoundExport, LeftOutKind, add_unread, survey};

use super::export::{first, time_zone};
use super::job::{ImportJob, not_prepared};
use super::progress::Progress;
use super::redeclaring::Dropped;
use super::spool::Spool;
use super::watch;
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note, prompt};
use accounts::PlannedAccount;

/// What is given and where it goes
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct EverythingArgs {
    /// Files, folders and zip archives; - reads standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Import without asking
    #[arg(long, short)]
    yes: bool,
    /// Your name for the account, such as work; with several sources the beginning of their names
    #[arg(long, value_name = "NAME")]
    connection: Option<ConnectionName>,
    /// Display name for people and agents [default: that of the source]
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
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

/// What came of one account.
struct AccountOutcome {
    account: ConnectionName,
    /// Its label, for people.
    label: String,
    exports: Vec<ExportOutcome>,
}

/// What came of one export.
struct ExportOutcome {
    format: &'static str,
    place: String,
    files: u64,
    result: Result<(ImportReport, Vec<Dropped>), Failure>,
}

/// Looks, shows, asks, imports and reports.
pub async fn run(
    args: EverythingArgs,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let spool = Spool::take_standard_input(&args.paths, &data_dir)?;
    let paths = spool.paths();
    let app = CliApp::open_for_import(data_dir, args.dry_run).await?;
    if args.watch {
        let again = async || once(&args, paths, &app, output).await;
        return watch::run(paths, output, again).await;
    }
    once(&args, paths, &app, output).await
}

async fn once(
    args: &EverythingArgs,
    paths: &[PathBuf],
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let place = first(paths);
    let unreadable = |error| Failure::input(place, &error);
    let found = Export::open(paths).and_then(survey).map_err(unreadable)?;
    if found.exports.is_empty() {
        return Err(plan::nothing_known(place, &found.left_out));
    }
    let prefix = (args.connection.as_ref(), args.display_name.as_ref());
    let accounts = accounts::plan(found.exports, prefix, app).await?;
    let plan = plan::words(&accounts, &found.left_out);
    if !args.quiet && !output.is_json() {
        note(plan.trim_end());
    }
    let asks = !(args.yes || args.dry_run || args.watch) && prompt::is_possible();
    if asks && !prompt::agreed("Import this?")? {
        note("Nothing was imported.");
        return Ok(Exit::Done);
    }
    let _arrivals = app.begin_arrivals(args.dry_run).await?;
    let (outcomes, left_out) = import(accounts, found.left_out, args, app).await;
    answer::answer(&outcomes, &left_out, args.dry_run, &app.data_dir, output)
}

/// Imports every account. What fails is reported and holds nothing up.
async fn import(
    accounts: Vec<PlannedAccount>,
    mut left_out: Vec<LeftOutKind>,
    args: &EverythingArgs,
    app: &CliApp,
) -> (Vec<AccountOutcome>, Vec<LeftOutKind>) {
    let size = |account: &PlannedAccount| -> u64 {
        account.exports.iter().map(|found| found.export.size_bytes()).sum()
    };
    let total = accounts.iter().map(size).sum();
    let mut progress = Progress::start(Some(total), args.quiet, args.dry_run);
    let mut outcomes = Vec::new();
    for PlannedAccount { name, label, display_name, exports, .. } in accounts {
        progress.name(&name);
        let job = ImportJob {
            name,
            display_name,
            zone: args.time_zone.clone(),
            replace_declaration: false,
            dry_run: args.dry_run,
        };
        let mut done = Vec::new();
        for found in exports {
            let FoundExport { format, place, export, files, .. } = found;
            let (size_bytes, selected) = (export.size_bytes(), export.clone());
            let path = PathBuf::from(&place);
            let prepared = format.prepare(export, None, None);
            let result = match prepared.map_err(|error| not_prepared(error, &path)) {
                Ok(prepared) => job.run(prepared, &path, &progress, app).await,
                Err(failure) => Err(failure),
            };
            progress.advance(size_bytes);
            left_out = add_unread(left_out, &selected);
            let result = result.map(|outcome| (outcome.report, outcome.dropped));
            done.push(ExportOutcome { format: format.name, place, files, result });
        }
        outcomes.push(AccountOutcome { account: job.name, label, exports: done });
    }
    progress.finish();
    (outcomes, left_out)
}
