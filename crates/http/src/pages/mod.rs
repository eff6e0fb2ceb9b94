//! What a person sees: signing in, deciding about an agent, looking after accounts and access.
//!
//! Each page is one file with its handlers and view, and one template without logic. Forms carry a
//! mark of their session and come from this origin, or nothing happens.

mod fault;
mod form;
mod home;
mod login;
mod logout;
mod next;
mod plain;
mod session;
mod setup;
mod shell;
mod style;
mod times;

use axum::routing::{MethodRouter, get, post};

use crate::app::App;

pub use fault::{PageFault, refused, render};
pub use next::{NextPlace, login_for};
pub use session::find as find_session;

/// The routes of all pages.
pub fn routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/assets/pdpp.css", get(style::stylesheet)),
        ("/owner", get(home::home)),
        ("/owner/setup", get(setup::show).merge(post(setup::submit))),
        ("/owner/login", get(login::show).merge(post(login::submit))),
        ("/owner/logout", post(logout::submit)),
    ]
}

/// Whether a path is read by people, who expect refusals as pages.
pub fn is_page(path: &str) -> bool {
    let below = |root: &str| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    ["/owner", "/oauth/consent", "/device"].into_iter().any(below)
}
