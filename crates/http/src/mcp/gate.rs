//! Lets an agent in: one live token of its own, within its limits, with a body of bearable size.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use pdpp_auth::{Authority, Caller, GrantAccess, RefusedCall};
use pdpp_contract::access::Resource;
use pdpp_contract::credentials::message_holds_owner_credential;
use pdpp_contract::limits::MAX_BODY_BYTES;
use pdpp_contract::{ApiError, ErrorCode};
use pdpp_engine::audit::CallAudit;
use pdpp_mcp::CallContext;

use super::challenge;
use crate::app::App;
use crate::audit::keep_refused;
use crate::connections::{ConnectionRole, StandsOn, note_role};
use crate::finish::request_id::RequestId;
use crate::guard::{bearer, too_large};
use crate::limits;
use crate::refusal::{self, RefusalResponse};

/// Verifies the caller, then hands the request over. Nothing of the body is read before.
pub async fn gate(State(app): State<App>, request: Request) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let verified_at = Instant::now();
    let (mut access, mut stands_on) =
        match admitted(&app, request.headers(), request.extensions()).await {
            Ok(admitted) => admitted,
            Err(refused) => return *refused,
        };
    if let Err(refused) = app.agent_limits.count(access.package_id()) {
        return *refused;
    }
    if request.method() != Method::POST {
        let message = "send messages with POST; this server keeps no sessions and opens no streams";
        let mut response =
            RefusalResponse(ApiError::new(ErrorCode::MethodNotAllowed, message)).into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    let Some(mcp) = app.services.mcp.clone() else {
        return RefusalResponse(refusal::fault()).into_response();
    };
    let base_url = app.origin_for(request.headers());
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, MAX_BODY_BYTES).await else {
        return RefusalResponse(too_large(MAX_BODY_BYTES)).into_response();
    };
    if message_holds_owner_credential(&body) {
        return refuse_owner(&app, id.as_ref()).await;
    }
    let place = match limits::enter(&app, access.package_id()).await {
        Ok(place) => place,
        Err(refused) => return *refused,
    };
    // A grant may have ended while the body came in or the call waited for its turn.
    if place.is_late(verified_at) {
        let again = admitted(&app, &parts.headers, &parts.extensions).await;
        (access, stands_on) = match again {
            Ok(admitted) => admitted,
            Err(refused) => return *refused,
        };
    }
    let package = access.package_id().clone();
    let context = match context(&app, access, id, base_url).await {
        Ok(context) => context,
        Err(error) => return RefusalResponse(error).into_response(),
    };
    let answer = mcp.answer(context, Request::from_parts(parts, body)).await.map(Body::new);
    drop(place);
    let answer = stands_on.keep(answer).await.unwrap_or_else(challenge::dead);
    limits::paced(&app, &package, answer)
}

/// What the call may use: its reads are noted on their way out.
async fn context(
    app: &App,
    access: GrantAccess,
    id: Option<RequestId>,
    base_url: String,
) -> Result<CallContext, ApiError> {
    let services = &app.services;
    let client = Some(access.client().to_string());
    let audit = CallAudit::new(
        services.audit.clone(),
        Arc::clone(&services.clock),
        Caller::Agent(access),
        id.map(|id| id.as_str().to_owned()),
    );
    let audit = Arc::new(audit);
    let reader = Arc::new(services.engine.audited_reader(Arc::clone(&audit)).await?);
    let context = CallContext::new(reader.clone(), reader);
    Ok(CallContext { audit: Some(audit), base_url: Some(base_url), client, ..context })
}

async fn admitted(
    app: &App,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<(GrantAccess, StandsOn), Box<Response>> {
    let token = bearer(headers).map_err(|error| Box::new(challenge::missing(error)))?;
    let (auth, checked_at) = (Arc::clone(&app.services.auth), Instant::now());
    let caller = match auth.verify_call_at(token, Resource::Mcp).await {
        Ok(caller) => caller,
        Err(RefusedCall { error, event }) => {
            keep_refused(app, event, extensions.get()).await;
            return Err(Box::new(challenge::dead(error)));
        }
    };
    let authority = Authority::of(token, Resource::Mcp, &caller);
    let (Caller::Agent(access), Some(authority)) = (caller, authority) else {
        return Err(Box::new(refuse_owner(app, extensions.get()).await));
    };
    let noted = note_role(extensions, ConnectionRole::Agent);
    noted.map_err(|error| Box::new(RefusalResponse(error).into_response()))?;
    Ok((access, StandsOn { auth, authority, checked_at }))
}

async fn refuse_owner(app: &App, id: Option<&RequestId>) -> Response {
    let event = app.services.auth.refused_owner_credential();
    keep_refused(app, event.map(Box::new), id).await;
    challenge::owner()
}
