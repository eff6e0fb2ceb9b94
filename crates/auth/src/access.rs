//! Access values: the proof that this crate let somebody in, and as whom.

use std::sync::{Arc, OnceLock};

use pdpp_contract::access::{TokenFingerprint, TokenKind};
use pdpp_contract::{ClientName, Grant, PackageId};

use crate::digest;
use crate::error::AuthError;

/// Whoever presented a good token.
#[derive(Debug, Clone)]
pub enum Caller {
    /// An agent, within its grants.
    Agent(GrantAccess),
    /// The owner.
    Owner(OwnerAccess),
}

impl Caller {
    /// The agent; an owner's token is refused where only an agent may be.
    pub fn into_agent(self) -> Result<GrantAccess, AuthError> {
        match self {
            Self::Agent(access) => Ok(access),
            Self::Owner(_) => Err(AuthError::WrongKind { presented: TokenKind::Owner }),
        }
    }

    /// The owner; an agent's token is refused where only the owner may be.
    pub fn into_owner(self) -> Result<OwnerAccess, AuthError> {
        match self {
            Self::Owner(access) => Ok(access),
            Self::Agent(_) => Err(AuthError::WrongKind { presented: TokenKind::Client }),
        }
    }
}

/// What one agent may read, as of the moment its token was verified. Cheap to clone.
///
/// Only [`crate::Auth::verify`] makes one. It is a photograph: hold it for one request, not longer,
/// or a revocation in between goes unnoticed.
#[derive(Clone)]
pub struct GrantAccess(Arc<Inner>);

struct Inner {
    client: ClientName,
    package_id: PackageId,
    fingerprint: TokenFingerprint,
    grants: Vec<Grant>,
    digest: OnceLock<[u8; 32]>,
}

impl GrantAccess {
    /// The grants are live, checked, and at least one.
    pub(crate) fn new(
        client: ClientName,
        package_id: PackageId,
        fingerprint: TokenFingerprint,
        grants: Vec<Grant>,
    ) -> Self {
        Self(Arc::new(Inner { client, package_id, fingerprint, grants, digest: OnceLock::new() }))
    }

    /// The agent.
    pub fn client(&self) -> &ClientName {
        &self.0.client
    }

    /// The package its token opens.
    pub fn package_id(&self) -> &PackageId {
        &self.0.package_id
    }

    /// The token's public name, for the audit log.
    pub fn token_fingerprint(&self) -> &TokenFingerprint {
        &self.0.fingerprint
    }

    /// The live grants, one for each connection, in the order they were issued.
    pub fn grants(&self) -> &[Grant] {
        &self.0.grants
    }

    /// Names what may be seen, and nothing else: two packages that show the same have the same
    /// digest, so a cursor can be bound to it.
    pub fn effective_digest(&self) -> [u8; 32] {
        *self.0.digest.get_or_init(|| digest::of(&self.0.grants))
    }
}

impl std::fmt::Debug for GrantAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GrantAccess")
            .field("client", &self.0.client)
            .field("package_id", &self.0.package_id)
            .field("token_fingerprint", &self.0.fingerprint)
            .finish_non_exhaustive()
    }
}

/// The owner. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OwnerAccess(Option<TokenFingerprint>);

impl OwnerAccess {
    /// The owner through a token.
    pub(crate) fn by_token(fingerprint: TokenFingerprint) -> Self {
        Self(Some(fingerprint))
    }

    /// The owner at the store's own files.
    pub(crate) fn local() -> Self {
        Self(None)
    }

    /// The token's public name; `None` for the owner at the store's own files.
    pub fn fingerprint(&self) -> Option<&TokenFingerprint> {
        self.0.as_ref()
    }
}
