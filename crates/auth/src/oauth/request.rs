//! The first question: a client sends the owner's browser, and a request is kept.

use jiff::SignedDuration;
use pdpp_contract::ClientName;
use pdpp_contract::access::AuditEvent;
use pdpp_store::oauth::{NewRequest, RequestKey, StoredClient};

use super::address::with_params;
use super::error::{OauthCode, OauthError};
use super::form::Form;
use super::metadata::ClientMetadata;
use super::redirect::{self, RedirectKind};
use super::seal::digest;
use super::session::OwnerSession;
use super::{OFFLINE, SCOPE, details, resource};
use crate::{Auth, mint};

/// How long the owner may take.
const OPEN_FOR: SignedDuration = SignedDuration::from_mins(15);
const REQUEST_PREFIX: &str = "areq_";
/// Longest state that is repeated.
const MAX_STATE: usize = 4_096;

/// A question at `/oauth/authorize`, by an owner who is signed in.
#[derive(Debug)]
pub struct AuthorizeQuestion<'a> {
    /// The parameters.
    pub form: Form,
    /// This server as the client knows it.
    pub issuer: &'a str,
    /// The owner's session.
    pub session: &'a OwnerSession,
    /// From where the browser asks.
    pub from: Option<String>,
}

/// A request that waits for the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorized {
    /// Its id, `areq_…`.
    pub request_id: String,
}

/// A question that cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthorizeFault {
    /// Nobody proved to be trustworthy: the owner is told, and sent nowhere.
    Page(OauthError),
    /// The client can be told, at an address it registered, once the owner has seen why.
    Return {
        /// What is wrong.
        error: OauthError,
        /// The address with the error in it.
        url: String,
        /// Who would receive it, to show.
        host: String,
    },
}

impl From<OauthError> for AuthorizeFault {
    fn from(error: OauthError) -> Self {
        Self::Page(error)
    }
}

/// What is left to be checked once it is known where an answer may go.
pub(super) struct Terms {
    pub(super) resource: pdpp_contract::access::Resource,
    pub(super) scope: String,
    pub(super) details_json: Option<String>,
}

impl Auth {
    /// Keeps the question, or finds it again when it was asked before in this session.
    pub async fn authorize(
        &self,
        question: AuthorizeQuestion<'_>,
    ) -> Result<Authorized, AuthorizeFault> {
        let AuthorizeQuestion { form, issuer, session, from } = question;
        let form = self.pushed_form(form).await?;
        let client_id = form.need("client_id", "the app did not say who it is (client_id)")?;
        let (client, metadata) = self.client(client_id, false).await?;
        let redirect_uri = redirect_of(&form, &metadata)?.to_owned();
        let back = |error: OauthError| AuthorizeFault::Return {
            url: error_url(&redirect_uri, &error, form.get("state"), issuer),
            host: redirect::host_of(&redirect_uri),
            error,
        };
        let code_challenge = check_code(&form).map_err(back)?;
        let terms = terms(&form, issuer).map_err(back)?;
        let same_as = digest(
            "authorize again v1",
            &[session.name().as_bytes(), issuer.as_bytes(), form.kept().as_bytes()],
        );
        let now = self.clock.now();
        if let Some(same) = self.find_same(same_as).await? {
            return Ok(same);
        }
        let request_id = mint::id(REQUEST_PREFIX, &*self.entropy);
        let request = NewRequest {
            request_id: request_id.clone(),
            client_id: client.client_id.clone(),
            redirect_uri: Some(redirect_uri),
            state: form.get("state").map(str::to_owned),
            code_challenge: Some(code_challenge),
            resource: terms.resource,
            scope: terms.scope,
            details_json: terms.details_json,
            issuer: issuer.to_owned(),
            requested_from: from,
            same_as: Some(same_as),
            user_code_hash: None,
            device_hash: None,
            poll_interval: 0,
            created_at: now,
            expires_at: now + OPEN_FOR,
        };
        self.keep_request(request, &client).await?;
        Ok(Authorized { request_id })
    }

