//! `pdpp account status`: one live account with its last runs.

use clap::Args;
use pdpp_store::connections::ConnectionRef;
use serde_json::{Value, json};

use super::{accounts, describe, fault};
use crate::app::CliApp;
use crate::commands::connection::connection_ref;
use crate::failure::{Exit, Failure};
use crate::output::table::{TextTable, grouped};
use crate::output::words::Words;
use crate::output::{Output, Style};

/// Runs that are shown.
const SHOWN_RUNS: u32 = 10;

/// Show how current an account is, its last runs and its faults
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The account: its name or cin_ id
    #[arg(value_name = "NAME", value_parser = connection_ref)]
    account: ConnectionRef,
}

/// Shows it.
pub async fn run(args: StatusArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let (accounts, owner, now) = (accounts(app), app.owner(), app.clock.now());
    let unread = |error| fault::failure(error, "NAME", &app.data_dir);
    let account = accounts.find(&owner, &args.account).await.map_err(unread)?;
    let runs = accounts.runs(&owner, &account.connection, SHOWN_RUNS).await.map_err(unread)?;
    let quarantined = app.store.quarantined(&account.connection).await?;
    let mut document = describe::document(&account, runs.first(), now, &app.data_dir);
    if let Some(members) = document.as_object_mut() {
        members.remove("last_run");
        members.insert("quarantined".to_owned(), json!(quarantined));
        let shown: Vec<Value> = runs.iter().map(describe::run_document).collect();
        members.insert("runs".to_owned(), Value::Array(shown));
    }
    output.answer(&document, || {
        let text = |name: &str| document.get(name).and_then(Value::as_str).unwrap_or("never");
        let mut words = Words::new(output.styled(Style::Strong, account.name.as_str()));
        words.line(format!("source         {} ({})", text("place"), account.kind));
        words.line(format!("state          {}", text("state")));
        words.line(format!("current as of  {}", text("current_at")));
        if !account.is_paused {
            words.line(format!("next run       {}", text("next_run_at")));
        }
        if quarantined > 0 {
            words.line(format!("quarantine     {quarantined} items could not be read"));
        }
        if let Some(fault) =
            runs.first().and_then(|run| describe::fault_words(run, &account, &app.data_dir))
        {
            words.line(format!("fault          {fault}"));
        }
        let mut table =
            TextTable::new(&["started", "by", "outcome", "#added", "#changed", "#kept", "#bytes"]);
        for run in &runs {
            let outcome = match (&run.fault, run.ended_at) {
                (Some(fault), _) => fault.code.clone(),
                (None, Some(_)) => "done".to_owned(),
                (None, None) => "running or interrupted".to_owned(),
            };
            table.row([
                format!("{:.0}", run.started_at),
                if run.is_scheduled { "schedule" } else { "owner" }.to_owned(),
                outcome,
                grouped(run.counts.added),
                grouped(run.counts.changed),
                grouped(run.counts.kept),
                grouped(run.counts.bytes),
            ]);
        }
        words.line("");
        words.block(&table.render(output));
        words.into_text()
    })?;
    Ok(Exit::Done)
}
