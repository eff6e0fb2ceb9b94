//! `/owner/setup`: the first password, with the link that the server printed.

use askama::Template;
use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use pdpp_auth::{PasswordText, SetupRefused};

use super::fault::PageFault;
use super::form::PageForm;
use super::login::enter;
use super::next::NextPath;
use super::session::visitor;
use super::shell::{Shell, page_with};
use crate::app::App;
use crate::params::Params;

#[derive(Template)]
#[template(path = "setup.html")]
struct SetupPage {
    shell: Shell,
    code: String,
    works: bool,
    trouble: Option<String>,
    /// Options that a command needs here, by name.
    options: Vec<String>,
}

/// Asks for the first password.
pub async fn show(State(app): State<App>, request: Request) -> Result<Response, PageFault> {
    let mut params = Params::parse(request.uri().query()).map_err(|_| PageFault::BadForm)?;
    let code = params.take("code").map_err(|_| PageFault::BadForm)?.unwrap_or_default();
    let works = app.services.auth.setup_works(&code).await?;
    Ok(answer(&app, code, works, None))
}

/// Takes the first password; whoever has the link is the owner.
pub async fn submit(State(app): State<App>, request: Request) -> Result<Response, PageFault> {
    let visitor = visitor(&app, &request);
    let mut form = PageForm::from_request(request, &app).await?;
    let (code, typed, again) =
        (form.text("code")?, form.text("password")?, form.text("password_again")?);
    if typed != again {
        let trouble = "The passwords do not match.".to_owned();
        return Ok(answer(&app, code, true, Some(trouble)));
    }
    let typed = PasswordText::new(typed);
    match app.services.auth.finish_setup(&code, typed, &visitor).await {
        Ok(secret) => Ok(enter(&app, &NextPath::parse("/owner/connect"), &secret)),
        Err(SetupRefused::Link) => Ok(answer(&app, code, false, None)),
        Err(SetupRefused::Password(fault)) => {
            let trouble = super::plain::sentence(&fault.to_string());
            Ok(answer(&app, code, true, Some(trouble)))
        }
        Err(SetupRefused::Failed(error)) => Err(error.into()),
    }
}

fn answer(app: &App, code: String, works: bool, trouble: Option<String>) -> Response {
    let status = match (works, &trouble) {
        (true, None) => StatusCode::OK,
        (true, Some(_)) => StatusCode::UNPROCESSABLE_ENTITY,
        (false, _) => StatusCode::GONE,
    };
    let options = app.command_options.names.clone();
    let shell = Shell::outside("Set up", app);
    page_with(status, &SetupPage { shell, code, works, trouble, options })
}
