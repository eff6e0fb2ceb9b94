//! Lets an agent in: one live token of its own, within its limits, with a body of bearable size.

use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use pdpp_auth::{Caller, GrantAccess, RefusedCall, Resource};
use pdpp_contract::credentials::message_holds_owner_credential;
use pdpp_contract::limits::MAX_BODY_BYTES;
use pdpp_contract::{ApiError, ErrorCode};

use super::{AgentVisit, challenge};
use crate::app::App;
use crate::audit::keep_refused;
use crate::guard::{bearer, too_large};
use crate::limits;
use crate::refusal::{self, Refusal};
use crate::request_id::RequestId;

/// Verifies the caller, then hands the request over. Nothing of the body is read before.
pub async fn gate(State(app): State<App>, request: Request) -> Response {
    let request_id = request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned());
    let verified_at = Instant::now();
    let mut access = match admitted(&app, request.headers(), request_id.as_deref()).await {
        Ok(access) => access,
        Err(refused) => return *refused,
    };
    if let Err(refused) = app.agent_limits.count(access.package_id()) {
        return *refused;
    }
    if request.method() != Method::POST {
        let message = "send messages with POST; this server keeps no sessions and opens no streams";
        let mut response =
            Refusal(ApiError::new(ErrorCode::MethodNotAllowed, message)).into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    let Some(door) = app.services.agents.clone() else {
        return Refusal(refusal::fault()).into_response();
    };
    let base_url = app.origin_for(request.headers());
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, MAX_BODY_BYTES).await else {
        return Refusal(too_large(MAX_BODY_BYTES)).into_response();
    };
    if message_holds_owner_credential(&body) {
        return refuse_owner(&app, request_id.as_deref()).await;
    }
    let place = match limits::enter(&app, access.package_id()).await {
        Ok(place) => place,
        Err(refused) => return *refused,
    };
    // A grant may have ended while the body came in or the call waited for its turn.
    if place.is_late(verified_at) {
        access = match admitted(&app, &parts.headers, request_id.as_deref()).await {
            Ok(access) => access,
            Err(refused) => return *refused,
        };
    }
    let package = access.package_id().clone();
    let visit = AgentVisit { access, request_id: request_id.unwrap_or_default(), base_url };
    let answer = door.answer(visit, Request::from_parts(parts, body)).await.map(Body::new);
    drop(place);
    limits::paced(&app, &package, answer)
}

async fn admitted(
    app: &App,
    headers: &HeaderMap,
    request_id: Option<&str>,
) -> Result<GrantAccess, Box<Response>> {
    let token = bearer(headers).map_err(|error| Box::new(challenge::missing(error)))?;
    match app.services.auth.verify_call_at(token, Resource::Mcp).await {
        Ok(Caller::Agent(access)) => Ok(access),
        Ok(Caller::Owner(_)) => Err(Box::new(refuse_owner(app, request_id).await)),
        Err(RefusedCall { error, event }) => {
            keep_refused(app, event, request_id).await;
            Err(Box::new(challenge::dead(error)))
        }
    }
}

async fn refuse_owner(app: &App, request_id: Option<&str>) -> Response {
    let event = app.services.auth.refused_owner_credential();
    keep_refused(app, event.map(Box::new), request_id).await;
    challenge::owner()
}
