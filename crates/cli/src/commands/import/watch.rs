//! `--watch`: imports again whenever the files have changed and come to rest, until it is stopped.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::failure::{Exit, Failure};
use crate::output::{Output, note};
use crate::platform::signals::StopSignals;

/// How often the files are looked at. An import that finds nothing new costs a read.
const INTERVAL: Duration = Duration::from_secs(1);
/// After so many looks even files that never rest are read.
const MAX_RESTLESS_LOOKS: usize = 60;

/// What is compared: a path, its length and when it was changed.
type Seen = Vec<(PathBuf, u64, Option<SystemTime>)>;

/// Runs `import` now and after every change. Neither a rejected item nor an export that cannot be
/// read ends the watch: the next change may mend it.
pub async fn run(
    paths: &[PathBuf],
    output: &Output,
    import: impl AsyncFn() -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    for path in paths {
        fs::metadata(path).map_err(|error| Failure::input(path, &error))?;
    }
    let mut watch = Watch::default();
    let mut exit = Exit::Done;
    note("Watching for changes; stop with Ctrl-C.");
    let mut stopped = std::pin::pin!(StopSignals::listen().asked());
    loop {
        if watch.is_due(look(paths)) {
            exit = import().await.or_else(|failure| said(failure, output))?;
        }
        tokio::select! {
            () = &mut stopped => return Ok(exit),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Says what is wrong with the export, and goes on; any other failure is handed up.
fn said(failure: Failure, output: &Output) -> Result<Exit, Failure> {
    if failure.exit != Exit::Data {
        return Err(failure);
    }
    output.failure(&failure);
    Ok(failure.exit)
}

/// Decides when to import: files that are still being written would come in cut.
#[derive(Default)]
struct Watch {
    imported: Option<Seen>,
    last: Option<Seen>,
    restless_looks: usize,
}

impl Watch {
    /// Whether what is seen now is new and the same as at the last look.
    fn is_due(&mut self, now: Seen) -> bool {
        let rests = self.last.as_ref() == Some(&now);
        let is_new = self.imported.as_ref() != Some(&now);
        self.restless_looks = if is_new && !rests { self.restless_looks + 1 } else { 0 };
        let due = is_new && (rests || self.restless_looks >= MAX_RESTLESS_LOOKS);
        if due {
            self.restless_looks = 0;
            self.imported = Some(now.clone());
        }
        self.last = Some(now);
        due
    }
}

fn look(paths: &[PathBuf]) -> Seen {
    let mut seen = Vec::new();
    for path in paths {
        add(path, &mut seen);
    }
    seen.sort();
    seen
}

fn add(path: &Path, seen: &mut Seen) {
    let Ok(about) = fs::symlink_metadata(path) else { return };
    if about.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            add(&entry.path(), seen);
        }
    } else {
        seen.push((path.to_owned(), about.len(), about.modified().ok()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(length: u64) -> Seen {
        vec![(PathBuf::from("a.eml"), length, None)]
    }

    #[test]
    fn what_rests_is_imported_once() {
        let mut watch = Watch::default();
        let looks = [file(1), file(1), file(1), file(2), file(2), file(2)];
        let due = looks.map(|seen| watch.is_due(seen));
        assert_eq!(due, [false, true, false, false, true, false]);
    }

    #[test]
    fn a_file_that_grows_is_left_until_it_rests() {
        let mut watch = Watch::default();
        let looks = [vec![], vec![], file(1), file(2), file(3), file(3)];
        let due = looks.map(|seen| watch.is_due(seen));
        assert_eq!(due, [false, true, false, false, false, true]);
    }

    #[test]
    fn a_file_that_never_rests_is_read_at_last() {
        let mut watch = Watch::default();
        let due = (0..130).filter(|length| watch.is_due(file(*length)));
        assert_eq!(due.collect::<Vec<_>>(), [59, 119]);
    }

    #[test]
    fn a_change_that_is_taken_back_needs_no_import() {
        let mut watch = Watch::default();
        let looks = [file(1), file(1), file(2), file(1), file(1)];
        let due = looks.map(|seen| watch.is_due(seen));
        assert_eq!(due, [false, true, false, false, false]);
    }
}
