//! What agents would be let in with now, for the owner who wants to see with their eyes.

use jiff::Timestamp;
use pdpp_contract::access::GrantSelector;
use pdpp_contract::{ClientName, PackageId};
use pdpp_store::grants::StoredPackage;
use pdpp_store::tokens::TokenHash;

use crate::Auth;
use crate::access::{GrantAccess, OwnerAccess};
use crate::error::AuthError;
use crate::packages::Standing;
use crate::packages::end::no_grant;
use crate::verify;

/// A package that opens something, and what.
#[derive(Debug, Clone)]
pub struct LivePackage {
    /// The agent it is for.
    pub client: ClientName,
    /// The package.
    pub package_id: PackageId,
    /// When it was issued.
    pub created_at: Timestamp,
    /// What its token opens now. No token leads to this value; looking through it is no use of one.
    pub access: GrantAccess,
}

impl Auth {
    /// Every package that opens something now, in the order they were issued.
    pub async fn live_packages(&self, _: &OwnerAccess) -> Result<Vec<LivePackage>, AuthError> {
        let (stored, now) = (self.store.list_packages().await?, self.clock.now());
        Ok(stored.iter().filter_map(|package| live(package, now).ok()).collect())
    }

    /// What the named agent, package or grant would be let in with, the newest first. When nothing of
    /// it opens anything, the refusal that its newest token would get.
    pub async fn access_of(
        &self,
        _: &OwnerAccess,
        what: &GrantSelector,
    ) -> Result<Vec<LivePackage>, AuthError> {
        let (mut stored, now) = (self.store.find_packages(what).await?, self.clock.now());
        stored.sort_by_key(|package| std::cmp::Reverse(package.created_at));
        let mut refused = None;
        let mut found = Vec::new();
        for package in &stored {
            match live(package, now) {
                Ok(package) => found.push(package),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            Some(refused) if found.is_empty() => Err(refused),
            None if found.is_empty() => Err(no_grant(what)),
            _ => Ok(found),
        }
    }
}

/// The same rules as for a token, without one.
fn live(package: &StoredPackage, now: Timestamp) -> Result<LivePackage, AuthError> {
    match Standing::at(now, package.revoked_at, package.expires_at) {
        Standing::Live => {}
        Standing::Expired => return Err(AuthError::GrantExpired),
        Standing::Revoked => return Err(AuthError::GrantRevoked),
    }
    let grants = verify::live_grants(package, now)?;
    let (client, package_id) = (package.client.clone(), package.package_id.clone());
    let fingerprint = TokenHash::of(package_id.as_str()).fingerprint();
    let access = GrantAccess::new(client.clone(), package_id.clone(), fingerprint, grants);
    Ok(LivePackage { client, package_id, created_at: package.created_at, access })
}
