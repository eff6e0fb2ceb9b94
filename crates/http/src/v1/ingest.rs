//! `POST /v1/ingest/{stream}`: the owner adds records, one JSON line each, all or none.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use pdpp_contract::limits::MAX_INGEST_BODY_BYTES;
use pdpp_contract::{ApiError, ErrorCode};
use pdpp_engine::ingest::IngestRequest;

use crate::app::App;
use crate::guard::too_large;
use crate::params::path::StreamPath;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Owner;

/// Ways to say "lines of JSON". A form would have lost its line breaks, so it is not among them.
const MEDIA_TYPES: [&str; 7] = [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json",
    "application/octet-stream",
    "text/plain",
];

pub async fn ingest(
    State(app): State<App>,
    Owner { access, audit }: Owner,
    path: StreamPath,
    params: Params,
    request: Request,
) -> Result<Response, RefusalResponse> {
    let connection_id = params::schema::written_connection(params)?;
    check_media_type(request.headers())?;
    let lines = read(request.into_body()).await?;
    let connection = connection_id.clone();
    let request = IngestRequest { connection_id, stream: path.stream, body: lines };
    let report = app.services.engine.ingest(&access, request).await?;
    audit.touched([connection]);
    Ok(body::json(&report)?)
}

async fn read(payload: Body) -> Result<Vec<u8>, ApiError> {
    let mut payload = Limited::new(payload, MAX_INGEST_BODY_BYTES);
    let mut lines = Vec::new();
    while let Some(frame) = payload.frame().await {
        match frame {
            Ok(frame) => lines.extend_from_slice(frame.data_ref().map_or(&[], |data| data)),
            Err(error) if error.is::<LengthLimitError>() => {
                return Err(too_large(MAX_INGEST_BODY_BYTES));
            }
            Err(_) => {
                let message = "the body broke off; nothing was written, send it again";
                return Err(ApiError::new(ErrorCode::InvalidRequest, message));
            }
        }
    }
    Ok(lines)
}

fn check_media_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let refused = |message: &str, param: &str| {
        Err(ApiError::new(ErrorCode::UnsupportedMediaType, message).param(param))
    };
    if headers.get_all(header::CONTENT_ENCODING).iter().any(|value| value != "identity") {
        return refused("send the body without compression", "Content-Encoding");
    }
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Ok(());
    };
    let named = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if MEDIA_TYPES.iter().any(|known| known.eq_ignore_ascii_case(named)) {
        return Ok(());
    }
    refused("send lines of JSON as application/x-ndjson", "Content-Type")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &'static str, value: &str) -> bool {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        check_media_type(&headers).is_ok()
    }

    #[test]
    fn lines_of_json_are_taken_by_any_of_their_names() {
        assert!(check_media_type(&HeaderMap::new()).is_ok());
        assert!(check("content-type", "application/x-ndjson; charset=utf-8"));
        assert!(check("content-type", "Application/NDJSON"));
        assert!(!check("content-type", "application/x-www-form-urlencoded"));
        assert!(!check("content-type", "multipart/form-data; boundary=x"));
        assert!(!check("content-encoding", "gzip"));
    }
}
