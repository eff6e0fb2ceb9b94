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
use pdpp_engine::GrantedReader;

use crate::app::App;
use crate::audit::{Asked, keep_refused};
use crate::connections::{Standing, StandsOn, note_standing};
use crate::guard::bearer;
use crate::limits::{self, Place};
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
    let (caller, stands_on, place) =
        match entered(&app, request.headers(), request.extensions(), &asked).await {
            Ok((caller, stands_on, place)) => (Arc::new(caller), stands_on, place),
            Err(refused) => return *refused,
        };
    // What was written is written, and its caller must learn of it.
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    request.extensions_mut().insert(Verified(Arc::clone(&caller)));
    let mut response = next.run(request).await;
    drop(place);
    if reads {
        let kept = stands_on.keep(response).await;
        response = kept.unwrap_or_else(|error| Refusal(error.into()).into_response());
    }
    let event = asked.event(&caller, &response, app.services.clock.now());
    match admission {
        Some(admission) => app.services.audit.record_admitted(event, admission).await,
        None => app.services.audit.record(event).await,
    }
    match &*caller {
        Caller::Agent(access) => limits::paced(&app, access.package_id(), response),
        Caller::Owner(_) => response,
    }
}

/// The caller, and for an agent its place to work: the owner waits behind nobody.
async fn entered(
    app: &App,
    headers: &HeaderMap,
    extensions: &Extensions,
    asked: &Asked,
) -> Result<(Caller, StandsOn, Option<Place>), Box<Response>> {
    let verified_at = Instant::now();
    let refused = |error| Box::new(Refusal(error).into_response());
    let (caller, stands_on) = verify(app, headers, extensions, asked).await.map_err(refused)?;
    let Caller::Agent(access) = &caller else { return Ok((caller, stands_on, None)) };
    app.agent_limits.count(access.package_id())?;
    let place = limits::enter(app, access.package_id()).await?;
    // A grant may have ended while the call waited for its turn.
    if place.is_late(verified_at) {
        let (caller, stands_on) = verify(app, headers, extensions, asked).await.map_err(refused)?;
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
    asked: &Asked,
) -> Result<(Caller, StandsOn), ApiError> {
    let (bearer, checked_at) = (bearer(headers)?, Instant::now());
    let auth = Arc::clone(&app.services.auth);
    let caller = match auth.verify_call_at(bearer, Resource::V1).await {
        Ok(caller) => caller,
        Err(RefusedCall { error, event }) => {
            keep_refused(app, event, asked.request_id()).await;
            return Err(error.into());
        }
    };
    let standing = match &caller {
        Caller::Agent(_) => Standing::Agent,
        Caller::Owner(_) => Standing::Owner,
    };
    note_standing(extensions, standing)?;
    let authority = Authority::of(bearer, Resource::V1, &caller).ok_or_else(refusal::fault)?;
    Ok((caller, StandsOn { auth, authority, checked_at }))
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
