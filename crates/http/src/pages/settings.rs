//! `/owner/s/{session}/settings`: time zone, rules for agents, the password, signed-in browsers.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::{PasswordText, RefreshReuse, Session, Settings};

use super::done::Done;
use super::fault::PageFault;
use super::form::PageForm;
use super::plain;
use super::session::SignedIn;
use super::session_path::within;
use super::shell::{CurrentPage, Shell, page_with};
use super::times::{Times, When};
use crate::app::App;

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    shell: Shell,
    done: Option<&'static str>,
    trouble: Option<String>,
    zone: String,
    zone_set: bool,
    strict: bool,
    documents: bool,
    browsers: Vec<Browser>,
    csrf_token: String,
    version: &'static str,
}

/// A browser that is signed in.
struct Browser {
    name: String,
    since: When,
    seen: When,
    is_this: bool,
}

/// The settings.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Done(done): Done,
) -> Result<Response, PageFault> {
    settings_page(&app, &session, (done, None)).await
}

async fn settings_page(
    app: &App,
    session: &Session,
    (done, trouble): (Option<&'static str>, Option<String>),
) -> Result<Response, PageFault> {
    let settings = app.services.auth.settings().await?;
    let times = Times::of(app).await?;
    let kept = app.services.auth.sessions(session.access()).await?;
    let browsers = kept.iter().map(|one| Browser {
        name: browser_name(&one.device),
        since: times.moment(one.created_at),
        seen: times.moment(one.last_seen_at),
        is_this: one.fingerprint == session.kept().fingerprint,
    });
    let status = if trouble.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page_with(
        status,
        &SettingsPage {
            shell: Shell::inside("Settings", CurrentPage::Settings, app, session),
            done,
            trouble,
            zone: times.zone_name().to_owned(),
            zone_set: settings.time_zone.is_some(),
            strict: settings.refresh_reuse == RefreshReuse::Strict,
            documents: !settings.client_documents_off,
            browsers: browsers.collect(),
            csrf_token: session.csrf("settings"),
            version: env!("CARGO_PKG_VERSION"),
        },
    ))
}

/// `POST /owner/s/{session}/settings`
pub async fn save(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "settings")?;
    let zone = form.text("time_zone")?;
    let reuse = form.text("refresh_reuse")?;
    let new = Settings {
        time_zone: Some(zone.trim().to_owned()).filter(|zone| !zone.is_empty()),
        refresh_reuse: if reuse == "strict" {
            RefreshReuse::Strict
        } else {
            RefreshReuse::Coalesce
        },
        client_documents_off: form.text("client_documents")? != "on",
    };
    match app.services.auth.change_settings(session.access(), new).await? {
        Ok(()) => Ok(Redirect::to(&within(&session, "/settings?done=saved")).into_response()),
        Err(fault) => {
            let trouble = Some(plain::sentence(&fault.to_string()));
            settings_page(&app, &session, (None, trouble)).await
        }
    }
}

/// `POST /owner/s/{session}/settings/password`
pub async fn password(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "settings")?;
    let present = PasswordText::new(form.text("present")?);
    let (new, again) = (form.text("password")?, form.text("password_again")?);
    if new != again {
        let trouble = Some("The passwords do not match. Nothing was changed.".to_owned());
        return settings_page(&app, &session, (None, trouble)).await;
    }
    let changed = app.services.auth.change_password(&session, present, PasswordText::new(new));
    match changed.await? {
        Ok(()) => Ok(Redirect::to(&within(&session, "/settings?done=password")).into_response()),
        Err(fault) => {
            let trouble = Some(plain::sentence(&fault.to_string()));
            settings_page(&app, &session, (None, trouble)).await
        }
    }
}

/// `POST /owner/s/{session}/settings/sign-out-others`
pub async fn sign_out_others(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "settings")?;
    app.services.auth.logout_others(&session).await?;
    Ok(Redirect::to(&within(&session, "/settings?done=signed-out")).into_response())
}

/// The part of what a browser calls itself that people know.
fn browser_name(device: &str) -> String {
    let known = [("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox")];
    let known = known.into_iter().chain([("Chrome/", "Chrome"), ("Safari/", "Safari")]);
    let mut known = known.filter(|(product, _)| device.contains(product)).map(|(_, name)| name);
    let systems = [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad")];
    let systems = systems.into_iter().chain([("Mac OS X", "Mac"), ("Windows", "Windows")]);
    let mut systems = systems.chain([("Linux", "Linux")]);
    let system = systems.find(|(product, _)| device.contains(product)).map(|(_, name)| name);
    match (known.next(), system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) if device.is_empty() => "Unknown browser".to_owned(),
        (None, _) => plain::line(device, 40),
    }
}
