//! Signing in with the password. Every refusal takes as long as every other.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::ErrorCode;
use pdpp_contract::access::{AuditActor, AuditEvent, AuditWord};
use pdpp_store::owner::NewPassword;
use pdpp_store::sessions::NewSession;
use tokio::sync::Semaphore;

use super::delay::{EVERYBODY, remaining};
use super::hashing;
use super::known_browser::{self, KnownBrowser};
use super::password::{PasswordFault, PasswordText};
use super::session::{LONGEST, ProcessKey, Session, SessionSecret};
use crate::Auth;
use crate::access::OwnerAccess;
use crate::error::AuthError;

/// What a browser calls itself is cut here.
const DEVICE_CHARS: usize = 200;

/// Guesses are looked at one after the other: each is counted before the next one is let in, however
/// many arrive together. Several servers on one store let in one each.
static TURN: Semaphore = Semaphore::const_new(1);

/// Who is at the door.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// Where the connection comes from.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub device: String,
    /// Cookies that may say that the owner signed in here before.
    pub browsers: Vec<String>,
    /// What a session of this visitor is bound to, if it ends with the process.
    pub process: Option<ProcessKey>,
}

impl Visitor {
    fn name(&self) -> String {
        self.address.to_string()
    }
}

/// Why somebody was not signed in.
#[derive(Debug, thiserror::Error)]
pub enum LoginRefused {
    /// Not the password; also when none is set.
    #[error("that is not the password")]
    Wrong,
    /// Too many guesses; the password was not looked at.
    #[error("too many wrong passwords; wait {} seconds", .0.as_secs() + 1)]
    Wait(SignedDuration),
    /// Something failed.
    #[error(transparent)]
    Failed(#[from] AuthError),
}

impl Auth {
    /// Whether the owner has a password. Without one nobody can sign in.
    pub async fn has_password(&self) -> Result<bool, AuthError> {
        Ok(self.store.password_hash().await?.is_some())
    }

    /// Signs the visitor in and answers the secret of a fresh session.
    pub async fn login(
        &self,
        typed: PasswordText,
        visitor: &Visitor,
    ) -> Result<SessionSecret, LoginRefused> {
        let kept = self.store.password_hash().await.map_err(AuthError::from)?;
        let known = known_browser::find(&visitor.browsers, kept.as_deref());
        let own = known.as_ref().map(|browser| browser.name.as_str());
        self.guess(typed, &[&visitor.name(), EVERYBODY], own).await?;
        Ok(self.begin(visitor, known, None).await?)
    }

    /// Signs the owner in once more: what gives something away wants a password that was just typed.
    /// The session takes another address and cookie; the earlier one ends.
    pub async fn login_again(
        &self,
        typed: PasswordText,
        session: &Session,
        visitor: &Visitor,
    ) -> Result<SessionSecret, LoginRefused> {
        let name = format!("session {}", session.hash.fingerprint().as_str());
        self.guess(typed, &[&name], None).await?;
        let kept = self.store.password_hash().await.map_err(AuthError::from)?;
        let known = known_browser::find(&visitor.browsers, kept.as_deref());
        Ok(self.begin(visitor, known, Some(session)).await?)
    }

    /// Looks at one guess, unless those who make it have to wait: an address, a session, everybody. A
    /// browser that is known (`own`) has guesses for which it waits for nobody.
    async fn guess(
        &self,
        typed: PasswordText,
        names: &[&str],
        own: Option<&str>,
    ) -> Result<(), LoginRefused> {
        let closed = |_| AuthError::rule("no turn for a password");
        let _turn = TURN.acquire().await.map_err(closed)?;
        let now = self.clock.now();
        let has_own = match own {
            Some(name) => {
                let failures = self.store.login_failures(name).await.map_err(AuthError::from)?;
                known_browser::has_guess(failures, now)
            }
            None => false,
        };
        if !has_own {
            self.check_wait(names, now).await?;
        }
        let kept = self.store.password_hash().await.map_err(AuthError::from)?;
        if hashing::matches(typed, kept).await? {
            return Ok(());
        }
        let event = AuditEvent {
            actor: AuditActor::Nobody,
            outcome: AuditWord::from(ErrorCode::AuthenticationError),
            ..AuditEvent::by_owner(now, AuditEvent::LOGIN_FAILED)
        };
        // A guess that its address was allowed is not the browser's own: it must not begin a new five.
        let own = own.filter(|_| has_own);
        let names: Vec<&str> = names.iter().copied().chain(own).collect();
        self.store.note_login_failure(&names, event).await.map_err(AuthError::from)?;
        Err(LoginRefused::Wrong)
    }

