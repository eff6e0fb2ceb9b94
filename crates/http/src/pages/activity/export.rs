//! `/owner/s/{session}/activity/export`: the same events as a file, one JSON object per line.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;
use pdpp_auth::event_document;

use super::filter::ActivityFilter;
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::session::SignedIn;
use crate::pages::times::Times;

/// Events in one file. The rest follows with `before`.
const MAX_EVENTS: u32 = 50_000;

/// The file.
pub async fn file(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let filter = ActivityFilter::parse(uri.query())?;
    let times = Times::of(&app).await?;
    let query = filter.query(&times, MAX_EVENTS);
    let events = app.services.auth.audit_events(session.access(), &query).await?;
    let lines: Vec<String> =
        events.iter().map(|event| event_document(event).to_string() + "\n").collect();
    let mut response = Response::new(Body::from(lines.concat()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    let name = "attachment; filename=\"pdpp-activity.jsonl\"";
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    Ok(response)
}
