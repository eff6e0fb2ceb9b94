//! `GET /v1/streams`: the streams in view, one row per connection.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Reader;

pub async fn streams(Reader(reader): Reader, params: Params) -> Result<Response, RefusalResponse> {
    let request = params::schema::streams(params)?;
    let list = reader.streams(request).await?;
    Ok(body::json(&list)?)
}
