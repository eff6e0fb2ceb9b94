//! `GET /v1/streams/{stream}/records`: one page of records, or of changes.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::params::path::StreamPath;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body::{self, Length};
use crate::v1::gate::Reader;

pub async fn records(
    Reader(reader): Reader,
    path: StreamPath,
    params: Params,
) -> Result<Response, RefusalResponse> {
    let request = params::list::request(path, params)?;
    let length = Length::asked(request.preview_chars);
    let page = reader.list(request).await?;
    Ok(body::page(page, length, reader.into_inner())?)
}
