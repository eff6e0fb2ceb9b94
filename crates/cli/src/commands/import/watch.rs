//! `--watch`: imports again whenever the files change, until it is stopped.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::failure::{Exit, Failure};
use crate::output::note;
use crate::signals::StopSignals;

/// How often the files are looked at. An import that finds nothing new costs a read.
const INTERVAL: Duration = Duration::from_secs(2);

/// What is compared: a path, its length and when it was changed.
type Seen = Vec<(PathBuf, u64, Option<SystemTime>)>;

/// Runs `import` now and after every change. A refused item does not end the watch.
pub async fn run(
    paths: &[PathBuf],
    import: impl AsyncFn() -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let mut before = look(paths);
    let mut exit = import().await?;
    note("Watching for changes; stop with Ctrl-C.");
    let mut stopped = std::pin::pin!(StopSignals::listen().asked());
    loop {
        tokio::select! {
            () = &mut stopped => return Ok(exit),
            () = tokio::time::sleep(INTERVAL) => {}
        }
        let now = look(paths);
        if now != before {
            before = now;
            exit = import().await?;
        }
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
    let Ok(about) = std::fs::symlink_metadata(path) else { return };
    if about.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            add(&entry.path(), seen);
        }
    } else {
        seen.push((path.to_owned(), about.len(), about.modified().ok()));
    }
}
