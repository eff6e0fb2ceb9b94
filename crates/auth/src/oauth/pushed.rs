//! Pushed requests: a client leaves its parameters with us and sends the browser with a reference.

use jiff::SignedDuration;

use super::error::OauthError;
use super::form::Form;
use super::request::{check_code, redirect_of, terms};
use super::seal::digest;
use crate::{Auth, mint};

/// How long a reference is good, in seconds.
const SECONDS: i64 = 90;
const URN: &str = "urn:ietf:params:oauth:request_uri:";

impl Auth {
    /// Keeps a client's parameters; answers the reference and how long it is good, in seconds.
    pub async fn push_request(
        &self,
        form: Form,
        issuer: &str,
    ) -> Result<(String, i64), OauthError> {
        let proof = self.authenticate_client(&form, issuer).await?;
        if form.get("request_uri").is_some() {
            return Err(OauthError::invalid_request("a pushed request cannot hold a request_uri"));
        }
        // What the browser would be refused with later is refused at once.
        let (_, metadata) = self.client(&proof.client.client_id, false).await?;
        redirect_of(&form, &metadata)?;
        check_code(&form)?;
        terms(&form, issuer)?;
        let uri = format!("{URN}{}", mint::id("", &*self.entropy));
        let until = self.clock.now() + SignedDuration::from_secs(SECONDS);
        let client_id = &proof.client.client_id;
        self.store.push_request(hash(&uri), client_id, form.kept(), until).await?;
        Ok((uri, SECONDS))
    }

    /// The parameters of a question: its own, or the pushed ones it refers to.
    pub(super) async fn pushed_form(&self, form: Form) -> Result<Form, OauthError> {
        const GONE: OauthError =
            OauthError::invalid_request("the app's request is not known any more; start again");
        let Some(uri) = form.get("request_uri") else { return Ok(form) };
        let found = self.store.find_pushed(hash(uri), self.clock.now()).await?;
        let (client_id, kept) = found.ok_or(GONE)?;
        if form.get("client_id") != Some(&client_id) {
            return Err(GONE);
        }
        let pushed = Form::read(&kept).ok_or(GONE)?;
        Ok(pushed.with("client_id", &client_id))
    }
}

fn hash(uri: &str) -> [u8; 32] {
    digest("pushed request v1", &[uri.as_bytes()])
}
