//! Stopping: one account of an access, an access, or all of them. Works from the next call on.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use pdpp_auth::Standing;
use pdpp_contract::access::GrantSelector;
use pdpp_contract::{GrantId, PackageId};

use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::form::PageForm;
use crate::pages::next::{NextPath, confirm_for};
use crate::pages::session::SignedIn;
use crate::pages::session_path::within;

/// `POST /owner/s/{session}/access/{package}/stop`
pub async fn package(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, package)): Path<(String, String)>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "stop")?;
    let id: PackageId = package.parse().map_err(|_| PageFault::Missing)?;
    app.services.auth.revoke(session.access(), &GrantSelector::Package(id)).await?;
    Ok(Redirect::to(&within(&session, "/access?done=stopped")).into_response())
}

/// `POST /owner/s/{session}/grants/{grant}/stop`
pub async fn grant(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, grant)): Path<(String, String)>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "stop")?;
    let (auth, owner) = (&app.services.auth, session.access());
    let id: GrantId = grant.parse().map_err(|_| PageFault::Missing)?;
    let which = GrantSelector::Grant(id);
    auth.revoke(owner, &which).await?;
    let package = auth.package(owner, &which).await?.into_iter().next();
    let package = package.ok_or(PageFault::Missing)?;
    let place = if package.standing == Standing::Live {
        format!("/access/{}?done=stopped-part", package.package_id)
    } else {
        "/access?done=stopped".to_owned()
    };
    Ok(Redirect::to(&within(&session, &place)).into_response())
}

/// `POST /owner/s/{session}/access/stop-all`
pub async fn all(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    mut form: PageForm,
) -> Result<Response, PageFault> {
    form.check(&session, "stop-all")?;
    if !session.is_fresh() {
        let place = confirm_for(&session, &NextPath::parse("/owner/access"));
        return Ok(Redirect::to(&place).into_response());
    }
    let (auth, owner) = (&app.services.auth, session.access());
    for package in auth.packages(owner).await? {
        if package.revoked_at.is_none() {
            auth.revoke(owner, &GrantSelector::Package(package.package_id)).await?;
        }
    }
    Ok(Redirect::to(&within(&session, "/access?done=stopped-all")).into_response())
}
