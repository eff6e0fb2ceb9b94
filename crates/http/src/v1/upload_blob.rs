//! `POST /v1/blobs`: the owner brings the bytes of a blob; records refer to it by the id in the answer.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use http_body_util::BodyExt;
use pdpp_contract::{ApiError, ErrorCode};

use crate::app::App;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Owner;

pub async fn upload_blob(
    State(app): State<App>,
    Owner { access, .. }: Owner,
    params: Params,
    request: Request,
) -> Result<Response, RefusalResponse> {
    let expected = params::blob::digest(params)?;
    let mime_type = media_type(request.headers())?;
    let mut blob = app.services.engine.new_blob(&access).await?;
    let mut payload = request.into_body();
    while let Some(frame) = payload.frame().await {
        let frame = frame.map_err(|_| {
            let message = "the body broke off; nothing was kept, send it again";
            ApiError::new(ErrorCode::InvalidRequest, message)
        })?;
        if let Ok(bytes) = frame.into_data() {
            blob.write(bytes.into()).await?;
        }
    }
    let receipt = blob.keep(expected, mime_type).await?;
    Ok(body::json(&receipt)?)
}

fn media_type(headers: &HeaderMap) -> Result<String, ApiError> {
    if headers.get_all(header::CONTENT_ENCODING).iter().any(|value| value != "identity") {
        let message = "send the bytes as they are, without compression";
        return Err(
            ApiError::new(ErrorCode::UnsupportedMediaType, message).param("Content-Encoding")
        );
    }
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    Ok(sent.unwrap_or("application/octet-stream").to_owned())
}
