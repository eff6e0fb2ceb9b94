//! Issues a package and keeps its credential on this machine, for the agents that run here.
//!
//! All or nothing: a package whose token nobody has received is ended again.

use pdpp_auth::{IssuedPackage, PackageRequest};
use pdpp_contract::access::GrantSelector;

use crate::app::CliApp;
use crate::data_dir::credentials::{Credential, CredentialClient, StoredCredential};
use crate::failure::Failure;

/// A package whose token is kept here and not yet shown. What was kept before can come back.
pub struct NewCredential {
    /// The package.
    pub package: IssuedPackage,
    kept: StoredCredential,
    before: Option<StoredCredential>,
}

/// Issues what is asked for; from then on `pdpp mcp --client NAME` finds the credential.
pub async fn issue(app: &CliApp, request: PackageRequest) -> Result<NewCredential, Failure> {
    let credentials = app.credentials();
    let before = credentials.find(&request.client)?;
    // The place for the credential is made first: without one nothing is issued.
    let slot = credentials.reserve(&request.client)?;
    let client = request.client.clone();
    let package = app.auth.issue_package(&app.owner(), request).await?;
    let kept = StoredCredential {
        credential: Credential {
            access_token: package.access_token.reveal().to_owned(),
            token_type: "Bearer".to_owned(),
            pdpp_token_kind: "client".to_owned(),
            expires_at: Some(package.expires_at.to_string()),
        },
        client: CredentialClient { client_id: client },
        package_id: package.package_id.clone(),
    };
    let issue = NewCredential { package, kept, before };
    match slot.fill(&issue.kept) {
        Ok(_) => Ok(issue),
        Err(failure) => Err(issue.undo(app, failure).await),
    }
}

impl NewCredential {
    /// Ends the package because of a failure, and says so in its words.
    pub async fn undo(self, app: &CliApp, failure: Failure) -> Failure {
        let package = &self.package.package_id;
        let which = GrantSelector::Package(package.clone());
        let ended = app.auth.revoke(&app.owner(), &which).await.is_ok();
        let credentials = app.credentials();
        // Whatever cannot be put back opens nothing.
        let _ = match &self.before {
            Some(before) => credentials.keep(before).map(|_| true),
            None => credentials.forget(&self.kept.client.client_id, package),
        };
        if ended {
            let message = format!("{}; nothing was issued", failure.message);
            return Failure { message, ..failure };
        }
        let revoke = app.data_dir.advice(&format!("grant revoke {package}"));
        failure.with_advice(format!("revoke what was issued with: {revoke}"))
    }
}
