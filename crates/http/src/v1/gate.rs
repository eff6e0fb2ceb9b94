//! Who is calling: the bearer becomes a verified caller, and a caller becomes a reader or an owner.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use pdpp_auth::{Admission, Authority, Caller, OwnerAccess, RefusedCall};
use pdpp_contract::ApiError;
use pdpp_contract::access::Resource;
use pdpp_contract::audit::AuditSink;
use pdpp_engine::audit::{AuditedReader, CallAudit};

use crate::app::App;
use crate::audit::{self, keep_refused};
use crate::connections::{ConnectionRole, StandsOn, note_role};
use crate::finish::request_id::RequestId;
use crate::guard::bearer;
use crate::limits::{self, WorkSlot};
use crate::refusal::{self, RefusalResponse};

/// Stands before every `/v1` route: no verified caller, no handler. What the caller then got, or why
/// not, goes into the audit log.
pub async fn gate(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (operation, stream) = audit::asked(&request);
    let request_id = request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned());
    // What is read must be noted. Changes of the owner's go on: erasing gives room back.
    let admission = match admitted(&app, request.method()).await {
        Ok(admission) => admission,
        Err(error) => return RefusalResponse(error).into_response(),
    };
    let (caller, stands_on, place) =
        match entered(&app, request.headers(), request.extensions()).await {
            Ok(entered) => entered,
            Err(refused) => return *refused,
        };
    let package = match &caller {
        Caller::Agent(access) => Some(access.package_id().clone()),
        Caller::Owner(_) => None,
    };
    let services = &app.services;
    let audit =
        CallAudit::new(services.audit.clone(), Arc::clone(&services.clock), caller, request_id);
    let audit = Arc::new(audit.admitted(admission));
    if let Some(stream) = stream {
        audit.about(&stream);
    }
    // What was written is written, and its caller must learn of it.
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    request.extensions_mut().insert(Call(Arc::clone(&audit)));
    let mut response = next.run(request).await;
    drop(place);
    if reads {
        let kept = stands_on.keep(response).await;
        response = kept.unwrap_or_else(|error| RefusalResponse(error.into()).into_response());
    }
    audit.record(audit::outcome(operation, &response, &audit)).await;
    match package {
        Some(package) => limits::paced(&app, &package, response),
        None => response,
    }
}

/// The caller, and for an agent its place to work: the owner waits behind nobody.
async fn entered(
    app: &App,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<(Caller, StandsOn, Option<WorkSlot>), Box<Response>> {
    let verified_at = Instant::now();
    let refused = |error| Box::new(RefusalResponse(error).into_response());
    let (caller, stands_on) = verify(app, headers, extensions).await.map_err(refused)?;
    let Caller::Agent(access) = &caller else { return Ok((caller, stands_on, None)) };
    app.agent_limits.count(access.package_id())?;
    let place = limits::enter(app, access.package_id()).await?;
    // A grant may have ended while the call waited for its turn.
    if place.is_late(verified_at) {
        let (caller, stands_on) = verify(app, headers, extensions).await.map_err(refused)?;
        return Ok((caller, stands_on, Some(place)));
    }
    Ok((caller, stands_on, Some(place)))
}

async fn admitted(app: &App, method: &Method) -> Result<Option<Admission>, ApiError> {
    if *method == Method::GET || *method == Method::HEAD {
        return Ok(Some(app.services.audit.admit().await?));
    }
    Ok(None)
}

async fn verify(
    app: &App,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<(Caller, StandsOn), ApiError> {
    let (bearer, checked_at) = (bearer(headers)?, Instant::now());
    let auth = Arc::clone(&app.services.auth);
    let caller = match auth.verify_call_at(bearer, Resource::V1).await {
        Ok(caller) => caller,
        Err(RefusedCall { error, event }) => {
            keep_refused(app, event, extensions.get()).await;
            return Err(error.into());
        }
    };
    let role = match &caller {
        Caller::Agent(_) => ConnectionRole::Agent,
        Caller::Owner(_) => ConnectionRole::Owner,
    };
    note_role(extensions, role)?;
    let authority = Authority::of(bearer, Resource::V1, &caller).ok_or_else(refusal::fault)?;
    Ok((caller, StandsOn { auth, authority, checked_at }))
}

/// The call of a verified caller, as the gate left it with the request.
#[derive(Clone)]
struct Call(Arc<CallAudit>);

impl Call {
    fn of(parts: &Parts) -> Result<Arc<CallAudit>, RefusalResponse> {
        let call = parts.extensions.get::<Self>();
        // Absent only when a route was added outside the gate: that must not read anything.
        call.map(|Self(audit)| Arc::clone(audit)).ok_or_else(|| RefusalResponse(refusal::fault()))
    }
}

/// What the caller can see: an agent through its grants, the owner everything.
pub struct Reader(pub AuditedReader);

impl FromRequestParts<App> for Reader {
    type Rejection = RefusalResponse;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, RefusalResponse> {
        Ok(Self(app.services.engine.audited_reader(Call::of(parts)?).await?))
    }
}

/// The owner, on routes that change data.
pub struct Owner {
    pub access: OwnerAccess,
    /// Takes down which connections were changed.
    pub audit: Arc<CallAudit>,
}

impl FromRequestParts<App> for Owner {
    type Rejection = RefusalResponse;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, RefusalResponse> {
        let audit = Call::of(parts)?;
        let access = audit.caller().clone().into_owner().map_err(ApiError::from)?;
        Ok(Self { access, audit })
    }
}
