//! Packages: what the owner asks for, what is issued, what is listed, how it ends.

mod acting;
mod end;
mod issue;
mod preview;

pub(crate) use issue::Asked;

use jiff::Timestamp;
use pdpp_contract::{AccessMode, ClientName, ConnectionId, Grant, GrantId, PackageId};
use pdpp_store::grants::{StoredGrant, StoredPackage};

use crate::allow::AllowSpec;
use crate::lifetime::Lifetime;
use crate::resolve::AddedKeyField;
use crate::token::AccessToken;

pub use acting::LivePackage;
pub use preview::Preview;

/// What a revocation ended. Both lists are empty when all of it had been ended before.
use pdpp_contract::access::Revocation;

/// A package to issue.
#[derive(Debug, Clone)]
pub struct PackageRequest {
    /// The agent it is for.
    pub client: ClientName,
    /// What it opens, at least one thing.
    pub allow: Vec<AllowSpec>,
    /// How long it lives; absent means 90 days, or one hour for a single use.
    pub expires_in: Option<Lifetime>,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// Leave out one-time codes, password resets and sign-in links.
    pub leave_out_codes: bool,
    /// Leave out keys, tokens and passwords.
    pub leave_out_secrets: bool,
}

/// A package that was just issued, with the only copy of its token.
#[derive(Debug)]
pub struct IssuedPackage {
    /// Its id.
    pub package_id: PackageId,
    /// Its grants, one for each connection, in the order the connections were named.
    pub grants: Vec<Grant>,
    /// The token that opens it.
    pub access_token: AccessToken,
    /// Key fields that were added although nobody asked for them.
    pub added_key_fields: Vec<AddedKeyField>,
    /// The first instant at which package and token are dead.
    pub expires_at: Timestamp,
}

/// Whether something still opens anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Live,
    /// Its time is over.
    Expired,
    /// It was ended.
    Revoked,
}

impl Standing {
    pub(crate) fn at(
        now: Timestamp,
        revoked_at: Option<Timestamp>,
        expires_at: Option<Timestamp>,
    ) -> Self {
        if revoked_at.is_some() {
            return Self::Revoked;
        }
        // Dead at the instant itself.
        if expires_at.is_some_and(|end| end <= now) { Self::Expired } else { Self::Live }
    }
}

/// A package as the owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageSummary {
    /// Its id.
    pub package_id: PackageId,
    /// The agent it is for.
    pub client: ClientName,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// Whether it still opens anything.
    pub standing: Standing,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// When its token was last presented, to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// Its grants, ended ones too.
    pub grants: Vec<GrantSummary>,
}

/// A grant as the owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantSummary {
    /// Its id.
    pub grant_id: GrantId,
    /// The connection it opens, or opened: that connection may be gone.
    pub connection_id: ConnectionId,
    /// Whether it still opens anything.
    pub standing: Standing,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// What it says; absent when this version cannot read it.
    pub grant: Option<Grant>,
}

impl PackageSummary {
    fn of(stored: StoredPackage, now: Timestamp) -> Self {
        let (revoked_at, expires_at) = (stored.revoked_at, stored.expires_at);
        let grant = |grant: StoredGrant| GrantSummary {
            standing: Standing::at(now, grant.revoked_at.or(revoked_at), expires_at),
            revoked_at: grant.revoked_at,
            grant: serde_json::from_str(&grant.grant_json).ok(),
            grant_id: grant.grant_id,
            connection_id: grant.connection_id,
        };
        Self {
            package_id: stored.package_id,
            client: stored.client,
            access_mode: stored.access_mode,
            standing: Standing::at(now, revoked_at, expires_at),
            created_at: stored.created_at,
            expires_at,
            revoked_at,
            last_used_at: stored.last_used_at,
            grants: stored.grants.into_iter().map(grant).collect(),
        }
    }
}
