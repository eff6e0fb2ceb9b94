//! A signed-in browser: what proves it, how long it lasts, and the mark its forms carry.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use pdpp_contract::access::{AuditEvent, StoredSession};
use pdpp_contract::hex;
use pdpp_contract::ports::Entropy;
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
/// Hexadecimal digits of a session's cookie: 256 bits.
const COOKIE_DIGITS: usize = 64;
/// Hexadecimal digits of its part of the address: 128 bits.
const PATH_DIGITS: usize = 32;

/// What a browser is handed when the owner signs in. It exists in this form only until then.
pub struct SessionSecret {
    path: Zeroizing<String>,
    cookie: Zeroizing<String>,
    browser: Zeroizing<String>,
}

impl SessionSecret {
    pub(super) fn mint(entropy: &dyn Entropy, browser: String) -> Self {
        Self {
            path: random_hex::<{ PATH_DIGITS / 2 }>(entropy),
            cookie: random_hex::<{ COOKIE_DIGITS / 2 }>(entropy),
            browser: Zeroizing::new(browser),
        }
    }

    pub(super) fn hash(&self, process: Option<&ProcessKey>) -> TokenHash {
        SessionKeys { path: &self.path, cookie: &self.cookie, process }.hash()
    }

    /// The session's part of the address. Browsers send cookies to every port of a host, but this
    /// only to the server it belongs to.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value of the session's cookie.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// What tells later that the owner signed in with this browser before. It opens nothing.
    pub fn browser(&self) -> &str {
        &self.browser
    }
}

impl std::fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionSecret(…)")
    }
}

/// A secret of this process. Sessions that are bound to it end when the process does: on plain HTTP
/// whoever takes the port afterwards is sent the owner's addresses and cookies.
#[derive(Clone)]
pub struct ProcessKey(Zeroizing<String>);

impl ProcessKey {
    /// A key that nobody else has.
    pub fn mint(entropy: &dyn Entropy) -> Self {
        Self(random_hex::<32>(entropy))
    }
}

impl std::fmt::Debug for ProcessKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProcessKey(…)")
    }
}

/// What opens a session. Each part alone opens nothing.
#[derive(Clone, Copy)]
pub struct SessionKeys<'a> {
    /// The session's part of the address.
    pub path: &'a str,
    /// The value of its cookie.
    pub cookie: &'a str,
    /// The process in which it began, for sessions that end with it.
    pub process: Option<&'a ProcessKey>,
}

impl SessionKeys<'_> {
    fn is_shaped(&self) -> bool {
        let shaped = |text: &str, digits| {
            text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        shaped(self.path, PATH_DIGITS) && shaped(self.cookie, COOKIE_DIGITS)
    }

    /// A session's hash differs from that of a token with the same text.
    fn hash(&self) -> TokenHash {
        let process = self.process.map_or("", |key| key.0.as_str());
        TokenHash::of(&format!("session {} {} {process}", self.path, self.cookie))
    }
}

impl std::fmt::Debug for SessionKeys<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKeys(…)")
    }
}

/// A browser in which the owner is signed in now. Hold it for one request.
pub struct Session {
    pub(super) hash: TokenHash,
    path: Zeroizing<String>,
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

    /// Its part of the address, for links between its own pages and nothing else.
    pub fn path(&self) -> &str {
        &self.path
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
    /// The session of an address and a cookie; `None` when they do not belong together, and when the
    /// session is unused for twelve hours, a week old, or of an earlier process.
    pub async fn session(&self, keys: SessionKeys<'_>) -> Result<Option<Session>, AuthError> {
        if !keys.is_shaped() {
            return Ok(None);
        }
        let (hash, now) = (keys.hash(), self.clock.now());
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
        let own = |text: &str| Zeroizing::new(text.to_owned());
        let (path, secret) = (own(keys.path), own(keys.cookie));
        Ok(Some(Session { hash, path, secret, access, kept, now }))
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

    /// Ends every session: those of an earlier process cannot be opened any more.
    pub async fn end_sessions(&self) -> Result<u64, AuthError> {
        let event = AuditEvent::by_owner(self.clock.now(), "owner_logout");
        Ok(self.store.end_other_sessions(&TokenHash::of("no session"), event).await?)
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

fn random_hex<const BYTES: usize>(entropy: &dyn Entropy) -> Zeroizing<String> {
    let mut random = Zeroizing::new([0_u8; BYTES]);
    entropy.fill(random.as_mut_slice());
    Zeroizing::new(hex(random.as_slice()))
}
