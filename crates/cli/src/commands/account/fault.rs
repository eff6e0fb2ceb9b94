//! Faults of live accounts as failures of a command: an exit code, and one command that helps.

use pdpp_sync::fault::{FaultAction, SyncFault};

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};

/// A fault of one account.
pub fn failure(fault: SyncFault, account: &str, data_dir: &DataDir) -> Failure {
    let advice = advice(fault.action(), account, data_dir);
    let (code, message) = (fault.code(), fault.to_string());
    let exit = match fault {
        SyncFault::Store(error) => return error.into(),
        SyncFault::Write(error) => return error.into(),
        SyncFault::Unreachable { .. }
        | SyncFault::Insecure { .. }
        | SyncFault::Unavailable { .. }
        | SyncFault::Lost { .. }
        | SyncFault::Protocol { .. }
        | SyncFault::Busy
        | SyncFault::TakenOver => Exit::Unreachable,
        SyncFault::Password { .. } => Exit::Refused,
        SyncFault::Key(_) => Exit::NoCredential,
        SyncFault::NoFolder { .. } | SyncFault::Settings => Exit::Other,
        SyncFault::NoAccount(_) => {
            let advice = format!("see: {}", data_dir.advice("account list"));
            return Failure::new(Exit::Other, code, message).with_advice(advice);
        }
    };
    let failure = Failure::new(exit, code, message);
    match advice {
        Some(advice) => failure.with_advice(advice),
        None => failure,
    }
}

/// What the owner can do about a fault.
pub fn advice(action: FaultAction, account: &str, data_dir: &DataDir) -> Option<String> {
    let command = |command: &str| data_dir.advice(&format!("account {command}"));
    match action {
        FaultAction::Wait => None,
        FaultAction::CheckServer => {
            let add = command(&format!("add imap {account}"));
            Some(format!("if the server has another name, add the account again: {add}"))
        }
        FaultAction::GivePassword => {
            Some(format!("run: {}", command(&format!("password {account}"))))
        }
        FaultAction::ChooseFolders => {
            let add = command(&format!("add imap {account}"));
            Some(format!("choose other folders with --folder: {add}"))
        }
        FaultAction::GiveKey => {
            let password = command(&format!("password {account}"));
            Some(format!("name the key file with --key-file, or run: {password}"))
        }
    }
}
