//! `GET /v1/streams/{stream}`: one stream in detail.
//!
//! Connections may carry a stream of one name with different fields. Then the answer would be
//! several, and the caller is asked to name a connection.

use axum::http::Uri;
use axum::response::Response;
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::error::AvailableConnection;
use pdpp_contract::limits::MAX_AMBIGUOUS_CANDIDATES;
use pdpp_contract::schema::{SchemaRequest, StreamMetadata};
use pdpp_contract::{ApiError, ErrorCode, Instant, ReadApi, StreamName};
use serde_json::Value;

use crate::params::path::StreamPath;
use crate::params::{self, Params};
use crate::refusal::{self, RefusalResponse};
use crate::v1::body;
use crate::v1::gate::Reader;

pub async fn stream(
    Reader(reader): Reader,
    path: StreamPath,
    params: Params,
    uri: Uri,
) -> Result<Response, RefusalResponse> {
    let request = params::schema::stream(path, params)?;
    let name = request.stream.clone();
    let Some(only) = merged(reader.stream(request).await?) else {
        return Err(RefusalResponse(ambiguous(&reader, name).await?));
    };
    let document = document(&only, &uri).map_err(|_| refusal::fault())?;
    Ok(body::json(&document)?)
}

/// One block for connections that differ in nothing but their name and freshness; else none.
fn merged(blocks: Vec<StreamMetadata>) -> Option<StreamMetadata> {
    let mut blocks = blocks.into_iter();
    let mut merged = blocks.next()?;
    for mut block in blocks {
        merged.granted_connections.append(&mut block.granted_connections);
        block.granted_connections.clone_from(&merged.granted_connections);
        if captured_at(&block) > captured_at(&merged) {
            merged.freshness.clone_from(&block.freshness);
        }
        block.freshness.clone_from(&merged.freshness);
        if block != merged {
            return None;
        }
    }
    Some(merged)
}

fn captured_at(block: &StreamMetadata) -> Option<Instant> {
    Instant::parse(block.freshness.as_ref()?.captured_at.as_ref()?)
}

/// The stream's members at the top, links and meta beside them.
fn document(stream: &StreamMetadata, uri: &Uri) -> Result<Value, serde_json::Error> {
    let mut document = serde_json::to_value(stream)?;
    if let Value::Object(members) = &mut document {
        let links = Links { this: uri.to_string(), next: None };
        members.insert("links".to_owned(), serde_json::to_value(links)?);
        members.insert("meta".to_owned(), serde_json::to_value(Meta::default())?);
    }
    Ok(document)
}

async fn ambiguous(reader: &impl ReadApi, stream: StreamName) -> Result<ApiError, ApiError> {
    let request = SchemaRequest { stream: Some(stream.clone()), ..SchemaRequest::default() };
    let schema = reader.schema(request).await?;
    let candidates = schema.connectors.iter().flat_map(|source| {
        source.granted_connections.iter().map(|connection| AvailableConnection {
            connection_id: connection.connection_id.clone(),
            connector_key: source.connector_key.clone(),
            grant_id: connection.grant_id.clone(),
            stream: Some(stream.clone()),
            display_name: connection.display_name.clone(),
        })
    });
    let message = "several connections carry this stream with different fields; add connection_id";
    let mut error = ApiError::new(ErrorCode::AmbiguousConnection, message)
        .param("connection_id")
        .retry_with("connection_id");
    error.available_connection_count = u64::try_from(candidates.clone().count()).ok();
    error.available_connections = candidates.take(MAX_AMBIGUOUS_CANDIDATES).collect();
    Ok(error)
}
