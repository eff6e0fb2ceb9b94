//! Decides who may: packages, grants, tokens, and the access values everything else asks for.
//!
//! A bearer token becomes a [`Caller`] in [`Auth::verify`], and nowhere else. [`GrantAccess`] and
//! [`OwnerAccess`] have private fields, so whoever holds one was let in by this crate. Time and
//! randomness are handed in; nothing here speaks HTTP.

mod access;
mod allow;
mod audit_log;
mod authority;
mod digest;
mod error;
mod event_document;
mod lifetime;
mod mint;
pub mod oauth;
mod once_a_minute;
mod owner;
mod owner_tokens;
mod packages;
mod rate_limits;
mod refused;
mod resolve;
mod token;
mod verify;

use std::sync::Arc;

use pdpp_contract::ports::{Clock, Entropy};
use pdpp_store::AccessStore;

pub use access::{Caller, GrantAccess, OwnerAccess};
pub use allow::{AllowSpec, RangeEnd, SpecFault, StreamAllow, TimeRange};
pub use audit_log::{Admission, AuditLog, AuditUnwritten};
pub use authority::Authority;
pub use error::{AuthError, InternalFault, NamedKind};
pub use event_document::{actor_kind, event_document};
pub use lifetime::{Lifetime, LifetimeFault};
pub use owner::{
    LoginRefused, PasswordFault, PasswordText, ProcessKey, Pruned, PrunedBy, RefreshReuse,
    Retention, RetentionPeriod, Session, SessionKeys, SessionSecret, Settings, SettingsFault,
    SetupCode, SetupRefused, Visitor,
};
pub use owner_tokens::{IssuedOwnerToken, OwnerTokenSummary};
pub use packages::{
    GrantSummary, IssuedPackage, LivePackage, PackageRequest, PackageSummary, Preview, Standing,
};
pub use refused::RefusedCall;
pub use resolve::AddedKeyField;
pub use token::AccessToken;

use oauth::OauthOptions;
use once_a_minute::OnceAMinute;

/// The one place that turns credentials into access and issues what they open.
pub struct Auth {
    store: Arc<dyn AccessStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    last_use: OnceAMinute,
    refusals: OnceAMinute,
    oauth: OauthOptions,
}

impl Auth {
    /// An authority over one store.
    pub fn new(
        store: Arc<dyn AccessStore>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        let (last_use, refusals) = (OnceAMinute::default(), OnceAMinute::default());
        let oauth = OauthOptions::default();
        Self { store, clock, entropy, last_use, refusals, oauth }
    }

    /// The same with other settings for signing in.
    #[must_use]
    pub fn with_oauth(self, oauth: OauthOptions) -> Self {
        Self { oauth, ..self }
    }

    /// The owner, without a token.
    ///
    /// For the command line alone: whoever may open the store's files can read and change
    /// everything in them anyway, so asking that person for a token would protect nothing. A
    /// server must never call it on behalf of a request: a request proves nothing about files.
    pub fn local_owner(&self) -> OwnerAccess {
        OwnerAccess::local()
    }
}
