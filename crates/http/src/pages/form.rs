//! A form that somebody sent: read once, and only from this server's own pages.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use pdpp_auth::Session;

use super::fault::PageFault;
use crate::app::App;
use crate::params::Params;

/// Longest form that is read. The largest one names every field of every account.
const MAX_BYTES: usize = 512 * 1024;
/// The field in which a form carries its CSRF token.
const CSRF_TOKEN: &str = "csrf_token";

/// A form of one of our pages. Its CSRF token is checked when a session is at hand.
#[derive(Debug)]
pub struct PageForm(Params);

impl FromRequest<App> for PageForm {
    type Rejection = PageFault;

    async fn from_request(request: Request, app: &App) -> Result<Self, PageFault> {
        if !is_own(app, request.headers()) {
            return Err(PageFault::ForeignForm);
        }
        let body = axum::body::to_bytes(request.into_body(), MAX_BYTES).await;
        let body = body.map_err(|_| PageFault::BadForm)?;
        let text = std::str::from_utf8(&body).map_err(|_| PageFault::BadForm)?;
        Params::parse(Some(text)).map(Self).map_err(|_| PageFault::BadForm)
    }
}

impl PageForm {
    /// Refuses a form that does not carry the CSRF token of this session and purpose.
    pub fn check(&mut self, session: &Session, purpose: &str) -> Result<(), PageFault> {
        let csrf_token = self.text(CSRF_TOKEN)?;
        if session.csrf_matches(purpose, &csrf_token) { Ok(()) } else { Err(PageFault::StaleForm) }
    }

    /// Every field, for those that belong together.
    pub fn params(&mut self) -> &mut Params {
        &mut self.0
    }

    /// A field that stands at most once; empty when it is missing.
    pub fn text(&mut self, name: &str) -> Result<String, PageFault> {
        let value = self.0.take(name).map_err(|_| PageFault::BadForm)?;
        Ok(value.unwrap_or_default())
    }

    /// Every value of a field.
    pub fn all(&mut self, name: &str) -> Vec<String> {
        self.0.take_all(name)
    }
}

/// Browsers say where a form comes from. It must be exactly here: other pages of this machine are
/// other people's too.
pub fn is_own(app: &App, headers: &HeaderMap) -> bool {
    let one = |name| {
        let mut values = headers.get_all(name).iter();
        let (first, second) = (values.next(), values.next());
        first.filter(|_| second.is_none()).and_then(|value| value.to_str().ok())
    };
    let Some(origin) = one(header::ORIGIN) else {
        return false;
    };
    let local = one(header::HOST).map(|host| format!("http://{host}"));
    let is_public = app.has_public_url && origin.eq_ignore_ascii_case(&app.base_url);
    let is_local = local.is_some_and(|local| origin.eq_ignore_ascii_case(&local));
    let site = headers.get("sec-fetch-site");
    (is_public || is_local) && site.is_none_or(|site| site == "same-origin")
}
