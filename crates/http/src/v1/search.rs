//! `GET /v1/search`: ranked hits for words, over everything in view.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Reader;

pub async fn search(Reader(reader): Reader, params: Params) -> Result<Response, RefusalResponse> {
    let request = params::search::request(params)?;
    let page = reader.search(request).await?;
    Ok(body::json(&page)?)
}