    async fn check_wait(&self, names: &[&str], now: Timestamp) -> Result<(), LoginRefused> {
        let (mut by_name, mut by_all) = (None, None);
        for name in names {
            let found = self.store.login_failures(name).await.map_err(AuthError::from)?;
            *(if *name == EVERYBODY { &mut by_all } else { &mut by_name }) = found;
        }
        remaining(by_name, by_all, now).map_or(Ok(()), |rest| Err(LoginRefused::Wait(rest)))
    }

    /// Begins a session for somebody who proved to be the owner, in place of `earlier`.
    pub(super) async fn begin(
        &self,
        visitor: &Visitor,
        known: Option<KnownBrowser>,
        earlier: Option<&Session>,
    ) -> Result<SessionSecret, AuthError> {
        let now = self.clock.now();
        let mut forgive = vec![visitor.name()];
        let browser = match known {
            Some(known) => {
                forgive.push(known.name);
                known.cookie
            }
            None => {
                let kept = self.store.password_hash().await?.unwrap_or_default();
                known_browser::mint(&*self.entropy, &kept)
            }
        };
        let secret = SessionSecret::mint(&*self.entropy, browser);
        let hash = secret.hash(visitor.process.as_ref());
        let mut event = AuditEvent::by_owner(now, "owner_login");
        event.token_fingerprint = Some(hash.fingerprint());
        let new = NewSession {
            hash,
            device: visitor.device.chars().filter(|c| !c.is_control()).take(DEVICE_CHARS).collect(),
            replaces: earlier.map(|session| session.hash),
            forget_before: now.checked_sub(LONGEST).unwrap_or(Timestamp::MIN),
            forgive,
        };
        self.store.start_session(new, event).await?;
        Ok(secret)
    }

    /// Sets the password of an owner who needs no other proof: the one at the store's own files.
    /// Every browser is signed out.
    pub async fn set_owner_password(
        &self,
        owner: &OwnerAccess,
        new: PasswordText,
    ) -> Result<Result<(), PasswordFault>, AuthError> {
        if let Err(fault) = new.check() {
            return Ok(Err(fault));
        }
        let password_hash = hashing::hash(new, &*self.entropy).await?;
        let new = NewPassword { password_hash, setup: None, keep_session: None };
        let event = self.owner_event(owner, "owner_password");
        self.store.set_password(new, event).await?;
        Ok(Ok(()))
    }

    /// Changes the password from a signed-in browser, which stays signed in; the others do not.
    pub async fn change_password(
        &self,
        session: &Session,
        present: PasswordText,
        new: PasswordText,
    ) -> Result<Result<(), PasswordFault>, AuthError> {
        let name = format!("session {}", session.hash.fingerprint().as_str());
        match self.guess(present, &[&name], None).await {
            Ok(()) => {}
            Err(LoginRefused::Wrong) => return Ok(Err(PasswordFault::Wrong)),
            Err(LoginRefused::Wait(rest)) => return Ok(Err(PasswordFault::Wait(rest))),
            Err(LoginRefused::Failed(error)) => return Err(error),
        }
        if let Err(fault) = new.check() {
            return Ok(Err(fault));
        }
        let password_hash = hashing::hash(new, &*self.entropy).await?;
        let keep_session = Some(session.hash);
        let event = self.owner_event(session.access(), "owner_password");
        let new = NewPassword { password_hash, setup: None, keep_session };
        self.store.set_password(new, event).await?;
        Ok(Ok(()))
    }
}
