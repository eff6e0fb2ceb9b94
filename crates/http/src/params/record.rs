//! The parameters of `GET /v1/streams/{stream}/records/{id}`.

use pdpp_contract::ApiError;
use pdpp_contract::query::RecordRequest;

use super::expand::expand;
use super::path::RecordPath;
use super::{Params, value};

/// Reads one record's request.
pub fn request(path: RecordPath, mut params: Params) -> Result<RecordRequest, ApiError> {
    let request = RecordRequest {
        stream: path.stream,
        record_id: path.record_id,
        connection_id: value::connection_id(&mut params)?,
        fields: value::fields(&mut params)?,
        preview_chars: value::preview_chars(&mut params)?,
        expand: expand(&mut params)?,
    };
    params.finish()?;
    Ok(request)
}
