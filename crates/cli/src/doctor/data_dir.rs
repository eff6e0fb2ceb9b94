//! The data directory: there, and closed to other people.

use super::{DoctorContext, Findings, store};
use crate::data_dir::ownership::FilePresence;
use crate::output::quoted;

const CHECK: &str = "data_dir";

/// Looks at the directory, and says whether anything in it can be looked at.
pub fn check(context: &DoctorContext, findings: &mut Findings) -> bool {
    if context.data_dir.presence() == FilePresence::Hidden {
        findings.failed(CHECK, &context.data_dir.closed(), &context.data_dir);
        return false;
    }
    check_open(context, findings);
    true
}

fn check_open(context: &DoctorContext, findings: &mut Findings) {
    let path = context.data_dir.path();
    let place = path.display();
    let found = match std::fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let what = format!("{place} does not exist yet");
            return match context.data_dir.address() {
                Some(_) => findings.good(CHECK, format!("{what}; the store is in a database")),
                None => findings.note(CHECK, what, store::begin(context)),
            };
        }
        Err(error) => {
            let remedy =
                format!("make yourself its owner: sudo chown -R \"$USER\" {}", name(context));
            findings.fault(CHECK, format!("cannot access {place}: {error}"), remedy);
            return;
        }
    };
    if !found.is_dir() {
        let remedy = "move it away, or set a directory with --data-dir";
        findings.fault(CHECK, format!("{place} is not a directory"), remedy);
        return;
    }
    match open_to(&found) {
        Open::Nobody => findings.good(CHECK, format!("{place} is private")),
        Open::Group => {
            let remedy = format!("if this is not intended: chmod 700 {}", name(context));
            findings.note(CHECK, format!("a group of users can open {place}"), remedy);
        }
        Open::Everybody => {
            let remedy = format!("chmod 700 {}", name(context));
            findings.fault(CHECK, format!("all users of this machine can open {place}"), remedy);
        }
    }
}

fn name(context: &DoctorContext) -> String {
    quoted(&context.data_dir.path().display().to_string())
}

enum Open {
    Nobody,
    Group,
    Everybody,
}

#[cfg(unix)]
fn open_to(found: &std::fs::Metadata) -> Open {
    use std::os::unix::fs::PermissionsExt;
    // The last three bits are everybody's, the three before them the group's.
    match found.permissions().mode().trailing_zeros() {
        6.. => Open::Nobody,
        3..6 => Open::Group,
        _ => Open::Everybody,
    }
}

#[cfg(not(unix))]
fn open_to(_: &std::fs::Metadata) -> Open {
    Open::Nobody
}
