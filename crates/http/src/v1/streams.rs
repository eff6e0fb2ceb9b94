//! `GET /v1/streams`: the streams in view, one row per connection.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::audit::Disclosed;
use crate::body;
use crate::caller::Reader;
use crate::params::{self, Params};
use crate::refusal::Refusal;

pub async fn streams(Reader(reader): Reader, params: Params) -> Result<Response, Refusal> {
    let request = params::schema::streams(params)?;
    let list = reader.streams(request).await?;
    let ids = list.data.iter().map(|row| row.connection_id.clone());
    Ok(body::json(&list, Disclosed::of(ids, 0))?)
}
