//! Room on the disk: a store that cannot grow refuses every write, and audit events with them.

use std::io::{self, Write as _};
use std::path::Path;

use super::{DoctorContext, Findings};

const CHECK: &str = "disk";
const MIB: u64 = 1024 * 1024;
/// Below this the next import or the next audit event may fail.
const FULL_BYTES: u64 = 16 * MIB;
/// Below this a large import will fail.
const LOW_BYTES: u64 = 512 * MIB;

/// What a disk can tell.
pub trait DiskSpace {
    /// Bytes that may still be written; `None` when this system does not say.
    fn free_bytes(&self, place: &Path) -> Option<u64>;
    /// Writes something and takes it away again.
    fn try_write(&self, place: &Path) -> io::Result<()>;
}

/// The disk of this machine.
pub struct SystemDisk;

impl DiskSpace for SystemDisk {
    #[cfg(unix)]
    fn free_bytes(&self, place: &Path) -> Option<u64> {
        let found = rustix::fs::statvfs(place).ok()?;
        found.f_bavail.checked_mul(found.f_frsize)
    }

    #[cfg(not(unix))]
    fn free_bytes(&self, _: &Path) -> Option<u64> {
        None
    }

    fn try_write(&self, place: &Path) -> io::Result<()> {
        let mut file = tempfile::tempfile_in(place)?;
        file.write_all(&vec![0; 64 * 1024])?;
        file.sync_all()
    }
}

pub fn check(context: &DoctorContext, room: &dyn DiskSpace, findings: &mut Findings) {
    // A directory that is yet to be made will lie on the disk of the nearest one that exists.
    let path = std::path::absolute(context.data_dir.path());
    let path = path.unwrap_or_else(|_| context.data_dir.path().to_owned());
    let Some(place) = path.ancestors().find(|place| place.is_dir()) else { return };
    let shown = place.display();
    let free = room.free_bytes(place);
    if let Some(free) = free.filter(|free| *free < FULL_BYTES) {
        let what = format!("the disk of {shown} is full: {} free", amount(free));
        findings.fault(
            CHECK,
            what,
            "free some space there, or move the data directory to another disk",
        );
        return;
    }
    if let Err(error) = room.try_write(place) {
        let remedy = "make the disk writable, or give the directory to the user who runs pdpp";
        findings.fault(CHECK, format!("cannot write to {shown}: {error}"), remedy);
        return;
    }
    match free {
        Some(free) if free < LOW_BYTES => {
            let what = format!("the disk of {shown} is nearly full: {} free", amount(free));
            findings.note(CHECK, what, "free some space before the next import");
        }
        Some(free) => findings.good(CHECK, format!("{} free", amount(free))),
        None => findings.good(CHECK, "writable"),
    }
}

fn amount(bytes: u64) -> String {
    match bytes / MIB {
        0 => format!("{} KB", bytes / 1024),
        whole if whole < 10 * 1024 => format!("{whole} MB"),
        whole => format!("{} GB", whole / 1024),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Severity;

    struct Told(u64, bool);

    impl DiskSpace for Told {
        fn free_bytes(&self, _: &Path) -> Option<u64> {
            Some(self.0)
        }

        fn try_write(&self, _: &Path) -> io::Result<()> {
            if self.1 { Ok(()) } else { Err(io::ErrorKind::ReadOnlyFilesystem.into()) }
        }
    }

    #[test]
    fn a_full_a_read_only_and_a_roomy_disk_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let context = super::super::store::tests::context(directory.path());
        let found = |room: Told| {
            let mut findings = Findings::default();
            check(&context, &room, &mut findings);
            let found = findings.iter().next().unwrap().clone();
            (found.state, found.what)
        };
        let (state, what) = found(Told(MIB, true));
        assert!(state == Severity::Fault && what.contains("full: 1 MB free"), "{what}");
        let (state, what) = found(Told(LOW_BYTES, false));
        assert!(state == Severity::Fault && what.contains("cannot write"), "{what}");
        assert_eq!(found(Told(LOW_BYTES - 1, true)).0, Severity::Note);
        assert_eq!(found(Told(40_960 * MIB, true)), (Severity::Good, "40 GB free".to_owned()));
    }
}
