//! A client of the store on this machine: the credential that is kept for it, and whether that opens something.

use pdpp_contract::ClientName;

use super::refused::refuse_owner_credential;
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::data_dir::credentials::Credentials;
use crate::failure::{Exit, Failure};
use crate::output::quoted;

/// The token that is kept for a client of the store on this machine; never the owner's.
pub fn local_token(client: Option<&ClientName>, data_dir: &DataDir) -> Result<String, Failure> {
    let client = client.ok_or_else(|| {
        Failure::usage("name an agent with --client NAME, or a server with --provider-url")
    })?;
    let kept = Credentials::new(data_dir.credentials()).find_document(client)?;
    let none = || {
        let message = format!(
            "no credential for {client} on this machine: none was created, or its grant was revoked"
        );
        let create = data_dir.advice(&grant_command(client.as_str()));
        Failure::new(Exit::NoCredential, "not_connected", message)
            .with_advice(format!("create one with: {create}"))
    };
    let document = kept.ok_or_else(none)?;
    refuse_owner_credential(&document, &format!("the credential of {client}"))?;
    let token = document.pointer("/credential/access_token").and_then(serde_json::Value::as_str);
    token.map(str::to_owned).ok_or_else(none)
}

/// Refuses a client whose credential is missing or opens nothing any more.
pub async fn check_access(client: &ClientName, data_dir: DataDir) -> Result<(), Failure> {
    let token = local_token(Some(client), &data_dir)?;
    let app = CliApp::open_existing(data_dir).await?;
    let Err(refused) = app.auth.look_at(&token).await else { return Ok(()) };
    if refused.is_internal() {
        return Err(refused.into());
    }
    let message = format!("the credential of {client} no longer works ({refused})");
    let create = app.data_dir.advice(&grant_command(client.as_str()));
    let failure = Failure::new(Exit::NoCredential, "not_connected", message);
    Err(failure.with_advice(format!("create a new one with: {create}")))
}

/// What gives a client a credential, as it is advised; what it may read is the person's to say.
pub fn grant_command(client: &str) -> String {
    format!("grant create --client {} --allow …", quoted(client))
}
