//! Signing in with the password. Every refusal takes as long as every other.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use pdpp_contract::ErrorCode;
use pdpp_store::audit::{AuditActor, AuditEvent, AuditWord};
use pdpp_store::owner::NewPassword;
use pdpp_store::sessions::NewSession;
use tokio::sync::Semaphore;

use super::delay::{EVERYBODY, remaining};
use super::hashing;
use super::password::{PasswordFault, PasswordText};
use super::session::{LONGEST, Session, SessionSecret, hash_of};
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
    /// The cookie it already has. That session ends when a new one begins, so that nobody can lay
    /// one in wait.
    pub presented: Option<String>,
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
        let name = visitor.name();
        // Where the owner signed in lately, strangers elsewhere make nobody wait.
        let alone = [name.as_str()];
        let together = [name.as_str(), EVERYBODY];
        let names = if self.was_here(visitor).await? { &alone[..] } else { &together[..] };
        self.guess(typed, names).await?;
        Ok(self.begin(visitor, "owner_login").await?)
    }

    /// Whether the visitor's browser holds the cookie of a session, even of one that is over.
    async fn was_here(&self, visitor: &Visitor) -> Result<bool, AuthError> {
        let Some(cookie) = &visitor.presented else { return Ok(false) };
        Ok(self.store.find_session(&hash_of(cookie)).await?.is_some())
    }

    /// Looks at one guess, unless those who make it have to wait. The first name is the guesser's own.
    async fn guess(&self, typed: PasswordText, names: &[&str]) -> Result<(), LoginRefused> {
        let closed = |_| AuthError::rule("no turn for a password");
        let _turn = TURN.acquire().await.map_err(closed)?;
        let now = self.clock.now();
        let (mut own, mut all) = (None, None);
        for name in names {
            let found = self.store.login_failures(name).await.map_err(AuthError::from)?;
            *(if *name == EVERYBODY { &mut all } else { &mut own }) = found;
        }
        if let Some(wait) = remaining(own, all, now) {
            return Err(LoginRefused::Wait(wait));
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
        self.store.note_login_failure(names, event).await.map_err(AuthError::from)?;
        Err(LoginRefused::Wrong)
    }

    /// Begins a session for somebody who proved to be the owner.
    pub(super) async fn begin(
        &self,
        visitor: &Visitor,
        operation: &'static str,
    ) -> Result<SessionSecret, AuthError> {
        let now = self.clock.now();
        let secret = SessionSecret::mint(&*self.entropy);
        let mut event = AuditEvent::by_owner(now, operation);
        event.token_fingerprint = Some(secret.hash().fingerprint());
        let new = NewSession {
            hash: secret.hash(),
            device: visitor.device.chars().filter(|c| !c.is_control()).take(DEVICE_CHARS).collect(),
            replaces: visitor.presented.as_deref().map(hash_of),
            forget_before: now.checked_sub(LONGEST).unwrap_or(Timestamp::MIN),
            forgive: vec![visitor.name()],
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
        match self.guess(present, &[&name]).await {
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
