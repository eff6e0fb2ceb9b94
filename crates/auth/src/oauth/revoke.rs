//! A client gives a token back. What it was granted stays until the owner ends it.

use pdpp_contract::access::AuditWord;
use pdpp_store::tokens::TokenHash;

use super::error::OauthError;
use super::form::Form;
use crate::Auth;

impl Auth {
    /// Ends a refresh token with its whole sign-in, or one access token. Says nothing about tokens
    /// that are not the client's.
    pub async fn revoke_token(&self, form: &Form, issuer: &str) -> Result<(), OauthError> {
        let token = form.need("token", "token is missing")?;
        let proof = self.authenticate_client(form, issuer).await?;
        let hash = TokenHash::of(token);
        let (client_id, handle) = (&proof.client.client_id, &proof.client.handle);
        if let Some(refresh) = self.store.find_refresh(&hash).await? {
            let family = refresh.family;
            if &family.client.client_id == client_id {
                let event = self.client_event(handle, "sign_in_ended", Some(&family.package));
                let why = AuditWord::new("client");
                self.store.revoke_family(family.family_no, why, event).await?;
            }
        } else if let Some(family) = self.store.family_of_access(&hash).await?
            && &family.client.client_id == client_id
        {
            let mut event = self.client_event(handle, "token_revoked", Some(&family.package));
            event.token_fingerprint = Some(hash.fingerprint());
            self.store.revoke_access(&hash, event).await?;
        }
        Ok(())
    }
}
