//! Packages and grants: what was issued to whom, word for word, and whether it was ended.

use async_trait::async_trait;
use jiff::Timestamp;
use pdpp_contract::{AccessMode, ClientName, ConnectionId, GrantId, InvalidName, PackageId};

use crate::access::audit::AuditEvent;
use crate::access::tokens::NewToken;
use crate::error::StoreResult;

/// How ids of packages begin.
pub const PACKAGE_PREFIX: &str = "pkg_";
/// How ids of grants begin.
pub const GRANT_PREFIX: &str = "grt_";
/// How many hexadecimal digits follow the prefix.
const ID_DIGITS: usize = 32;

/// A package to keep: everything that one token opens.
#[derive(Debug, Clone)]
pub struct NewPackage {
    /// Its id.
    pub package_id: PackageId,
    /// The agent it is for.
    pub client: ClientName,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first instant at which it is dead; `None` lives until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// Its grants, at most one for each connection.
    pub grants: Vec<NewGrant>,
    /// The token that opens it; none when tokens come later, by signing in.
    pub token: Option<NewToken>,
}

/// A grant to keep.
#[derive(Debug, Clone)]
pub struct NewGrant {
    /// Its id.
    pub grant_id: GrantId,
    /// The connection it opens.
    pub connection_id: ConnectionId,
    /// The grant as JSON, kept and returned as it is.
    pub grant_json: String,
}

/// A package as it is stored, live or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPackage {
    /// Its id.
    pub package_id: PackageId,
    /// The agent it is for.
    pub client: ClientName,
    /// Once, or again and again.
    pub access_mode: AccessMode,
    /// When it was issued.
    pub created_at: Timestamp,
    /// The first instant at which it is dead.
    pub expires_at: Option<Timestamp>,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// When one of its tokens was last presented, to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// Its grants in the order they were issued, ended ones too.
    pub grants: Vec<StoredGrant>,
}

/// A grant as it is stored, live or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGrant {
    /// Its id.
    pub grant_id: GrantId,
    /// The connection it opens, or opened: that connection may be gone.
    pub connection_id: ConnectionId,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
    /// The grant as it was issued. After its connection was removed, lists of records are empty.
    pub grant_json: String,
}

/// Names grants: all of a package, one, or all of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantSelector {
    /// The package with this id.
    Package(PackageId),
    /// The grant with this id.
    Grant(GrantId),
    /// Everything issued to this agent.
    Client(ClientName),
}

impl std::str::FromStr for GrantSelector {
    type Err = InvalidName;

    /// What has the exact shape of one of our ids is that id; any other text is an agent's name.
    fn from_str(text: &str) -> Result<Self, InvalidName> {
        if is_id(text, PACKAGE_PREFIX) {
            return PackageId::new(text).map(Self::Package);
        }
        if is_id(text, GRANT_PREFIX) {
            return GrantId::new(text).map(Self::Grant);
        }
        ClientName::new(text).map(Self::Client)
    }
}

impl std::fmt::Display for GrantSelector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Package(id) => id.fmt(f),
            Self::Grant(id) => id.fmt(f),
            Self::Client(name) => name.fmt(f),
        }
    }
}

fn is_id(text: &str, prefix: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.strip_prefix(prefix)
        .is_some_and(|digits| digits.len() == ID_DIGITS && digits.bytes().all(is_digit))
}

/// What a revocation ended: only what was not ended before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revoked {
    /// Packages that ended, in the order they were issued.
    pub packages: Vec<PackageId>,
    /// Grants that ended, in the order they were issued.
    pub grants: Vec<GrantId>,
}

/// Packages and their grants.
///
/// A store judges no grant: it returns ended and expired ones too, and the caller compares the
/// times. Every change is kept together with its audit event, or not at all.
#[async_trait]
pub trait GrantStore: Send + Sync {
    /// Keeps a package with its grants, its token and its audit event, in one step.
    ///
    /// An id or token that is already kept, and two grants for one connection, are a `Conflict`;
    /// so is a connection that was removed in the meantime.
    async fn issue_package(&self, package: NewPackage, event: AuditEvent) -> StoreResult<()>;

    /// Every package, in the order they were issued. For the owner.
    async fn list_packages(&self) -> StoreResult<Vec<StoredPackage>>;

    /// The packages that hold something the selector names, whole, in the order they were issued.
    async fn find_packages(&self, what: &GrantSelector) -> StoreResult<Vec<StoredPackage>>;

    /// Ends what the selector names, at the event's time, and every package left without a live
    /// grant.
    ///
    /// `None` when nothing goes by that name. What was ended before stays as it was and is not
    /// named again. What had merely expired does end. One event is kept for each package that lost
    /// something, completed with the package and the connections that ended; for the others none.
    /// When it returns, every later look at the token sees it.
    async fn revoke_grants(
        &self,
        what: &GrantSelector,
        event: AuditEvent,
    ) -> StoreResult<Option<Revoked>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_shape_of_an_id_is_an_id() {
        let digits = "0123456789abcdef".repeat(2);
        let package: GrantSelector = format!("pkg_{digits}").parse().unwrap();
        assert!(matches!(package, GrantSelector::Package(_)));
        let grant: GrantSelector = format!("grt_{digits}").parse().unwrap();
        assert!(matches!(grant, GrantSelector::Grant(_)));
        for name in ["claude", "pkg_tracker", "grt_", &digits] {
            let client: GrantSelector = name.parse().unwrap();
            assert!(matches!(client, GrantSelector::Client(_)), "{name}");
            assert_eq!(client.to_string(), *name);
        }
        assert!("".parse::<GrantSelector>().is_err());
    }
}
