//! `pdpp owner clock`: the time that the store has seen, and taking it back.

use clap::{Args, Subcommand};
use jiff::SignedDuration;
use pdpp_auth::AuditEvent;
use pdpp_contract::ports::Clock as _;
use serde_json::json;

use crate::app::App;
use crate::app::clock::SystemClock;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::confirm::agreed;
use crate::output::{Output, note};

/// The time of the store, which never goes back by itself
#[derive(Debug, Args)]
pub struct ClockArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the machine's clock and the newest time that the store has seen
    Show,
    /// Set the store's time back to the machine's clock, after a clock that was ahead
    ///
    /// Access that expired by the wrong time only opens again. Check the machine's clock first.
    Reset {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

/// Runs one of the actions.
pub async fn run(args: ClockArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let app = App::open_existing(data_dir).await?;
    match args.action {
        Action::Show => show(&app, output).await,
        Action::Reset { yes } => reset(yes, &app, output).await,
    }
}

async fn show(app: &App, output: &Output) -> Result<Exit, Failure> {
    let (seen, machine) = (app.store.seen_time().await?.at, SystemClock.now());
    let ahead = seen.duration_since(machine).max(SignedDuration::ZERO).as_secs();
    let document = json!({
        "machine": machine.to_string(),
        "seen": seen.to_string(),
        "seconds_ahead": ahead,
    });
    output.answer(&document, || {
        let told = format!("Machine     {machine:.0}\nStore seen  {seen:.0}\n");
        if ahead == 0 {
            return told;
        }
        let reset = app.data_dir.advice("owner clock reset");
        format!("{told}Access is judged by the store's time. If that is the wrong one: {reset}\n")
    })?;
    Ok(Exit::Done)
}

async fn reset(yes: bool, app: &App, output: &Output) -> Result<Exit, Failure> {
    let now = SystemClock.now();
    let question = format!("Is it {now:.0} (UTC) now? The store's time is set back to that.");
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
            "The store had seen {before:.0}; its time is {now:.0} now. Running servers follow within a minute.\n"
        ),
        None => "Nothing to set back: the store has seen no later time.\n".to_owned(),
    })?;
    Ok(Exit::Done)
}
