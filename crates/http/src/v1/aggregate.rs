//! `GET /v1/streams/{stream}/aggregate`: one number, or one per value or range of time.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::params::path::StreamPath;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Reader;

pub async fn aggregate(
    Reader(reader): Reader,
    path: StreamPath,
    params: Params,
) -> Result<Response, RefusalResponse> {
    let request = params::aggregate::request(path, params)?;
    let answer = reader.aggregate(request).await?;
    Ok(body::json(&answer)?)
}
