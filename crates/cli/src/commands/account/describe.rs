//! A live account for people and for scripts: how current it is, and what to do when it is not.

use jiff::Timestamp;
use pdpp_store::accounts::{StoredAccount, StoredRun};
use pdpp_sync::accounts::settings_of;
use pdpp_sync::fault::SyncFault;
use serde_json::{Value, json};

use super::fault;
use crate::data_dir::DataDir;
use crate::output::without_nulls;

/// How an account does, in one word.
pub fn state(account: &StoredAccount, last: Option<&StoredRun>, now: Timestamp) -> &'static str {
    let is_running = account.lease_until.is_some_and(|until| until > now);
    match last {
        _ if is_running => "running",
        _ if account.is_paused => "paused",
        Some(run) if run.fault.is_some() => "failing",
        Some(_) => "current",
        None => "new",
    }
}

/// An account for scripts.
pub fn document(
    account: &StoredAccount,
    last: Option<&StoredRun>,
    now: Timestamp,
    data_dir: &DataDir,
) -> Value {
    let time = |at: Option<Timestamp>| at.map(|at| format!("{at:.0}"));
    without_nulls(json!({
        "name": account.name,
        "connection_id": account.connection,
        "display_name": account.display_name,
        "kind": account.kind,
        "place": settings_of(account).ok().map(|settings| settings.place()),
        "state": state(account, last, now),
        "every_seconds": account.every_seconds,
        "current_at": time(account.current_at),
        "fresh_at": time(account.fresh_at),
        "next_run_at": if account.is_paused { None } else { time(Some(account.next_run_at)) },
        "failures": account.failures,
        "fault": last.and_then(|run| fault_document(run, account, data_dir)),
        "last_run": last.map(run_document),
    }))
}

/// A run for scripts.
pub fn run_document(run: &StoredRun) -> Value {
    without_nulls(json!({
        "run": run.run_no.0,
        "scheduled": run.is_scheduled,
        "started_at": format!("{:.0}", run.started_at),
        "ended_at": run.ended_at.map(|at| format!("{at:.0}")),
        "fault": run.fault.as_ref().map(|fault| fault.code.clone()),
        "added": run.counts.added,
        "changed": run.counts.changed,
        "kept": run.counts.kept,
        "rejected": run.counts.rejected,
        "bytes": run.counts.bytes,
    }))
}

fn fault_document(run: &StoredRun, account: &StoredAccount, data_dir: &DataDir) -> Option<Value> {
    let fault = run.fault.as_ref()?;
    let action = SyncFault::action_of(&fault.code);
    let advice = fault::advice(action, account.name.as_str(), data_dir);
    Some(without_nulls(json!({"code": fault.code, "message": fault.message, "next": advice})))
}

/// The fault of the last run and what helps, in one line.
pub fn fault_words(run: &StoredRun, account: &StoredAccount, data_dir: &DataDir) -> Option<String> {
    let fault = run.fault.as_ref()?;
    let action = SyncFault::action_of(&fault.code);
    let message = &fault.message;
    Some(match fault::advice(action, account.name.as_str(), data_dir) {
        Some(advice) => format!("{message}; {advice}"),
        None => format!("{message}; the next run tries again"),
    })
}
