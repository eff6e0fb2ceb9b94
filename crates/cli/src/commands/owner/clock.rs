//! `pdpp owner clock`: the time that the store has seen, and taking it back.

use clap::{Args, Subcommand};
use jiff::SignedDuration;
use pdpp_contract::access::AuditEvent;
use pdpp_contract::ports::Clock as _;
use serde_json::json;

use crate::app::CliApp;
use crate::app::clock::SystemClock;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::prompt::agreed;
use crate::output::{Output, note};

/// Show or reset the clock of the store, which never goes back by itself
#[derive(Debug, Args)]
pub struct ClockArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the system clock and the clock of the store
    Show,
    /// Set the clock of the store back to the system clock, after the system clock was ahead
    ///
    /// Access that expired only by the wrong time works again. Check the system clock first.
    Reset {
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

/// Runs one of the actions.
pub async fn run(args: ClockArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let app = CliApp::open_existing(data_dir).await?;
    match args.action {
        Action::Show => show(&app, output).await,
        Action::Reset { yes } => reset(yes, &app, output).await,
    }
}

async fn show(app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let (seen, machine) = (app.store.seen_time().await?.at, SystemClock.now());
    let ahead = seen.duration_since(machine).max(SignedDuration::ZERO).as_secs();
    let document = json!({
        "machine": machine.to_string(),
        "seen": seen.to_string(),
        "seconds_ahead": ahead,
    });
    output.answer(&document, || {
        let told = format!("System clock  {machine:.0}\nStore clock   {seen:.0}\n");
        if ahead == 0 {
            return told;
        }
        let reset = app.data_dir.advice("owner clock reset");
        format!("{told}Access expires by the store clock. If that one is wrong: {reset}\n")
    })?;
    Ok(Exit::Done)
}

async fn reset(yes: bool, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let now = SystemClock.now();
    let question = format!("Is it {now:.0} (UTC) now? The store clock is set back to that.");
    if !yes && !agreed(&question)? {
        note("Nothing was changed.");
        return Ok(Exit::Other);
    }
    let before = app.store.reset_time(now, AuditEvent::by_owner(now, "clock_reset")).await?;
    let document = json!({
        "reset": before.is_some(),
        "before": before.map(|before| before.to_string()),
        "now": now.to_string(),
    });
    output.answer(&document, || match before {
        Some(before) => format!(
            "Set the store clock back from {before:.0} to {now:.0}. Running servers follow within a minute.\n"
        ),
        None => "Nothing to reset: the store clock is not ahead.\n".to_owned(),
    })?;
    Ok(Exit::Done)
}
