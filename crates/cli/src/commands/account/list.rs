//! `pdpp account list`: every live account and how current it is.

use serde_json::{Value, json};

use super::{accounts, describe, fault};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::table::TextTable;

/// Lists the accounts by name.
pub async fn run(app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let (accounts, owner, now) = (accounts(app), app.owner(), app.clock.now());
    let unread = |error| fault::failure(error, "NAME", &app.data_dir);
    let mut listed = Vec::new();
    for account in accounts.list(&owner).await.map_err(unread)? {
        let last = accounts.runs(&owner, &account.connection, 1).await.map_err(unread)?.pop();
        listed.push((account, last));
    }
    let documents: Vec<Value> = listed
        .iter()
        .map(|(account, last)| describe::document(account, last.as_ref(), now, &app.data_dir))
        .collect();
    output.answer(&json!({ "accounts": documents }), || {
        if listed.is_empty() {
            let add = app.data_dir.advice("account add imap NAME --address you@example.org");
            return format!("No live accounts yet. Add one with: {add}\n");
        }
        let mut table = TextTable::new(&["name", "kind", "state", "current as of", "next run"]);
        for (account, last) in &listed {
            let current = account.current_at.map(|at| format!("{at:.0}"));
            let next = format!("{:.0}", account.next_run_at);
            table.row([
                account.name.to_string(),
                account.kind.clone(),
                describe::state(account, last.as_ref(), now).to_owned(),
                current.unwrap_or_else(|| "never".to_owned()),
                if account.is_paused { "paused".to_owned() } else { next },
            ]);
        }
        let mut text = table.render(output);
        for (account, last) in &listed {
            let last = last.as_ref();
            if let Some(words) =
                last.and_then(|run| describe::fault_words(run, account, &app.data_dir))
            {
                text.push_str(&format!("{}: {words}\n", account.name));
            }
        }
        text
    })?;
    Ok(Exit::Done)
}
