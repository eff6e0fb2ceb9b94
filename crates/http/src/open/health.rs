//! `GET /healthz` and `GET /readyz`: whether the server works, and whether to send it requests.

use axum::Json;
use axum::extract::State;
use pdpp_contract::{ApiError, ErrorCode};
use serde::Serialize;

use crate::app::App;
use crate::refusal::RefusalResponse;

/// The answer when all is well; anything else is a refusal.
#[derive(Debug, Serialize)]
pub struct Health {
    status: &'static str,
}

/// Works: the store answers a read.
pub async fn healthz(State(app): State<App>) -> Result<Json<Health>, RefusalResponse> {
    app.services.engine.check().await.map_err(refused)?;
    Ok(Json(Health { status: "ok" }))
}

/// Works, also for writes, and is not about to stop.
pub async fn readyz(State(app): State<App>) -> Result<Json<Health>, RefusalResponse> {
    if app.is_draining() {
        let message = "the server is about to stop; ask another one";
        return Err(RefusalResponse(ApiError::new(ErrorCode::Unavailable, message)));
    }
    app.services.engine.check_writing().await.map_err(not_writing)?;
    Ok(Json(Health { status: "ready" }))
}

/// Why nothing can be written, in one of our own sentences, which name nothing that is in the store.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn not_writing(error: ApiError) -> RefusalResponse {
    tracing::error!(code = %error.code, "the store takes no writes: {}", error.message);
    let message = match error.code {
        ErrorCode::StorageFull => "the disk is full; make room",
        ErrorCode::Unavailable => error.message.as_str(),
        _ => "the store does not answer",
    };
    RefusalResponse(ApiError::new(ErrorCode::Unavailable, message))
}

/// Whatever the store's trouble is, a prober needs one word for it and strangers get no more.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn refused(error: ApiError) -> RefusalResponse {
    tracing::error!(code = %error.code, "the store does not answer");
    RefusalResponse(ApiError::new(ErrorCode::Unavailable, "the store does not answer"))
}
