//! When a reader looks again whether a newer version has changed the tables under it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A reader believes for this long what it saw. Writers look in every transaction.
const BELIEVED_FOR: Duration = Duration::from_secs(1);

/// Whether it is time to look again. What was refused is looked at every time.
#[derive(Debug, Default)]
pub(crate) struct SchemaCheck(Mutex<Option<Instant>>);

impl SchemaCheck {
    /// Whether the last look was too long ago, or found something.
    pub(crate) fn is_due(&self) -> bool {
        let passed = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        passed.is_none_or(|passed| passed.elapsed() > BELIEVED_FOR)
    }

    /// Notes that all was well.
    pub(crate) fn passed(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}