    pub(super) async fn keep_request(
        &self,
        request: NewRequest,
        client: &StoredClient,
    ) -> Result<(), OauthError> {
        let event = self.request_event(&client.handle, &request.request_id);
        Ok(self.store.add_request(request, Some(event)).await?)
    }

    /// That a client's question has come to the owner.
    pub(super) fn request_event(&self, client: &ClientName, request_id: &str) -> AuditEvent {
        AuditEvent {
            request_id: Some(request_id.to_owned()),
            ..self.client_event(client, "authorization_requested", None)
        }
    }

    async fn find_same(&self, same_as: [u8; 32]) -> Result<Option<Authorized>, OauthError> {
        let found = self.store.find_request(RequestKey::SameAs(same_as, self.clock.now())).await?;
        Ok(found.map(|request| Authorized { request_id: request.request_id }))
    }
}

/// The address for the answer: one that the client registered, or its only one.
pub(super) fn redirect_of<'a>(
    form: &'a Form,
    client: &'a ClientMetadata,
) -> Result<&'a str, OauthError> {
    const UNKNOWN: OauthError = OauthError::invalid_request(
        "the app asked for its answer at an address that it never registered; nothing was sent there",
    );
    let Some(given) = form.get("redirect_uri") else {
        return match client.redirect_uris.as_slice() {
            [only] if redirect::kind_of(only) != Some(RedirectKind::Loopback) => Ok(only),
            _ => Err(UNKNOWN),
        };
    };
    let known = client.redirect_uris.iter().any(|registered| redirect::matches(registered, given));
    if known { Ok(given) } else { Err(UNKNOWN) }
}

/// Checks kind of answer and proof key; answers the proof key's hash.
pub(super) fn check_code(form: &Form) -> Result<String, OauthError> {
    if form.get("state").is_some_and(|state| state.len() > MAX_STATE) {
        return Err(OauthError::invalid_request("state is too long"));
    }
    if form.get("response_type") != Some("code") {
        let words = "response_type must be code";
        return Err(OauthError::new(OauthCode::UnsupportedResponseType, words));
    }
    if form.get("code_challenge_method") != Some("S256") {
        return Err(OauthError::invalid_request("code_challenge_method must be S256"));
    }
    let challenge = form.need("code_challenge", "a code_challenge is required")?;
    let is_digest = challenge.len() == 43
        && challenge.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_digest {
        return Err(OauthError::invalid_request("code_challenge is no S256 digest"));
    }
    if form.get("prompt").is_some_and(|prompt| prompt.split(' ').any(|word| word == "none")) {
        let words = "the owner is always asked; leave out prompt=none";
        return Err(OauthError::new(OauthCode::InteractionRequired, words));
    }
    Ok(challenge.to_owned())
}

/// What is asked for. Scopes that are not ours are dropped: several clients invent some.
pub(super) fn terms(form: &Form, issuer: &str) -> Result<Terms, OauthError> {
    let asked = form.get("scope").unwrap_or_default();
    let offline = asked.split(' ').any(|scope| scope == OFFLINE);
    let details_json = form.get("authorization_details").map(str::to_owned);
    if let Some(text) = &details_json {
        details::parse(text)?;
    }
    Ok(Terms {
        resource: resource::of(form.get("resource"), issuer)?,
        scope: if offline { format!("{SCOPE} {OFFLINE}") } else { SCOPE.to_owned() },
        details_json,
    })
}

fn error_url(redirect_uri: &str, error: &OauthError, state: Option<&str>, issuer: &str) -> String {
    let mut params = vec![("error", error.code.as_str()), ("error_description", error.description)];
    params.extend(state.filter(|state| state.len() <= MAX_STATE).map(|state| ("state", state)));
    params.push(("iss", issuer));
    with_params(redirect_uri, &params)
}
