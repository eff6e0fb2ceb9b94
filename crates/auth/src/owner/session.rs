//! A signed-in browser: what proves it, how long it lasts, and the mark its forms carry.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use pdpp_contract::ports::Entropy;
use pdpp_store::sessions::StoredSession;
use pdpp_store::tokens::TokenHash;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::AuthError;

/// A session ends when it was not used for so long …
const IDLE: SignedDuration = SignedDuration::from_hours(12);
/// … and so long after it began in any case.
pub(super) const LONGEST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// What gives something away wants a password that was typed this recently.
const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// Uses are noted to this.
const STEP: SignedDuration = SignedDuration::from_secs(60);
/// Hexadecimal digits of a session's secret: 256 bits.
const SECRET_DIGITS: usize = 64;

/// What a browser presents. It exists in this form only until it is handed over.
pub struct SessionSecret(Zeroizing<String>);

impl SessionSecret {
    pub(super) fn mint(entropy: &dyn Entropy) -> Self {
        let mut random = Zeroizing::new([0_u8; 32]);
        entropy.fill(random.as_mut_slice());
        Self(Zeroizing::new(hex(random.as_slice())))
    }

    pub(super) fn hash(&self) -> TokenHash {
        hash_of(&self.0)
    }

    /// The secret itself, for the cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionSecret(…)")
    }
}

/// A browser in which the owner is signed in now. Hold it for one request.
pub struct Session {
    pub(super) hash: TokenHash,
    secret: Zeroizing<String>,
    access: OwnerAccess,
    kept: StoredSession,
    now: Timestamp,
}

impl Session {
    /// The owner.
    pub fn access(&self) -> &OwnerAccess {
        &self.access
    }

    /// What is kept about it.
    pub fn kept(&self) -> &StoredSession {
        &self.kept
    }

    /// Whether the password was given so recently that something may be given away.
    pub fn is_fresh(&self) -> bool {
        self.now.duration_since(self.kept.authenticated_at) < FRESH
    }

    /// A secret of this session for one purpose, which the store does not know.
    pub fn derived(&self, purpose: &str) -> [u8; 32] {
        self.mac(&format!("derived {purpose}")).finalize().into_bytes().into()
    }

    /// The mark of a form: a function of session and purpose, so that reloading a page or opening
    /// it twice leaves the first one usable.
    pub fn csrf(&self, purpose: &str) -> String {
        hex(&self.mac(purpose).finalize().into_bytes())
    }

    /// Whether a form of this purpose carries its mark. Takes the same time wherever they differ.
    pub fn csrf_matches(&self, purpose: &str, given: &str) -> bool {
        use subtle::ConstantTimeEq as _;
        self.csrf(purpose).as_bytes().ct_eq(given.as_bytes()).into()
    }

    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    fn mac(&self, purpose: &str) -> Hmac<Sha256> {
        let key = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes());
        let mut mac = key.expect("a key of any length");
        mac.update(b"pdpp form\0");
        mac.update(purpose.as_bytes());
        mac
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("kept", &self.kept).finish_non_exhaustive()
    }
}

impl Auth {
    /// The session that a browser's cookie names; `None` when it is unknown, unused for twelve
    /// hours, or a week old.
    pub async fn session(&self, secret: &str) -> Result<Option<Session>, AuthError> {
        let shaped = secret.len() == SECRET_DIGITS && secret.bytes().all(|b| b.is_ascii_hexdigit());
        if !shaped {
            return Ok(None);
        }
        let (hash, now) = (hash_of(secret), self.clock.now());
        let Some(kept) = self.store.find_session(&hash).await? else {
            return Ok(None);
        };
        let idle = now.duration_since(kept.last_seen_at);
        if idle >= IDLE || now.duration_since(kept.created_at) >= LONGEST {
            return Ok(None);
        }
        if idle >= STEP {
            let store = Arc::clone(&self.store);
            tokio::spawn(async move {
                if let Err(error) = store.touch_session(&hash, now).await {
                    tracing::debug!("the use of a session was not noted: {error}");
                }
            });
        }
        let access = OwnerAccess::by_token(hash.fingerprint());
        let secret = Zeroizing::new(secret.to_owned());
        Ok(Some(Session { hash, secret, access, kept, now }))
    }

    /// Signs a browser out.
    pub async fn logout(&self, session: &Session) -> Result<(), AuthError> {
        let event = self.owner_event(&session.access, "owner_logout");
        self.store.end_session(&session.hash, event).await?;
        Ok(())
    }

    /// Signs every other browser out and says how many.
    pub async fn logout_others(&self, session: &Session) -> Result<u64, AuthError> {
        let event = self.owner_event(&session.access, "owner_logout");
        Ok(self.store.end_other_sessions(&session.hash, event).await?)
    }

    /// The browsers that are signed in now, the newest first.
    pub async fn sessions(&self, _: &OwnerAccess) -> Result<Vec<StoredSession>, AuthError> {
        let now = self.clock.now();
        let mut all = self.store.sessions().await?;
        all.retain(|kept| {
            now.duration_since(kept.last_seen_at) < IDLE
                && now.duration_since(kept.created_at) < LONGEST
        });
        Ok(all)
    }
}

/// A session's hash differs from that of a token with the same text.
pub(super) fn hash_of(secret: &str) -> TokenHash {
    TokenHash::of(&format!("session {secret}"))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
