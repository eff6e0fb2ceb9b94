//! Issues a package and keeps its credential on this machine, for the agents that run here.

use pdpp_auth::{IssuedPackage, PackageRequest};

use crate::app::App;
use crate::credentials::{Credential, CredentialClient, StoredCredential};
use crate::failure::Failure;

/// Issues what is asked for; from then on `pdpp mcp --client NAME` finds the credential.
pub async fn issue(app: &App, request: PackageRequest) -> Result<IssuedPackage, Failure> {
    let client = request.client.clone();
    let issued = app.auth.issue_package(&app.owner(), request).await?;
    app.credentials().keep(&StoredCredential {
        credential: Credential {
            access_token: issued.access_token.reveal().to_owned(),
            token_type: "Bearer".to_owned(),
            pdpp_token_kind: "client".to_owned(),
            expires_at: Some(issued.expires_at.to_string()),
        },
        client: CredentialClient { client_id: client },
        package_id: issued.package_id.clone(),
    })?;
    Ok(issued)
}
