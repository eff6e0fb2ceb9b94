//! A form that a client sent, and who sent it.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use pdpp_auth::oauth::{Form, OauthCode, OauthError};

use super::answer::OauthRefusal;
use super::rate_limit::RequestKind;
use crate::app::App;
use crate::guard::caller_address;
use crate::params::Params;

/// Longest body of these endpoints.
pub const MAX_BYTES: usize = 16 * 1024;

/// A client's parameters with what is known about the question itself.
pub struct ClientForm {
    pub form: Form,
    /// This server as the client knows it.
    pub issuer: String,
    /// From where it asks.
    pub from: Option<String>,
    /// It tried to prove a key.
    pub proved: bool,
}

impl ClientForm {
    /// A refusal for this client.
    pub fn refuse(error: OauthError, proved: bool) -> Response {
        OauthRefusal::of(error, proved).into_response()
    }
}

impl FromRequest<App> for ClientForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let bad = |words| OauthRefusal::from(invalid(words)).into_response();
        let caller = caller_address(&request);
        app.oauth_rate_limits.take(app, RequestKind::Ask, caller).await?;
        if !is_form(request.headers()) {
            return Err(bad("send the parameters as application/x-www-form-urlencoded"));
        }
        let issuer = app.origin_for(request.headers());
        let body = axum::body::to_bytes(request.into_body(), MAX_BYTES).await;
        let body = body.map_err(|_| bad("the request is too large"))?;
        let text = std::str::from_utf8(&body).map_err(|_| bad("the request is not UTF-8"))?;
        let form = parse(text).map_err(|error| OauthRefusal::from(error).into_response())?;
        let proved = form.get("client_assertion").is_some();
        Ok(Self { form, issuer, from: caller.map(|caller| caller.to_string()), proved })
    }
}

/// Reads parameters, each at most once.
pub fn parse(text: &str) -> Result<Form, OauthError> {
    let params = Params::parse(Some(text)).map_err(|_| invalid("a parameter cannot be decoded"))?;
    let pairs = params.pairs().map(|(name, value)| (name.to_owned(), value.to_owned()));
    Form::new(pairs.collect())
}

fn invalid(description: &'static str) -> OauthError {
    OauthError { code: OauthCode::InvalidRequest, description }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded")
}
