//! Record bodies: whole values on the wire, never whole values in memory.
//!
//! A field of hundreds of megabytes lives outside its record. The reader answers with its
//! beginning; the rest is read piece by piece while the body is being sent.

pub mod etag;
pub mod file_name;
mod plan;
pub mod range;
mod sending;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pdpp_contract::ApiError;
use pdpp_contract::query::{RecordDetail, RecordPage};
use pdpp_engine::GrantedReader;
use serde::Serialize;

use self::plan::{BodyPlan, Part};
use crate::refusal;

/// How much of a long field a caller wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// All of it.
    Whole,
    /// Its beginning, with a note of how long it is.
    Preview,
}

impl Length {
    /// Reads the wish: a caller that names a preview length wants previews.
    pub fn asked(preview_chars: Option<u32>) -> Self {
        if preview_chars.is_some() { Self::Preview } else { Self::Whole }
    }
}

/// Bytes of a response's body. A response without it gives nothing away of what was read.
#[derive(Debug, Clone, Copy)]
pub struct BodyBytes(pub u64);

/// Marks a response whose body must not be compressed.
#[derive(Debug, Clone, Copy)]
pub struct KeptAsItIs;

/// The body of a list.
pub fn page(page: RecordPage, length: Length, reader: GrantedReader) -> Result<Response, ApiError> {
    respond(BodyPlan::page(page, length), reader)
}

/// The body of one record: its members at the top, links and meta beside them.
pub fn record(
    detail: RecordDetail,
    length: Length,
    reader: GrantedReader,
) -> Result<Response, ApiError> {
    respond(BodyPlan::detail(detail, length), reader)
}

/// The body of any answer without long fields.
pub fn json(answer: &impl Serialize) -> Result<Response, ApiError> {
    let text = serde_json::to_string(answer).map_err(|_| refusal::fault())?;
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    Ok(response(Body::from(text), bytes))
}

/// An answer without a body: what was asked for is done.
pub fn nothing() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.extensions_mut().insert(BodyBytes(0));
    response
}

fn respond(
    plan: Result<BodyPlan, serde_json::Error>,
    reader: GrantedReader,
) -> Result<Response, ApiError> {
    let parts = plan.map_err(|_| refusal::fault())?.into_parts();
    let bytes = parts.iter().map(Part::bytes).sum();
    Ok(response(sending::body(parts, reader), bytes))
}

fn response(body: Body, bytes: u64) -> Response {
    let mut response = Response::new(body);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response.extensions_mut().insert(BodyBytes(bytes));
    response
}
