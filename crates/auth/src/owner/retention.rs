//! How much of the past is kept: by the owner's settings, and never by a clock that jumped ahead.

use jiff::{SignedDuration, Timestamp};

use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::AuthError;

const AUDIT: &str = "audit_retention_days";
const VERSIONS: &str = "version_retention_days";
const FOREVER: &str = "forever";
/// More than a year, so that a year can be compared with the one before.
const USUAL_DAYS: u32 = 400;
const LONGEST_DAYS: u32 = 36_500;
/// Days on which something must have been noted since, before a server prunes by itself.
const LIVED_DAYS: u32 = 30;

/// How long something is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetentionPeriod {
    /// So many days; at least one.
    Days(u32),
    /// Always.
    Forever,
}

/// What is kept how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Events of the audit log.
    pub audit: RetentionPeriod,
    /// Versions of records that newer ones have replaced.
    pub versions: RetentionPeriod,
}

/// What went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Audit events.
    pub events: u64,
    /// Versions.
    pub versions: u64,
}

/// Who asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrunedBy {
    /// The owner, now.
    Owner,
    /// A server by itself, again and again.
    Server,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            audit: RetentionPeriod::Days(USUAL_DAYS),
            versions: RetentionPeriod::Days(USUAL_DAYS),
        }
    }
}

impl RetentionPeriod {
    /// The number of days; none for always.
    pub fn days(self) -> Option<u32> {
        match self {
            Self::Days(days) => Some(days),
            Self::Forever => None,
        }
    }

    fn written(self) -> String {
        self.days().map_or_else(|| FOREVER.to_owned(), |days| days.to_string())
    }
}

impl std::str::FromStr for RetentionPeriod {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let days = text.strip_suffix('d').unwrap_or(text);
        match days.parse::<u32>() {
            _ if text == FOREVER => Ok(Self::Forever),
            Ok(days) if (1..=LONGEST_DAYS).contains(&days) => Ok(Self::Days(days)),
            _ => Err("write a number of days from 1 to 36500, such as 400d, or forever"),
        }
    }
}

impl Auth {
    /// How much of the past is kept.
    pub async fn retention(&self) -> Result<Retention, AuthError> {
        let mut retention = Retention::default();
        for (name, value) in self.store.settings().await? {
            match (name.as_str(), value.parse::<RetentionPeriod>()) {
                (AUDIT, Ok(kept)) => retention.audit = kept,
                (VERSIONS, Ok(kept)) => retention.versions = kept,
                _ => {}
            }
        }
        Ok(retention)
    }

    /// Changes what differs, each with its audit event.
    pub async fn change_retention(
        &self,
        owner: &OwnerAccess,
        new: Retention,
    ) -> Result<(), AuthError> {
        let old = self.retention().await?;
        for (name, kept, before) in
            [(AUDIT, new.audit, old.audit), (VERSIONS, new.versions, old.versions)]
        {
            if kept != before {
                let event = self.owner_event(owner, "settings_change");
                self.store.set_setting(name, &kept.written(), event).await?;
            }
        }
        Ok(())
    }

    /// Removes what is older than the settings say, by whole UTC days and in small steps.
    pub async fn apply_retention(&self, by: PrunedBy) -> Result<Pruned, AuthError> {
        let retention = self.retention().await?;
        let mut pruned = Pruned::default();
        if let Some(before) = self.beginning(retention.audit, by).await? {
            pruned.events = self.prune_audit(before).await?;
        }
        if let Some(before) = self.beginning(retention.versions, by).await? {
            let through = self.store.change_before(before).await?;
            pruned.versions = self.store.prune_versions(through).await?;
        }
        Ok(pruned)
    }

    /// Removes the audit events from before an instant.
    pub async fn prune_audit(&self, before: Timestamp) -> Result<u64, AuthError> {
        // What is written meanwhile stays: the checkpoints themselves are events of now.
        let (before, mut pruned) = (before.min(self.clock.now()), 0);
        loop {
            match self.store.prune_audit(before, self.clock.now()).await? {
                0 => return Ok(pruned),
                step => pruned += step,
            }
        }
    }

    /// The beginning of the first day that is kept; none while nothing may go.
    async fn beginning(
        &self,
        kept: RetentionPeriod,
        by: PrunedBy,
    ) -> Result<Option<Timestamp>, AuthError> {
        let RetentionPeriod::Days(days) = kept else { return Ok(None) };
        let length = SignedDuration::from_hours(24 * i64::from(days));
        let Ok(before) = self.clock.now().checked_sub(length) else { return Ok(None) };
        let seconds = before.as_second();
        let midnight = Timestamp::from_second(seconds - seconds.rem_euclid(86_400)).ok();
        if by == PrunedBy::Owner {
            return Ok(midnight);
        }
        let lived = self.store.day_seen(days.min(LIVED_DAYS)).await?;
        Ok(midnight.zip(lived).map(|(midnight, lived)| midnight.min(lived)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_a_number_of_days_or_forever() {
        assert_eq!("400d".parse(), Ok(RetentionPeriod::Days(400)));
        assert_eq!("30".parse(), Ok(RetentionPeriod::Days(30)));
        assert_eq!("forever".parse(), Ok(RetentionPeriod::Forever));
        for text in ["", "0d", "0", "-1d", "d", "36501", "a year", "4 d"] {
            assert!(text.parse::<RetentionPeriod>().is_err(), "{text}");
        }
        for kept in [RetentionPeriod::Days(7), RetentionPeriod::Forever] {
            assert_eq!(kept.written().parse(), Ok(kept));
        }
    }
}
