//! No request holds a place for ever.

use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use pdpp_contract::{ApiError, ErrorCode};

use crate::app::App;
use crate::refusal::RefusalResponse;
use crate::router::{BLOBS, INGEST};

/// A batch travels and is written in one request, so it gets this many times as long.
const INGEST_SHARE: u32 = 10;

/// Gives up on an answer that does not begin in time. A body that has begun is not cut off.
pub async fn deadline(State(app): State<App>, request: Request, next: Next) -> Response {
    let limit = limit_of(&request, app.request_timeout);
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => RefusalResponse(ApiError::new(
            ErrorCode::DeadlineExceeded,
            "the answer took too long; ask for less at once",
        ))
        .into_response(),
    }
}

fn limit_of(request: &Request, usual: Duration) -> Duration {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    if matches!(route, Some(INGEST | BLOBS)) { usual.saturating_mul(INGEST_SHARE) } else { usual }
}
