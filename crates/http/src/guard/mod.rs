//! What every request must pass before anything else looks at it.

mod address;
mod credentials;
mod deadline;
mod hosts;
mod proxies;
mod size;
mod version;
mod worker;

pub use self::address::HostAddress;
pub use self::credentials::{bearer, looks_like_token};
pub use self::deadline::deadline;
pub use self::hosts::{Hosts, PublicUrl, base_url};
pub use self::proxies::{InvalidProxy, TrustedProxy, caller_address};
pub use self::size::too_large;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use pdpp_contract::{ApiError, ErrorCode};

use crate::app::App;
use crate::audit::keep_refused;
use crate::mcp;
use crate::refusal::RefusalResponse;

/// Lets a request through, or says which rule it broke.
pub async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    proxies::note_caller(&app.trusted_proxies, &mut request);
    match check(&app, &request) {
        Ok(()) if worker::is_asked_for(&request) => worker::removal(),
        Ok(()) if worker::asks_for_page(&request) => worker::refusal(),
        Ok(()) => {
            let swept = worker::swept(&request);
            let mut response = next.run(request).await;
            worker::sweep(&mut response, swept);
            response
        }
        Err(error) => {
            if error.code == ErrorCode::OwnerCredentialRefused {
                let event = app.services.auth.refused_owner_credential();
                keep_refused(&app, event.map(Box::new), request.extensions().get()).await;
            }
            RefusalResponse(error).into_response()
        }
    }
}

/// The host first: a request that is not for this server learns nothing else about it.
fn check(app: &App, request: &Request) -> Result<(), ApiError> {
    let host = app.hosts.check_host(request.uri(), request.headers())?;
    // Documents for clients hold nothing of a person and cost nothing: any page may read them.
    // Elsewhere a page of another site is refused before anything counts it: it calls from the
    // owner's own address and would use up what programs there may ask.
    if !request.uri().path().starts_with(mcp::WELL_KNOWN) {
        app.hosts.check_origin(&host, request.headers())?;
    }
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    if mcp::is_agents(route) {
        credentials::check_no_owner(request.uri(), request.headers())?;
    }
    version::check(request.headers())?;
    credentials::check_placement(request.uri(), request.headers())?;
    size::check(request)
}
