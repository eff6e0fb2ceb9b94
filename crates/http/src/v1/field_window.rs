//! `GET /v1/streams/{stream}/records/{id}/field-window`: one bounded range of one text field.

use axum::response::Response;
use pdpp_contract::ReadApi;

use crate::params::path::RecordPath;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Reader;

pub async fn field_window(
    Reader(reader): Reader,
    path: RecordPath,
    params: Params,
) -> Result<Response, RefusalResponse> {
    let request = params::window::request(path, params)?;
    let window = reader.field_window(request).await?;
    Ok(body::json(&window)?)
}
