//! The owner in a browser, as far as consent needs to know.

use jiff::{SignedDuration, Timestamp};

/// How recent a login must be to decide something.
const FRESH: SignedDuration = SignedDuration::from_mins(10);

/// A session of the owner that was checked for this request.
#[derive(Clone)]
pub struct OwnerSession {
    name: String,
    secret: [u8; 32],
    authenticated_at: Timestamp,
}

impl OwnerSession {
    /// `name` may be shown and kept; `secret` is derived from the cookie and never kept.
    pub fn new(name: String, secret: [u8; 32], authenticated_at: Timestamp) -> Self {
        Self { name, secret, authenticated_at }
    }

    /// The same from a browser's session.
    pub fn of(session: &crate::Session) -> Self {
        let kept = session.kept();
        Self::new(kept.fingerprint.to_string(), session.derived("oauth"), kept.authenticated_at)
    }

    /// The session's public name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    /// Whether the owner proved who they are a short while ago.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        now.duration_since(self.authenticated_at) < FRESH
    }
}

impl std::fmt::Debug for OwnerSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnerSession").field("name", &self.name).finish_non_exhaustive()
    }
}
