//! The first link: whoever starts the server hands it to the owner, who sets a password with it.

use jiff::SignedDuration;
use pdpp_contract::access::AuditEvent;
use pdpp_contract::hex;
use pdpp_store::owner::NewPassword;
use pdpp_store::tokens::TokenHash;
use zeroize::Zeroizing;

use super::hashing;
use super::login::Visitor;
use super::password::{PasswordFault, PasswordText};
use super::session::SessionSecret;
use crate::Auth;
use crate::error::AuthError;

/// How long the link works. A server that is started again prints another.
const WORKS_FOR: SignedDuration = SignedDuration::from_mins(30);

/// The secret part of the first link.
pub struct SetupCode(Zeroizing<String>);

impl SetupCode {
    /// The code itself, for the address that is printed.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SetupCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SetupCode(…)")
    }
}

/// Why no password was set.
#[derive(Debug, thiserror::Error)]
pub enum SetupRefused {
    /// The link is spent, too old, or was never made.
    #[error("this link has been used or is too old; start the server again for another")]
    Link,
    /// The password will not do; the link still works.
    #[error(transparent)]
    Password(#[from] PasswordFault),
    /// Something failed.
    #[error(transparent)]
    Failed(#[from] AuthError),
}

impl Auth {
    /// A fresh link in place of any earlier one; `None` when a password is set.
    pub async fn offer_setup(&self) -> Result<Option<SetupCode>, AuthError> {
        let mut random = Zeroizing::new([0_u8; 16]);
        self.entropy.fill(random.as_mut_slice());
        let code = SetupCode(Zeroizing::new(hex(random.as_slice())));
        let end = self.clock.now().checked_add(WORKS_FOR).map_err(|_| AuthError::NoSuchEnd)?;
        let offered = self.store.offer_setup(&hash_of(code.reveal()), end).await?;
        Ok(offered.then_some(code))
    }

    /// Whether a link still sets the first password.
    pub async fn setup_works(&self, code: &str) -> Result<bool, AuthError> {
        let end = self.store.setup_expires_at(&hash_of(code)).await?;
        Ok(end.is_some_and(|end| self.clock.now() < end))
    }

    /// Sets the first password and signs the visitor in.
    pub async fn finish_setup(
        &self,
        code: &str,
        new: PasswordText,
        visitor: &Visitor,
    ) -> Result<SessionSecret, SetupRefused> {
        // Asked first, so that a stranger cannot make the server work.
        if !self.setup_works(code).await? {
            return Err(SetupRefused::Link);
        }
        new.check()?;
        let password_hash = hashing::hash(new, &*self.entropy).await?;
        let new = NewPassword { password_hash, setup: Some(hash_of(code)), keep_session: None };
        let event = AuditEvent::by_owner(self.clock.now(), "owner_setup");
        let set = self.store.set_password(new, event).await.map_err(AuthError::from)?;
        if !set {
            return Err(SetupRefused::Link);
        }
        Ok(self.begin(visitor, None, None).await?)
    }
}

fn hash_of(code: &str) -> TokenHash {
    TokenHash::of(&format!("setup {code}"))
}
