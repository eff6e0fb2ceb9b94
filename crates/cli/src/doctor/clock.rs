//! The clock, against what the store has seen: time does not go back.

use jiff::{SignedDuration, Timestamp};

use super::{DoctorContext, Findings};
use crate::app::CliApp;

const CHECK: &str = "clock";
/// Clocks of good machines differ less.
pub const TOLERATED: SignedDuration = SignedDuration::from_mins(2);
const REMEDY: &str = "set the clock, best with network time: sudo timedatectl set-ntp true";

pub async fn check(context: &DoctorContext, app: &CliApp, findings: &mut Findings) {
    // A store that cannot be read is the business of another check.
    let seen = app.store.seen_time().await.ok();
    match seen.map(|seen| seen.at.duration_since(context.now)) {
        Some(ahead) if ahead > TOLERATED => findings.fault(
            CHECK,
            format!(
                "the store was last used {} from now, and access expires by that time: the system clock is \
                 slow, or was ahead then",
                apart(ahead)
            ),
            format!(
                "{REMEDY}; if the system clock is right now: {}",
                context.data_dir.advice("owner clock reset")
            ),
        ),
        _ => findings.good(CHECK, "system clock: OK"),
    }
}

/// Compares with the clock of a server.
pub fn compare(now: Timestamp, theirs: Timestamp, findings: &mut Findings) {
    let ahead = theirs.duration_since(now);
    if ahead.abs() <= TOLERATED {
        findings.good(CHECK, "server clock: OK");
        return;
    }
    let which = if ahead.is_negative() { "behind" } else { "ahead of" };
    let what = format!("the server clock is {} {which} the system clock", apart(ahead.abs()));
    findings.fault(CHECK, what, format!("on the machine that is wrong, {REMEDY}"));
}

/// A distance in words.
pub fn apart(distance: SignedDuration) -> String {
    match distance.as_mins() {
        minutes if minutes < 120 => format!("{minutes} minutes"),
        minutes if minutes < 72 * 60 => format!("{} hours", minutes / 60),
        minutes => format!("{} days", minutes / (24 * 60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_lives_in_another_time_is_noticed() {
        let now: Timestamp = "2026-11-01T12:00:00Z".parse().unwrap();
        let said = |theirs: &str| {
            let mut findings = Findings::default();
            compare(now, theirs.parse().unwrap(), &mut findings);
            let found = findings.iter().next().unwrap().clone();
            (findings.faults(), found.what)
        };
        assert_eq!(said("2026-11-01T12:01:59Z").0, 0);
        let (faults, what) = said("2026-11-01T13:00:00Z");
        assert!(faults == 1 && what.contains("60 minutes ahead"), "{what}");
        let (faults, what) = said("2026-10-01T12:00:00Z");
        assert!(faults == 1 && what.contains("31 days behind"), "{what}");
    }
}
