//! `GET /v1/schema`: what the caller can see, and which questions each stream answers.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::audit::Disclosed;
use crate::body;
use crate::caller::Reader;
use crate::params::{self, Params};
use crate::refusal::Refusal;

pub async fn schema(Reader(reader): Reader, params: Params) -> Result<Response, Refusal> {
    let request = params::schema::schema(params)?;
    let document = reader.schema(request).await?;
    let connections = document.connectors.iter().flat_map(|source| &source.granted_connections);
    let ids = connections.map(|connection| connection.connection_id.clone());
    Ok(body::json(&document, Disclosed::of(ids, 0))?)
}
