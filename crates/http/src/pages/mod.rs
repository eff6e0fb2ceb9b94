//! What a person sees: signing in, deciding about an agent, looking after accounts and access.
//!
//! Each page is one file with its handlers and view, and one template without logic. Forms carry a
//! mark of their session and come from this origin, or nothing happens.

mod access;
mod accounts;
mod bars;
mod command_options;
mod connect;
mod consent;
mod device;
mod done;
mod fault;
mod form;
mod home;
mod icon;
mod login;
mod logout;
mod names;
mod next;
mod plain;
mod reads;
mod says;
mod session;
mod settings;
mod setup;
mod shell;
mod style;
mod times;

use axum::routing::{MethodRouter, get, post};

use crate::app::App;

pub use command_options::CommandOptions;
pub use fault::{refused, render};
pub use next::{NextPlace, login_for};
pub use session::find as find_session;

/// The routes of all pages.
pub fn routes() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/assets/pdpp.css", get(style::stylesheet)),
        ("/assets/icon.svg", get(icon::icon)),
        ("/assets/consent.js", get(consent::script)),
        ("/oauth/consent/{request}", get(consent::show)),
        ("/oauth/consent/{request}/draft", post(consent::draft)),
        ("/oauth/consent/{request}/decision", post(consent::decision)),
        ("/device", get(device::show).merge(post(device::submit))),
        ("/owner", get(home::home)),
        ("/owner/setup", get(setup::show).merge(post(setup::submit))),
        ("/owner/login", get(login::show).merge(post(login::submit))),
        ("/owner/logout", post(logout::submit)),
        ("/owner/access", get(access::list::show)),
        ("/owner/access/stop-all", post(access::stop::all)),
        ("/owner/access/{package}", get(access::detail::show)),
        ("/owner/access/{package}/stop", post(access::stop::package)),
        ("/owner/grants/{grant}/stop", post(access::stop::grant)),
        ("/owner/accounts", get(accounts::list::show)),
        ("/owner/accounts/{id}", get(accounts::detail::show)),
        ("/owner/accounts/{id}/rename", post(accounts::change::rename)),
        ("/owner/accounts/{id}/remove", post(accounts::change::remove)),
        ("/owner/reads", get(reads::list::show)),
        ("/owner/reads/export", get(reads::export::file)),
        ("/owner/connect", get(connect::show)),
        ("/owner/settings", get(settings::show).merge(post(settings::save))),
        ("/owner/settings/password", post(settings::password)),
        ("/owner/settings/sign-out-others", post(settings::sign_out_others)),
    ]
}

/// Whether a path is read by people, who expect refusals as pages.
pub fn is_page(path: &str) -> bool {
    let below = |root: &str| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    ["/owner", "/oauth/consent", "/device"].into_iter().any(below)
}
