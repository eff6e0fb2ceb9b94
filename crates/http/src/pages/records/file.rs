//! `/owner/s/{session}/file/{blob}`: a file of a record. Images may be shown; everything else is saved, under a
//! type that no browser runs, and in a sandbox.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;
use pdpp_contract::blob::{BlobId, BlobRequest};
use pdpp_contract::{ConnectionId, ReadApi};

use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::session::SignedIn;
use crate::params::Params;
use crate::v1::blob::sending;
use crate::v1::body::file_name;

/// A file is no page: it runs nothing, loads nothing and has an origin of its own.
const POLICY: HeaderValue =
    HeaderValue::from_static("sandbox; default-src 'none'; frame-ancestors 'none'");
/// Images that every browser draws and none runs. SVG may hold scripts.
const IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/// Whether a file of this type is shown.
pub fn is_image(media_type: &str) -> bool {
    IMAGES.contains(&media_type)
}

/// The bytes.
pub async fn bytes(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    Path((_, blob)): Path<(String, String)>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let mut params = Params::parse(uri.query()).map_err(|_| PageFault::BadForm)?;
    let account = params.take("account").map_err(|_| PageFault::BadForm)?.unwrap_or_default();
    let account: ConnectionId = account.parse().map_err(|_| PageFault::Missing)?;
    let blob_id = BlobId::parse(&blob).ok_or(PageFault::Missing)?;
    let request =
        BlobRequest { blob_id, connection_id: Some(account), offset_bytes: 0, max_bytes: 0 };
    let reader = app.services.engine.owner_reader(session.access().clone()).await?;
    let about = reader.blob(request.clone()).await?;
    let shown = about.mime_type.as_deref().filter(|kind| is_image(kind));
    let kind = shown.unwrap_or("application/octet-stream");
    let name = about.filename.clone().unwrap_or_else(|| blob_id.to_string());
    let placed = match shown {
        Some(_) => "inline".to_owned(),
        None => file_name::attachment(&name),
    };
    let size = about.size_bytes;
    let mut response =
        Response::new(if size == 0 { Body::empty() } else { sending(reader, request, 0..size) });
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, &placed),
        (header::CONTENT_LENGTH, &size.to_string()),
    ] {
        let value = HeaderValue::try_from(value).map_err(|_| PageFault::Failed)?;
        response.headers_mut().insert(name, value);
    }
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    Ok(response)
}
