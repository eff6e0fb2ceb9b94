//! Writes the entry: first it is made sure that it would work, then the settings are touched.

use std::path::PathBuf;

use pdpp_contract::ports::Clock as _;
use serde_json::{Value, json};

use super::{Plan, address, credential, leftover, refused};
use crate::clock::SystemClock;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::{Output, Style, note};
use crate::setup::{
    Change, ConfigFile, Edit, Entry, Health, KnownClient, Seen, Starting, added,
    answers_as_started, change_shown, client_health, entry_of,
};
use crate::words::Words;

/// Shows the change, makes it, and asks the client.
pub async fn run(plan: &Plan<'_>, output: &Output) -> Result<Exit, Failure> {
    let (client, seen) = (plan.client, plan.places.seen(plan.client));
    let file = plan.file()?;
    if seen == Seen::No {
        return Err(not_here(plan, file.path()));
    }
    let entry = plan.entry()?;
    let edit = added(client, file.text(), &entry).map_err(|fault| refused(plan, &file, &fault))?;
    let change = change_shown(client, &entry.name, file.text(), &edit.text);
    let refusal = match credential::check(&plan.starting, plan.store).await {
        Err(failure) if plan.dry_run => Some(failure.message),
        checked => checked.map(|()| None)?,
    };
    let done =
        if plan.dry_run { Done::default() } else { carry_out(plan, &file, &entry, &edit).await? };
    let health = match &seen {
        Seen::Program(program) if !plan.dry_run => {
            note_waiting(client, output);
            client_health(client, &entry.name, program).await
        }
        _ if plan.dry_run => Health::Unknown("nothing was changed".to_owned()),
        _ => Health::Unknown(format!("the program of {} is not in reach", client.title())),
    };
    let line: Vec<&str> = entry.line().collect();
    let document = json!({
        "client": client.name(),
        "name": entry.name,
        "file": file.path(),
        "change": edit.change.name(),
        "dry_run": plan.dry_run,
        "diff": change,
        "would_be_refused": refusal,
        "backup": done.backup,
        "command": line,
        "health": health_document(&health),
    });
    output.answer(&document, || {
        let mut words = Words::default();
        words.block(&super::removing::shown(&change, file.path(), output));
        if let Some(backup) = &done.backup {
            words.line(format!("The settings before: {}", backup.display()));
        }
        words.block(&address::words(plan, done.address.as_deref()));
        let store = address::named(plan, done.address.as_deref());
        words.block(&outcome(plan, &store, edit.change, &health, output));
        if let Some(refusal) = &refusal {
            words.line(format!("It would be refused: {refusal}"));
        }
        words.into_text()
    })?;
    Ok(if matches!(health, Health::Bad(_)) { Exit::Other } else { Exit::Done })
}

/// What was written.
#[derive(Default)]
struct Done {
    /// The file with the database's address.
    address: Option<PathBuf>,
    /// The copy of the settings as they were.
    backup: Option<PathBuf>,
}

/// Keeps the address, sees whether what the client will start answers, and replaces the settings.
async fn carry_out(
    plan: &Plan<'_>,
    file: &ConfigFile,
    entry: &Entry,
    edit: &Edit,
) -> Result<Done, Failure> {
    let before = entry_of(plan.client, file.text(), plan.name.as_str()).ok().flatten();
    let kept = address::keep(plan)?;
    let replaced = async {
        answers_as_started(entry).await?;
        match edit.change {
            Change::Unchanged => Ok(None),
            _ => file.replace(&edit.text, SystemClock.now()),
        }
    };
    let backup = replaced.await.inspect_err(|_| {
        if let Some(kept) = &kept {
            kept.undo();
        }
    })?;
    leftover::clear(plan, before.as_ref())?;
    Ok(Done { address: kept.map(|kept| kept.path().to_owned()), backup })
}

fn note_waiting(client: KnownClient, output: &Output) {
    if !output.is_json() {
        note(&format!("Asking {} …", client.title()));
    }
}

fn health_document(health: &Health) -> Value {
    let (state, said) = match health {
        Health::Good(said) => ("good", said),
        Health::Bad(said) => ("bad", said),
        Health::Unknown(said) => ("unknown", said),
    };
    json!({"state": state, "said": said})
}

/// How it went and what to try, with the store as the next command is told about it.
fn outcome(
    plan: &Plan<'_>,
    store: &DataDir,
    change: Change,
    health: &Health,
    output: &Output,
) -> String {
    let (title, name) = (plan.client.title(), plan.client.name());
    if plan.dry_run {
        let what = if change == Change::Unchanged { "needs no change" } else { "was not changed" };
        return format!("{title} {what}.\n");
    }
    let mut words = Words::default();
    words.line(match change {
        Change::Unchanged => format!("{title} was set up already."),
        _ => output.styled(Style::Strong, &format!("{title} is set up.")),
    });
    match health {
        Health::Good(said) => words.line(format!("It says: {said}")),
        Health::Bad(said) => {
            words.line(format!("{} {said}", output.styled(Style::Wrong, "But it says:")));
            words.line(format!("See what is wrong with: {}", store.advice("doctor")));
        }
        Health::Unknown(_) => {}
    }
    if change != Change::Unchanged {
        words.line(plan.client.reload());
    }
    let called = plan.name.as_str();
    words.line(format!("\nTry asking it: \"What can you read about me with {called}?\""));
    words.line(match &plan.starting {
        Starting::Local { .. } => format!("See what it read: {}", store.advice("audit")),
        Starting::Provider { url, .. } => {
            format!("See what it read: {}/owner/activity", url.as_str().trim_end_matches('/'))
        }
    });
    let named = if plan.name.is_default() { String::new() } else { format!(" --name {called}") };
    // Settings are all it needs.
    let directory = plan.store.clone().with_database(None);
    let remove = directory.advice(&format!("setup {name} --remove{named}"));
    words.line(format!("Take it back: {remove}"));
    words.into_text()
}

fn not_here(plan: &Plan<'_>, file: &std::path::Path) -> Failure {
    let title = plan.client.title();
    let print = plan.store.advice(&format!("{} --print", plan.command()));
    let command = plan.client.command().map(|command| format!("no program `{command}`, "));
    let message = format!(
        "{title} is not here: {}no {}; install it and start it once, or write the settings \
         yourself with: {print}",
        command.unwrap_or_default(),
        file.display()
    );
    Failure::new(Exit::Other, "client_not_found", message)
}
