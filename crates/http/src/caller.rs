//! Who is calling: the bearer becomes a verified caller, and a caller becomes a reader or an owner.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use pdpp_auth::{Admission, Caller, OwnerAccess, RefusedCall, Resource};
use pdpp_contract::ApiError;
use pdpp_engine::GrantedReader;

use crate::app::App;
use crate::audit::{Asked, keep_refused};
use crate::guard::bearer;
use crate::refusal::{self, Refusal};

/// Stands before every `/v1` route: no verified caller, no handler. What the caller then got, or why
/// not, goes into the audit log.
pub async fn gate(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let asked = Asked::of(&request);
    // What is read must be noted. Changes of the owner's go on: erasing gives room back.
    let admission = match admitted(&app, request.method()).await {
        Ok(admission) => admission,
        Err(error) => return Refusal(error).into_response(),
    };
    let caller = match verify(&app, request.headers(), &asked).await {
        Ok(caller) => Arc::new(caller),
        Err(error) => return Refusal(error).into_response(),
    };
    request.extensions_mut().insert(Verified(Arc::clone(&caller)));
    let response = next.run(request).await;
    let event = asked.event(&caller, &response, app.services.clock.now());
    match admission {
        Some(admission) => app.services.audit.record_admitted(event, admission).await,
        None => app.services.audit.record(event).await,
    }
    response
}

async fn admitted(app: &App, method: &Method) -> Result<Option<Admission>, ApiError> {
    if *method == Method::GET || *method == Method::HEAD {
        return Ok(Some(app.services.audit.admit().await?));
    }
    Ok(None)
}

async fn verify(app: &App, headers: &HeaderMap, asked: &Asked) -> Result<Caller, ApiError> {
    match app.services.auth.verify_call_at(bearer(headers)?, Resource::V1).await {
        Ok(caller) => Ok(caller),
        Err(RefusedCall { error, event }) => {
            keep_refused(app, event, asked.request_id()).await;
            Err(error.into())
        }
    }
}

/// The caller, as the gate left it with the request.
#[derive(Clone)]
struct Verified(Arc<Caller>);

impl Verified {
    fn of(parts: &Parts) -> Result<&Caller, Refusal> {
        let verified = parts.extensions.get::<Self>();
        // Absent only when a route was added outside the gate: that must not read anything.
        verified.map(|Self(caller)| &**caller).ok_or_else(|| Refusal(refusal::fault()))
    }
}

/// What the caller can see: an agent through its grants, the owner everything.
pub struct Reader(pub GrantedReader);

impl FromRequestParts<App> for Reader {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let engine = &app.services.engine;
        match Verified::of(parts)? {
            Caller::Agent(access) => Ok(Self(engine.reader(access))),
            Caller::Owner(access) => Ok(Self(engine.owner_reader(access.clone()).await?)),
        }
    }
}

/// The owner, on routes that change data.
pub struct Owner(pub OwnerAccess);

impl FromRequestParts<App> for Owner {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Refusal> {
        let owner = Verified::of(parts)?.clone().into_owner();
        Ok(Self(owner.map_err(ApiError::from)?))
    }
}
