//! The owner's pages: signing in, deciding about an agent, managing accounts and access.
//!
//! Each page is one file with its handlers and view, and one template without logic. Forms carry a
//! CSRF token of their session and come from this origin, or nothing happens.

mod access;
mod accounts;
mod activity;
mod address;
mod asset;
mod bars;
mod command_options;
mod confirm;
mod connect;
mod consent;
mod cookies;
mod device;
mod done;
mod entry;
mod fault;
mod faulty_request;
mod form;
mod grant_text;
mod home;
mod icon;
mod login;
mod logout;
mod names;
mod next;
mod passage;
mod plain;
mod records;
mod search;
mod session;
mod session_path;
mod settings;
mod setup;
mod shell;
mod style;
mod times;

use axum::routing::{MethodRouter, any, get, post};

use crate::app::App;
use crate::oauth;

pub use command_options::CommandOptions;
pub use fault::{PageFault, refused, render};
pub use faulty_request::faulty_request;
pub use next::{NextPath, login_for};
pub use session::SignedIn;
pub use session_path::within;

/// The routes that a page's own script asks, and that a page shows as an image.
pub const DRAFT: &str = "/owner/s/{session}/consent/{request}/draft";
pub const FILE: &str = "/owner/s/{session}/file/{blob}";

/// The routes of all pages.
pub fn routes() -> Vec<(&'static str, MethodRouter<App>)> {
    let mut routes = vec![
        ("/assets/pdpp.css", get(style::stylesheet)),
        ("/assets/icon.svg", get(icon::icon)),
        ("/assets/consent.js", get(consent::script)),
    ];
    routes.extend(owner_routes());
    routes
}

/// The routes of the owner: the way in, and the pages of a session.
pub fn owner_routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/oauth/consent/{request}", any(entry::enter)),
        ("/device", any(entry::enter)),
        ("/owner", any(entry::enter)),
        ("/owner/{*place}", any(entry::enter)),
        ("/owner/setup", get(setup::show).merge(post(setup::submit))),
        ("/owner/login", get(login::show).merge(post(login::submit))),
        ("/owner/s/{session}", get(home::home)),
        ("/owner/s/{session}/", get(home::home)),
        ("/owner/s/{session}/home", get(home::show)),
        ("/owner/s/{session}/search", get(search::show::show)),
        ("/owner/s/{session}/record", get(records::show::show)),
        ("/owner/s/{session}/record/remove", post(records::remove::submit)),
        (FILE, get(records::file::bytes)),
        ("/owner/s/{session}/authorize", get(oauth::question)),
        ("/owner/s/{session}/consent/{request}", get(consent::show)),
        (DRAFT, post(consent::draft)),
        ("/owner/s/{session}/consent/{request}/decision", post(consent::decision)),
        ("/owner/s/{session}/device", get(device::show).merge(post(device::submit))),
        ("/owner/s/{session}/confirm", get(confirm::show).merge(post(confirm::submit))),
        ("/owner/s/{session}/logout", post(logout::submit)),
        ("/owner/s/{session}/access", get(access::list::show)),
        ("/owner/s/{session}/access/stop-all", post(access::stop::all)),
        ("/owner/s/{session}/access/{package}", get(access::detail::show)),
        ("/owner/s/{session}/access/{package}/stop", post(access::stop::package)),
        ("/owner/s/{session}/grants/{grant}/stop", post(access::stop::grant)),
        ("/owner/s/{session}/accounts", get(accounts::list::show)),
        ("/owner/s/{session}/accounts/{id}", get(accounts::detail::show)),
        ("/owner/s/{session}/accounts/{id}/timeline", get(records::timeline::show)),
        ("/owner/s/{session}/accounts/{id}/rename", post(accounts::change::rename)),
        ("/owner/s/{session}/accounts/{id}/remove", post(accounts::change::remove)),
        ("/owner/s/{session}/activity", get(activity::list::show)),
        ("/owner/s/{session}/activity/export", get(activity::export::file)),
        ("/owner/s/{session}/reads", get(activity::list::former_address)),
        ("/owner/s/{session}/connect", get(connect::show)),
        ("/owner/s/{session}/settings", get(settings::show).merge(post(settings::save))),
        ("/owner/s/{session}/settings/password", post(settings::password)),
        ("/owner/s/{session}/settings/sign-out-others", post(settings::sign_out_others)),
    ]
}

/// Whether a path is read by people, who expect refusals as pages.
pub fn is_page(path: &str) -> bool {
    let below = |root: &str| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    ["/owner", "/oauth/consent", "/device"].into_iter().any(below)
}
