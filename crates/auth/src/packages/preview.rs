//! What a package would show, before anybody has it.

use super::PackageRequest;
use crate::access::{GrantAccess, OwnerAccess};
use crate::error::AuthError;
use crate::resolve::AddedKeyField;
use crate::{Auth, mint};
use pdpp_contract::Grant;
use pdpp_store::tokens::TokenHash;

/// A package that was not issued: the owner sees through it what an agent would.
#[derive(Debug)]
pub struct Preview {
    /// What it opens. No token leads to it; it goes with this value.
    pub access: GrantAccess,
    /// Key fields that were added although nobody asked for them.
    pub added_key_fields: Vec<AddedKeyField>,
}

impl Auth {
    /// Resolves a request exactly as issuing it would, and keeps nothing.
    pub async fn preview(
        &self,
        _: &OwnerAccess,
        request: &PackageRequest,
    ) -> Result<Preview, AuthError> {
        let now = self.clock.now();
        let drafted = self.draft(request, &|_| None, now).await?;
        let grants: Vec<Grant> = drafted
            .grants
            .iter()
            .map(|new| super::issue::read(&new.grant_json))
            .collect::<Result<_, _>>()?;
        let package_id = mint::package_id(&*self.entropy).map_err(|_| AuthError::rule("bad id"))?;
        let fingerprint = TokenHash::of(package_id.as_str()).fingerprint();
        let access = GrantAccess::new(request.client.clone(), package_id, fingerprint, grants);
        Ok(Preview { access, added_key_fields: drafted.added_key_fields })
    }
}
