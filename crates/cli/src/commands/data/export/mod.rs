//! `pdpp export`: everything out again, in formats that other programs read.
//!
//! An export is made beside its directory and gets its name when it is whole.

mod account;
mod calendar;
mod contacts;
mod csv;
mod declaration;
mod directory;
mod field_text;
mod files;
mod format;
mod jsonl;
mod mail;
mod markdown;
mod property;
mod report;

use std::path::PathBuf;

use clap::Args;
use pdpp_store::connections::{Connection, ConnectionRef};

use self::account::ExportedAccount;
use self::directory::NewDirectory;
pub use self::format::ExportFormat;
use self::report::ExportReport;
use super::AsArgs;
use super::viewpoint::Viewpoint;
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// What names every account.
const ALL: &str = "all";

/// Export an account, or all of them, into a new directory
///
/// jsonl holds everything and can be imported again. The other formats hold what they can carry; the
/// report, which is also written to export.json, lists what they cannot.
#[derive(Debug, Args)]
pub struct DataExportArgs {
    /// The account: its name or cin_ id; or all
    account: String,
    /// jsonl, csv, md, mbox (mail), ics (calendars) or vcf (contacts)
    #[arg(long, value_enum, value_name = "F", hide_possible_values = true)]
    format: ExportFormat,
    /// The directory to create; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    viewpoint: AsArgs,
}

/// Exports and reports.
pub async fn run(args: DataExportArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let viewpoint = Viewpoint::open(&args.viewpoint, app).await?;
    let accounts = accounts(&args.account, &viewpoint, app).await?;
    let directory = NewDirectory::create(&args.to)?;
    let mut report = ExportReport::new(args.format, &args.to, viewpoint.package.as_ref());
    for connection in accounts {
        let account = ExportedAccount { connection, viewpoint: &viewpoint, app };
        report.accounts.push(account.write(args.format, directory.path()).await?);
    }
    report.write_into(directory.path())?;
    directory.finish()?;
    output.answer(&report.document(), || report.words(app))?;
    // Whoever asked for an account's mail and got nothing of it should notice.
    Ok(if report.holds_nothing_but_left_out() { Exit::Data } else { Exit::Done })
}

/// The accounts that are meant and in view.
async fn accounts(
    name: &str,
    viewpoint: &Viewpoint,
    app: &CliApp,
) -> Result<Vec<Connection>, Failure> {
    use pdpp_contract::ReadApi;
    let in_view = viewpoint.reader.sources().await?;
    let wanted = match name {
        ALL => None,
        name => Some(app.connection(&connection_ref(name)?).await?.id),
    };
    let mut found = Vec::new();
    for source in in_view {
        let id = source.connection.connection_id;
        if wanted.as_ref().is_none_or(|wanted| *wanted == id) {
            found.push(app.connection(&ConnectionRef::Id(id)).await?);
        }
    }
    match wanted {
        Some(id) if found.is_empty() => {
            let message = format!("no connection {id} in view");
            let code = pdpp_contract::ErrorCode::ConnectionNotFound;
            Err(pdpp_contract::ApiError::new(code, message).into())
        }
        _ => Ok(found),
    }
}
