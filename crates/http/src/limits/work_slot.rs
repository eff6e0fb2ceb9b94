//! A place where work is done for one package. Leaving it charges what the work cost.

use std::time::Instant;

use pdpp_contract::PackageId;

use super::fair_queue::Turn;
use super::{CALL_WORTH, VERIFIED_FOR};
use crate::app::App;

/// Held while the server works for a package, and never while it waits for the caller.
pub struct WorkSlot {
    app: App,
    package: PackageId,
    /// Gives the place to whoever is next when it is dropped.
    turn: Turn<PackageId>,
    began: Instant,
    /// Calls that were counted before.
    counted: f64,
}

impl WorkSlot {
    /// Whether what was verified then should be verified again: the call had to wait for its turn, or
    /// its body for long.
    pub fn is_late(&self, verified_at: Instant) -> bool {
        self.turn.waited() || verified_at.elapsed() > VERIFIED_FOR
    }

    /// The place of a call, which was counted as one when it came.
    pub(super) fn of_call(app: App, package: PackageId, turn: Turn<PackageId>) -> Self {
        Self { app, package, turn, began: Instant::now(), counted: 1.0 }
    }

    /// The place of a piece of an answer, which is counted by its cost alone.
    pub(super) fn of_piece(app: App, package: PackageId, turn: Turn<PackageId>) -> Self {
        Self { app, package, turn, began: Instant::now(), counted: 0.0 }
    }
}

impl Drop for WorkSlot {
    fn drop(&mut self) {
        let now = Instant::now();
        let cost = now.saturating_duration_since(self.began);
        self.turn.spend(cost);
        let calls = cost.as_secs_f64() / CALL_WORTH.as_secs_f64() - self.counted;
        if calls > 0.0 {
            self.app.agent_limits.rate.charge(&self.package, calls, now);
        }
    }
}
