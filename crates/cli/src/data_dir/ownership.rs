//! Whose a store is. It belongs to one user: another one is told so instead of being shown an empty
//! place, and root leaves nothing in it that its owner could not open.

use std::io;
use std::path::Path;

use crate::failure::{Exit, Failure};
use crate::output::quoted;

/// The code of a store that this user may not open.
pub const STORE_CLOSED: &str = "store_closed";

/// The code of a data directory that other people can read or write.
pub const DATA_DIR_OPEN: &str = "data_dir_open";

/// Whether something is there, as far as this user can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePresence {
    There,
    Absent,
    /// The system does not let this user look.
    Hidden,
}

/// What a look at a place tells.
pub fn presence<T>(looked: &io::Result<T>) -> FilePresence {
    match looked {
        Ok(_) => FilePresence::There,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => FilePresence::Hidden,
        Err(_) => FilePresence::Absent,
    }
}

/// What is said to a user who may not open a store: whose it is, and how to go on.
pub fn closed(directory: &Path, store: &Path) -> Failure {
    let (owner, holder) = (system::owner(directory), system::owner(store));
    let (message, advice) = closing(directory, (owner, holder), system::user());
    Failure::new(Exit::Other, STORE_CLOSED, message).with_advice(advice)
}

/// The directory's owner and that of the file in it decide what helps this user.
fn closing(directory: &Path, owners: (Option<u32>, Option<u32>), user: u32) -> (String, String) {
    let place = directory.display();
    let named = quoted(&place.to_string());
    match owners {
        (Some(owner), Some(holder)) if owner != holder => {
            let (owner, holder) = (system::name(owner), system::name(holder));
            let to = quoted(owner.trim_start_matches('#'));
            let message = format!(
                "no permission to open the store in {place}: the directory belongs to {owner}, a file in \
                 it belongs to {holder}"
            );
            (message, format!("change the owner: sudo chown -R {to} {named}"))
        }
        (Some(owner), _) if owner == user => {
            let message = format!("no permission to open {place}, which belongs to you");
            (message, format!("run: chmod -R u+rwX {named}"))
        }
        (Some(owner), _) => {
            let owner = system::name(owner);
            let sudo = quoted(&owner);
            let message = format!("no permission to open {place}, which belongs to {owner}");
            (message, format!("run as its owner: sudo -u {sudo} pdpp …"))
        }
        (None, _) => {
            let message = format!("no permission to open {place}");
            (message, "run as its owner: sudo -u USER pdpp …".to_owned())
        }
    }
}

/// Refuses to let root put something into a directory of somebody else, who could not open it then. A
/// directory that does not exist belongs to whoever has the nearest one that does.
pub fn check_root(directory: &Path) -> Result<(), Failure> {
    let full = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let owner = full.ancestors().find_map(system::owner);
    let Some(owner) = owner.filter(|owner| is_foreign_to_root(system::user(), *owner)) else {
        return Ok(());
    };
    let owner = system::name(owner);
    let message = format!(
        "{} belongs to {owner}, who could not open files that root creates there",
        directory.display()
    );
    let advice = format!("run: sudo -u {} pdpp …", quoted(&owner));
    Err(Failure::new(Exit::Other, "other_owner", message).with_advice(advice))
}

/// Whether other users than a directory's owner can read or write it.
pub fn is_open_to_others(directory: &Path) -> bool {
    system::mode(directory).is_some_and(|mode| mode & 0o066 != 0)
}

fn is_foreign_to_root(user: u32, owner: u32) -> bool {
    user == 0 && owner != 0
}

#[cfg(unix)]
mod system {
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    /// The user who owns what is there, if this user may know.
    pub fn owner(path: &Path) -> Option<u32> {
        std::fs::metadata(path).ok().map(|found| found.uid())
    }

    /// What is there allows to whom, if this user may know.
    pub fn mode(path: &Path) -> Option<u32> {
        std::fs::metadata(path).ok().map(|found| found.mode())
    }

    /// Who runs this program.
    pub fn user() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    /// The user's name; `#` and the number, as `sudo` takes it, when the system's own list has none.
    pub fn name(user: u32) -> String {
        let list = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let of = |line: &str| {
            let mut parts = line.split(':');
            let (name, number) = (parts.next()?.to_owned(), parts.nth(1)?);
            (number.parse() == Ok(user)).then_some(name)
        };
        list.lines().find_map(of).unwrap_or_else(|| format!("#{user}"))
    }
}

#[cfg(not(unix))]
mod system {
    use std::path::Path;

    pub fn owner(_: &Path) -> Option<u32> {
        None
    }

    pub fn mode(_: &Path) -> Option<u32> {
        None
    }

    /// Nothing is compared with it: no owner is known.
    pub fn user() -> u32 {
        0
    }

    pub fn name(user: u32) -> String {
        format!("#{user}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_looked_at_is_not_absent() {
        let looked = |kind| presence(&Err::<(), _>(io::Error::from(kind)));
        assert_eq!(looked(io::ErrorKind::PermissionDenied), FilePresence::Hidden);
        assert_eq!(looked(io::ErrorKind::NotFound), FilePresence::Absent);
        assert_eq!(looked(io::ErrorKind::NotADirectory), FilePresence::Absent);
        assert_eq!(presence(&Ok(())), FilePresence::There);
    }

    #[test]
    fn the_remedy_depends_on_whose_it_is() {
        let (place, nobody) = (Path::new("/srv/my store"), 4_000_000_001);
        let said = |owners| closing(place, owners, nobody).1;
        let mine = said((Some(nobody), None));
        assert!(mine.ends_with("chmod -R u+rwX '/srv/my store'"), "{mine}");
        let left = said((Some(nobody), Some(4_000_000_002)));
        assert!(left.ends_with("sudo chown -R 4000000001 '/srv/my store'"), "{left}");
        let other = said((Some(4_000_000_002), Some(4_000_000_002)));
        assert!(other.ends_with("sudo -u '#4000000002' pdpp …"), "{other}");
        assert!(said((None, None)).ends_with("sudo -u USER pdpp …"));
    }

    #[test]
    fn only_root_is_kept_from_what_belongs_to_others() {
        assert!(is_foreign_to_root(0, 1000));
        assert!(!is_foreign_to_root(0, 0));
        assert!(!is_foreign_to_root(1000, 1001), "the system itself refuses this one");
    }
}
