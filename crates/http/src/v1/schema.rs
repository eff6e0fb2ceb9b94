//! `GET /v1/schema`: what the caller can see, and which questions each stream answers.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Reader;

pub async fn schema(Reader(reader): Reader, params: Params) -> Result<Response, RefusalResponse> {
    let request = params::schema::schema(params)?;
    let document = reader.schema(request).await?;
    Ok(body::json(&document)?)
}
