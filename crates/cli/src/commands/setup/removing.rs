//! Takes our entry out of a client's settings. The grant stays: it is ended where it was made.

use std::path::Path;

use pdpp_contract::ClientName;
use pdpp_contract::ports::Clock as _;
use serde_json::json;

use super::{Plan, refused};
use crate::app::clock::SystemClock;
use crate::data_dir::credentials::Credentials;
use crate::failure::{Exit, Failure};
use crate::output::words::Words;
use crate::output::{Output, Style, plain, quoted};
use crate::setup::{Entry, EntryStore, SettingsChange, change_shown, entry_of, removed, undone};

/// A tab as it is shown: where it stands, a terminal would make it any width.
const TAB: &str = "    ";

/// Removes the entry; that there is none is no fault.
pub fn run(plan: &Plan<'_>, output: &Output) -> Result<Exit, Failure> {
    let file = plan.file()?;
    let name = plan.name.as_str();
    let entry = entry_of(plan.client, file.text(), name).ok().flatten();
    let mut edit =
        removed(plan.client, file.text(), name).map_err(|fault| refused(plan, &file, &fault))?;
    if let Some(before) = undone(plan.client, file.text(), name, &file.copies()) {
        edit.text = before;
    }
    let change = change_shown(plan.client, name, file.text(), &edit.text);
    let changes = !plan.dry_run && edit.change == SettingsChange::Removed;
    let backup = if changes { file.replace(&edit.text, SystemClock.now())? } else { None };
    let document = json!({
        "client": plan.client.name(),
        "name": plan.name.as_str(),
        "file": file.path(),
        "change": edit.change.name(),
        "dry_run": plan.dry_run,
        "diff": change,
        "backup": backup,
    });
    output.answer(&document, || {
        let mut words = Words::default();
        words.block(&shown(&change, file.path(), output));
        if let Some(backup) = &backup {
            words.line(format!("Previous settings: {}", backup.display()));
        }
        words.line(outcome(plan, edit.change));
        if let Some(revoke) = entry.filter(|_| changes).and_then(|entry| grant_left(&entry, plan)) {
            words.line(format!("Its grant is still active; revoke it with: {revoke}"));
        }
        words.into_text()
    })?;
    Ok(Exit::Done)
}

/// The command that ends the grant of an entry, while there is one: a credential goes with its grant.
fn grant_left(entry: &Entry, plan: &Plan<'_>) -> Option<String> {
    let client = ClientName::new(entry.option("--client")?).ok()?;
    let store = EntryStore::of(entry, plan.store);
    let kept = Credentials::new(store.directory().credentials());
    kept.find(&client).ok()??;
    Some(store.advice(&format!("grant revoke {}", quoted(client.as_str()))))
}

fn outcome(plan: &Plan<'_>, change: SettingsChange) -> String {
    let (title, name) = (plan.client.title(), plan.name.as_str());
    match change {
        SettingsChange::Absent => {
            format!("{title} has no server named {name}; nothing was changed.")
        }
        _ if plan.dry_run => format!("{title} was not changed."),
        _ => format!("{title} no longer uses pdpp."),
    }
}

/// A change as it is shown to a person: the file, then the lines.
pub fn shown(change: &str, path: &Path, output: &Output) -> String {
    if change.is_empty() {
        return String::new();
    }
    let mut words = Words::new(path.display().to_string());
    for line in change.lines() {
        let style = match line.chars().next() {
            Some('+') => Style::Good,
            Some('-') => Style::Wrong,
            _ => Style::Faint,
        };
        words.line(format!("  {}", output.styled(style, &plain(&line.replace('\t', TAB)))));
    }
    words.into_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tab_is_shown_as_room_and_not_as_a_fault() {
        let said =
            shown("+ \t\"pdpp\": {\u{1b}\n", Path::new("mcp.json"), &Output::new(false, true));
        assert_eq!(said, "mcp.json\n  +     \"pdpp\": {\u{fffd}\n");
    }
}
