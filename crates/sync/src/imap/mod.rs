//! A mailbox on a mail server. Nothing is ever changed there: folders are opened for reading alone, and
//! messages stay unread.
//!
//! A run compares every folder with what is remembered of it (`plan`), reads what is new, and only then
//! writes what moved or went: a message that moves is never without a place.

pub mod discovery;
mod flags;
mod folder_name;
mod messages;
mod places;
mod plan;
mod session;
mod wire;

use std::collections::BTreeSet;

use crate::credential::AccountSecret;
use crate::fault::SyncFault;
use crate::run::RunContext;
use crate::settings::ImapSettings;
use plan::FolderPlan;
use session::{Listed, MailSession};

/// What a test of the connection found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxTest {
    /// The folders that will be read, as labels.
    pub folders: Vec<String>,
    /// How the server tells what changed.
    pub changes: ChangeSupport,
}

/// How a server tells what changed since the last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeSupport {
    /// It tells everything (QRESYNC).
    Complete,
    /// It tells new flags; what went is found by comparing (CONDSTORE).
    Flags,
    /// Everything is compared.
    None,
}

/// Connects, signs in and looks at the folders; reads no message.
pub async fn test(
    settings: &ImapSettings,
    secret: &AccountSecret,
) -> Result<MailboxTest, SyncFault> {
    let mut session = MailSession::sign_in(settings, secret).await?;
    let chosen = chosen(settings, session.list().await?)?;
    let label = |listed: &Listed| folder_name::label(&listed.name, listed.delimiter.as_deref());
    let found =
        MailboxTest { folders: chosen.iter().map(label).collect(), changes: support(&session) };
    session.log_out().await;
    Ok(found)
}

fn support(session: &MailSession) -> ChangeSupport {
    match () {
        () if session.can("QRESYNC") => ChangeSupport::Complete,
        () if session.can("CONDSTORE") => ChangeSupport::Flags,
        () => ChangeSupport::None,
    }
}

/// Makes the records of an account what its mailbox is.
pub async fn sync(
    settings: &ImapSettings,
    secret: &AccountSecret,
    run: &RunContext,
) -> Result<(), SyncFault> {
    let mut session = MailSession::sign_in(settings, secret).await?;
    let outcome = sync_folders(settings, &mut session, run).await;
    run.note_bytes(session.received());
    if outcome.is_ok() {
        session.log_out().await;
    }
    outcome
}

async fn sync_folders(
    settings: &ImapSettings,
    session: &mut MailSession,
    run: &RunContext,
) -> Result<(), SyncFault> {
    let listed = session.list().await?;
    let names: BTreeSet<String> = listed.iter().map(|folder| folder.name.clone()).collect();
    // Every mailbox has an inbox. A list without one must not make everything look deleted.
    if !names.iter().any(|name| name.eq_ignore_ascii_case("INBOX")) {
        let what = "a list of folders without INBOX".to_owned();
        return Err(SyncFault::Protocol { host: settings.host.clone(), what });
    }
    let folders = chosen(settings, listed)?;
    let remembered = run.folder_states().await?;
    let mut plans = Vec::new();
    for folder in &folders {
        let label = folder_name::label(&folder.name, folder.delimiter.as_deref());
        let state = remembered.iter().find(|state| state.folder == folder.name);
        let state = state.map(|state| state.state_json.as_str());
        // It may have gone since it was listed.
        let Some(plan) = plan::make(session, run, folder, &label, state).await? else { continue };
        plans.push(plan);
    }
    run.expect_items(plans.iter().map(|plan| plan.new.len()).sum());
    for plan in &plans {
        messages::read_new(session, run, plan).await?;
    }
    // A folder that is there and not chosen any more stays as it was read.
    for state in remembered.iter().filter(|state| !names.contains(&state.folder)) {
        plans.push(FolderPlan::of_gone(run, &state.folder).await?);
    }
    for plan in &plans {
        places::settle(run, plan, settings.mirror_deletions).await?;
    }
    Ok(())
}

/// The folders to read.
fn chosen(settings: &ImapSettings, listed: Vec<Listed>) -> Result<Vec<Listed>, SyncFault> {
    if settings.folders.is_empty() {
        return Ok(listed.into_iter().filter(|folder| !folder.is_waste).collect());
    }
    let is_named = |folder: &Listed, wanted: &String| {
        folder.name == *wanted
            || folder_name::label(&folder.name, folder.delimiter.as_deref()) == *wanted
            || wanted.eq_ignore_ascii_case("INBOX") && folder.name.eq_ignore_ascii_case("INBOX")
    };
    let missing =
        settings.folders.iter().find(|wanted| !listed.iter().any(|one| is_named(one, wanted)));
    if let Some(folder) = missing {
        return Err(SyncFault::NoFolder { folder: folder.clone() });
    }
    let is_wanted =
        |folder: &Listed| settings.folders.iter().any(|wanted| is_named(folder, wanted));
    Ok(listed.into_iter().filter(is_wanted).collect())
}
