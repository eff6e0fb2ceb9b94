//! Blobs: the owner brings them, readers see them through records in view.

use pdpp_auth::OwnerAccess;
use pdpp_contract::blob::{BLOB_ID_MEMBER, BlobId, BlobPiece, BlobReceipt, BlobRequest, BlobTag};
use pdpp_contract::limits::{BLOB_PIECE_BYTES, MAX_BLOB_BYTES};
use pdpp_contract::links;
use pdpp_contract::{ApiError, ErrorCode, Json, JsonObject};
use pdpp_store::blobs::{BlobRead, BlobUpload};

use crate::Engine;
use crate::reader::GrantedReader;
use crate::refusal::from_store;
use crate::view::{Narrow, resolve, scope_of};

/// Where the bytes of a reference can be had; readers find it beside the id.
const FETCH_URL_MEMBER: &str = "fetch_url";

/// A blob on its way in. Dropping it leaves nothing behind.
pub struct NewBlob {
    upload: Box<dyn BlobUpload>,
    size_bytes: usize,
    engine: Engine,
}

impl Engine {
    /// Begins an upload.
    pub async fn new_blob(&self, _: &OwnerAccess) -> Result<NewBlob, ApiError> {
        let upload = self.shared.store.new_blob().await.map_err(from_store)?;
        Ok(NewBlob { upload, size_bytes: 0, engine: self.clone() })
    }
}

impl NewBlob {
    /// Adds bytes at the end; refuses more than a blob may hold.
    pub async fn write(&mut self, bytes: Vec<u8>) -> Result<(), ApiError> {
        self.size_bytes = self.size_bytes.saturating_add(bytes.len());
        if self.size_bytes > MAX_BLOB_BYTES {
            let message = format!("a blob holds at most {MAX_BLOB_BYTES} bytes");
            return Err(ApiError::new(ErrorCode::PayloadTooLarge, message));
        }
        self.upload.write(bytes).await.map_err(from_store)
    }

    /// Keeps the blob, if its bytes have the digest that was announced.
    pub async fn keep(
        self,
        expected: Option<BlobId>,
        mime_type: String,
    ) -> Result<BlobReceipt, ApiError> {
        let now = self.engine.shared.clock.now();
        let kept = self.upload.keep(expected, now).await.map_err(from_store)?;
        let kept = kept.ok_or_else(|| {
            let message = "the bytes have another digest; nothing was kept, send them again";
            ApiError::new(ErrorCode::InvalidArgument, message).param("sha256")
        })?;
        Ok(BlobReceipt {
            object: BlobTag::Blob,
            blob_id: kept.id,
            sha256: kept.id.hex(),
            size_bytes: kept.size_bytes,
            mime_type,
        })
    }
}

impl GrantedReader {
    pub(crate) async fn blob_piece(&self, request: BlobRequest) -> Result<BlobPiece, ApiError> {
        let narrow = Narrow { stream: None, connection: request.connection_id.as_ref() };
        let granted_streams = resolve(&self.shared, &self.authority, narrow).await?;
        let scope = scope_of(&granted_streams);
        let BlobRequest { blob_id, offset_bytes, max_bytes, .. } = request;
        let max_bytes = max_bytes.min(BLOB_PIECE_BYTES);
        let read = self.shared.store.read_blob(&scope, blob_id, offset_bytes, max_bytes).await;
        let read = read.map_err(from_store)?.ok_or_else(no_blob)?;
        let (mime_type, filename) = described(&read, blob_id);
        Ok(BlobPiece {
            blob_id,
            connection_id: read.connection,
            size_bytes: read.size_bytes,
            mime_type,
            filename,
            bytes: read.bytes,
        })
    }
}

/// What the visible record says of a blob: the reference itself first, then a field `filename`.
fn described(read: &BlobRead, blob: BlobId) -> (Option<String>, Option<String>) {
    let value = read.data.get(read.field.as_str());
    let references: Vec<&JsonObject> = match value {
        Some(Json::Object(one)) => vec![one],
        Some(Json::Array(items)) => items.iter().filter_map(Json::as_object).collect(),
        _ => Vec::new(),
    };
    let names_it = |reference: &&&JsonObject| {
        let id = reference.get(BLOB_ID_MEMBER).and_then(Json::as_str);
        id.and_then(BlobId::parse) == Some(blob)
    };
    let own = references.iter().find(names_it);
    let text = |members: Option<&JsonObject>, name: &str| {
        members.and_then(|members| members.get(name)).and_then(Json::as_str).map(str::to_owned)
    };
    let own = own.copied();
    let filename = text(own, "filename").or_else(|| text(Some(&read.data), "filename"));
    (text(own, "mime_type"), filename)
}

/// Says where the bytes of each reference can be had.
pub(crate) fn add_addresses(data: &mut JsonObject) {
    for value in data.values_mut() {
        match value {
            Json::Object(one) => add_address(one),
            Json::Array(items) => {
                for item in items {
                    if let Json::Object(one) = item {
                        add_address(one);
                    }
                }
            }
            _ => {}
        }
    }
}

fn add_address(reference: &mut JsonObject) {
    let id = reference.get(BLOB_ID_MEMBER).and_then(Json::as_str).and_then(BlobId::parse);
    if let Some(id) = id {
        let url = Json::String(links::blob_path(&id));
        reference.insert(FETCH_URL_MEMBER.to_owned(), url);
    }
}

/// No such blob in view, whether or not one exists.
pub fn no_blob() -> ApiError {
    ApiError::new(
        ErrorCode::BlobNotFound,
        "no blob with this id in view; check the record's reference",
    )
}
