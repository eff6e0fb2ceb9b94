//! Accepting: waits longer after each failure, and says so once a minute.

use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};

use super::table::Table;

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
const BETWEEN_WARNINGS: Duration = Duration::from_mins(1);

/// Takes connections from a listener.
pub(super) struct Accepting {
    listener: TcpListener,
    failures: Failures,
}

impl Accepting {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, failures: Failures::default() }
    }

    /// The next connection, once there is a descriptor for it. Can be dropped and called again.
    pub(super) async fn next(&mut self, table: &Table) -> (TcpStream, std::net::SocketAddr) {
        loop {
            table.has_descriptors().await;
            match self.listener.accept().await {
                Ok(accepted) => {
                    self.failures.over();
                    return accepted;
                }
                // The caller is gone before it was answered.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    if let Some(times) = self.failures.count(Instant::now()) {
                        tracing::warn!(%error, times, "connections cannot be accepted");
                    }
                    // Most often the process has no more descriptors.
                    table.spare_one();
                    tokio::time::sleep(self.failures.pause).await;
                }
            }
        }
    }
}

/// Failures in a row.
struct Failures {
    pause: Duration,
    warned_at: Option<Instant>,
    /// Since the last warning.
    times: u64,
}

impl Default for Failures {
    fn default() -> Self {
        Self { pause: FIRST_PAUSE, warned_at: None, times: 0 }
    }
}

impl Failures {
    /// Counts one; says how many there were when a warning is due.
    fn count(&mut self, now: Instant) -> Option<u64> {
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        self.times += 1;
        let due = self.warned_at.is_none_or(|at| now.duration_since(at) >= BETWEEN_WARNINGS);
        due.then(|| {
            self.warned_at = Some(now);
            std::mem::take(&mut self.times)
        })
    }

    fn over(&mut self) {
        self.pause = FIRST_PAUSE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storm_of_failures_is_one_line_a_minute() {
        let (mut failures, start) = (Failures::default(), Instant::now());
        assert_eq!(failures.count(start), Some(1));
        for second in 1..60 {
            assert_eq!(failures.count(start + Duration::from_secs(second)), None);
        }
        assert_eq!(failures.pause, LONGEST_PAUSE);
        assert_eq!(failures.count(start + BETWEEN_WARNINGS), Some(60));
        failures.over();
        assert_eq!(failures.pause, FIRST_PAUSE);
    }
}
