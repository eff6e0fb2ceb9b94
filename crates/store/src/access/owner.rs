//! The owner as a person at a browser: the password, the first link, wrong guesses, settings.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::access::tokens::TokenHash;
use crate::error::StoreResult;
use pdpp_contract::access::AuditEvent;

/// A password to keep.
#[derive(Clone)]
pub struct NewPassword {
    /// An argon2id PHC string. Kept and returned as it is.
    pub password_hash: String,
    /// The first link that allows it; `None` when the owner proved to be the owner otherwise.
    pub setup: Option<TokenHash>,
    /// The session that stays; all others end.
    pub keep_session: Option<TokenHash>,
}

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewPassword(…)")
    }
}

/// Wrong passwords in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginFailures {
    /// How many.
    pub count: u32,
    /// When the last one came.
    pub last_at: Timestamp,
}

/// What a store keeps about its owner.
#[async_trait]
pub trait OwnerStore: Send + Sync {
    /// The password as it is kept; `None` before the first one is set.
    async fn password_hash(&self) -> StoreResult<Option<String>>;

    /// Sets the password with its audit event, spends the first link, ends the other sessions and
    /// forgets wrong guesses, in one step.
    ///
    /// With `setup` it is done only while no password is set and that link is the newest and not
    /// past the event's time; `false` means that nothing changed.
    async fn set_password(&self, new: NewPassword, event: AuditEvent) -> StoreResult<bool>;

    /// Makes this the link that sets the first password, in place of an earlier one. `false`, and
    /// nothing changed, when a password is set.
    async fn offer_setup(&self, code: &TokenHash, expires_at: Timestamp) -> StoreResult<bool>;

    /// When this link ends; `None` when it is not the newest, was spent, or a password is set.
    async fn setup_expires_at(&self, code: &TokenHash) -> StoreResult<Option<Timestamp>>;

    /// Wrong passwords in a row by this name.
    async fn login_failures(&self, who: &str) -> StoreResult<Option<LoginFailures>>;

    /// Counts one more wrong password for each name, with its audit event. Names whose last one is
    /// more than a day older are forgotten.
    async fn note_login_failure(&self, who: &[&str], event: AuditEvent) -> StoreResult<()>;

    /// Every setting that was ever changed, by name.
    async fn settings(&self) -> StoreResult<Vec<(String, String)>>;

    /// Changes a setting, with its audit event.
    async fn set_setting(&self, name: &str, value: &str, event: AuditEvent) -> StoreResult<()>;
}
