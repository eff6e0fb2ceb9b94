//! Error pages: what happened, what it means, and the next step.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use pdpp_auth::AuthError;
use pdpp_contract::{ApiError, ErrorCode};

use super::asset::Asset;
use super::shell::with_headers;
use super::style::style;
use crate::refusal::RefusalResponse;

/// Why there is no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFault {
    /// Nothing is there.
    Missing,
    /// A form without its CSRF token: old, or not ours.
    StaleForm,
    /// A form that did not come from this server's own page.
    ForeignForm,
    /// A script asked, where only the browser itself may.
    AskedByScript,
    /// A form that cannot be read.
    BadForm,
    /// The store cannot be reached now.
    Unavailable,
    /// The server failed.
    Failed,
}

impl From<AuthError> for PageFault {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::NothingMatches { .. } => Self::Missing,
            error => {
                tracing::error!(%error, "a page could not be made");
                if error.is_passing() { Self::Unavailable } else { Self::Failed }
            }
        }
    }
}

impl From<ApiError> for PageFault {
    fn from(error: ApiError) -> Self {
        if error.code.status() == 404 {
            return Self::Missing;
        }
        tracing::error!(code = %error.code, "a page could not be made");
        Self::of(error.code)
    }
}

/// The words of a fault.
#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage<'a> {
    title: &'a str,
    happened: &'a str,
    means: &'static str,
    style: &'static Asset,
}

impl PageFault {
    /// A fault of the server.
    fn of(code: ErrorCode) -> Self {
        match code {
            ErrorCode::Unavailable | ErrorCode::DeadlineExceeded => Self::Unavailable,
            _ => Self::Failed,
        }
    }

    fn words(self) -> (StatusCode, FaultPage<'static>) {
        let (status, title, happened, means) = match self {
            Self::Missing => (
                StatusCode::NOT_FOUND,
                "Page not found",
                "This page does not exist, or what it showed was removed.",
                "Check the address, or start from the home page.",
            ),
            Self::StaleForm => (
                StatusCode::FORBIDDEN,
                "Please try again",
                "The page you submitted was out of date, so nothing was changed.",
                "You may have signed in or out in another tab since you opened it.",
            ),
            Self::ForeignForm => (
                StatusCode::FORBIDDEN,
                "Request refused",
                "Another site tried to submit this form for you. Nothing was changed.",
                "If you did this yourself, open this server directly and try again.",
            ),
            Self::AskedByScript => (
                StatusCode::FORBIDDEN,
                "This page was not opened",
                "A script in your browser asked for this page, not the browser itself.",
                "Another program that used this address may have left it there. Wait a few seconds \
                 and reload. If that does not help, clear your browser's data for this address.",
            ),
            Self::BadForm => (
                StatusCode::BAD_REQUEST,
                "Invalid form",
                "The form contains a value this server does not accept. Nothing was changed.",
                "What you selected may have been removed in the meantime.",
            ),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Temporarily unavailable",
                "The server is running, but its database does not respond.",
                "Nothing was changed. Try again in a moment. If this continues, check the database and \
                 its disk; the server's log has details.",
            ),
            Self::Failed => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong",
                "The server could not create this page.",
                "Nothing is lost. Try again in a moment; the server's log has details.",
            ),
        };
        (status, FaultPage { title, happened, means, style: style() })
    }
}

impl IntoResponse for PageFault {
    fn into_response(self) -> Response {
        let (status, page) = self.words();
        with_headers(status, page.render().unwrap_or_else(|_| page.happened.to_owned()))
    }
}

/// A page that says why something cannot go on here, and leads nowhere else.
pub fn refused(title: &str, happened: &str) -> Response {
    let means = "No access was given. Return to the app and try again there.";
    explained(title, happened, means)
}

/// A page for a request that was decided before, perhaps in another browser, and perhaps allowed.
pub fn already_decided() -> Response {
    let happened = "This request was decided before, here or in another window.";
    let means =
        "Nothing was changed just now. Your data server shows under Access what the app may read.";
    explained("Already decided", happened, means)
}

fn explained(title: &str, happened: &str, means: &'static str) -> Response {
    let happened = &sentence(happened);
    let page = FaultPage { title, happened, means, style: style() };
    with_headers(StatusCode::BAD_REQUEST, page.render().unwrap_or_default())
}

/// An error's words as a sentence for people.
fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    let first = rest.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", rest.as_str())
}

/// Turns a refusal on a page's path into a page; `None` when nothing was refused.
pub fn render(response: &mut Response) -> Option<ErrorCode> {
    let RefusalResponse(error) = response.extensions_mut().remove::<RefusalResponse>()?;
    let fault = match error.code {
        ErrorCode::OriginNotAllowed => PageFault::ForeignForm,
        _ => match error.code.status() {
            404 | 405 => PageFault::Missing,
            500.. => PageFault::of(error.code),
            _ => PageFault::BadForm,
        },
    };
    let status = response.status();
    *response = fault.into_response();
    *response.status_mut() = status;
    Some(error.code)
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_of_an_error_become_a_sentence() {
        assert_eq!(super::sentence("no such client here"), "No such client here.");
        assert_eq!(super::sentence("Éa va?"), "Éa va?");
    }
}
