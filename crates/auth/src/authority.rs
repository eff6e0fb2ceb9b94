//! What an answer under way stands on, so that it can be looked at again until all of it is sent.

use std::sync::Arc;

use pdpp_contract::GrantId;
use pdpp_contract::access::Resource;

use crate::Auth;
use crate::access::Caller;
use crate::error::AuthError;
use crate::token::Presented;
use crate::verify::{check_resource, judge};

/// The token that a call presented and the grants it opened then. Cheap to clone.
#[derive(Clone)]
pub struct Authority(Arc<Inner>);

struct Inner {
    presented: Presented,
    resource: Resource,
    /// What the answer may have been read through; empty for the owner.
    grants: Vec<GrantId>,
}

impl Authority {
    /// What `caller` stands on, who presented `bearer` at one of the doors.
    pub fn of(bearer: &str, resource: Resource, caller: &Caller) -> Option<Self> {
        let presented = Presented::parse(bearer)?;
        let grants = match caller {
            Caller::Agent(access) => {
                access.grants().iter().map(|grant| grant.grant_id.clone()).collect()
            }
            Caller::Owner(_) => Vec::new(),
        };
        Some(Self(Arc::new(Inner { presented, resource, grants })))
    }
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let token_fingerprint = self.0.presented.hash.fingerprint();
        f.debug_struct("Authority").field("token_fingerprint", &token_fingerprint).finish()
    }
}

impl Auth {
    /// Whether all of it still stands: one look-up. It does not count as a use of the token.
    ///
    /// An answer may mix what several grants show, so one that ended ends it.
    pub async fn check_authority(&self, authority: &Authority) -> Result<(), AuthError> {
        let Inner { presented, resource, grants } = &*authority.0;
        let access = self.store.find_access(&presented.hash).await?;
        let access = access.ok_or(AuthError::NoSuchToken)?;
        let caller = judge(&access, presented.claims, self.clock.now())?;
        check_resource(&access.token, Some(*resource))?;
        match caller {
            Caller::Owner(_) => Ok(()),
            Caller::Agent(now) => {
                let live = |id: &GrantId| now.grants().iter().any(|grant| grant.grant_id == *id);
                if grants.iter().all(live) { Ok(()) } else { Err(AuthError::GrantRevoked) }
            }
        }
    }
}
