//! How many files the system lets this process have, and how many connections fit into that.

use pdpp_http::MAX_CONNECTIONS;

/// Descriptors that connections never take: the store and its journal, connections to a database,
/// the listener, logs, and what is opened for a moment.
const KEPT_FILES: usize = 128;
/// Fewer connections than this are no service; the system then refuses what it cannot give.
const FEWEST_CONNECTIONS: usize = 16;

/// Raises the limit as far as this process may, and says how many connections a server can hold.
pub fn connections() -> usize {
    connections_within(raised())
}

fn connections_within(files: Option<usize>) -> usize {
    let Some(files) = files else { return MAX_CONNECTIONS };
    files.saturating_sub(KEPT_FILES).clamp(FEWEST_CONNECTIONS, MAX_CONNECTIONS)
}

/// The limit after it was raised; `None` when there is none.
#[cfg(unix)]
fn raised() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let wanted = u64::try_from(MAX_CONNECTIONS + KEPT_FILES).ok();
    let limit = getrlimit(Resource::Nofile);
    let (current, wanted) = (limit.current?, wanted?);
    if current >= wanted {
        return usize::try_from(current).ok();
    }
    let most = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let raised = Rlimit { current: Some(most.max(current)), maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::debug!(%error, "cannot raise the limit on open files");
    }
    getrlimit(Resource::Nofile).current.and_then(|files| usize::try_from(files).ok())
}

#[cfg(not(unix))]
fn raised() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_the_store() {
        assert_eq!(connections_within(None), MAX_CONNECTIONS);
        assert_eq!(connections_within(Some(1_048_576)), MAX_CONNECTIONS);
        assert_eq!(connections_within(Some(1_024)), 1_024 - KEPT_FILES);
        assert_eq!(connections_within(Some(100)), FEWEST_CONNECTIONS);
    }
}
