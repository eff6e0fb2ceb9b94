//! Bytes of a binary field, a bounded chunk at a time, and only when somebody asks for them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pdpp_contract::blob::{BlobId, BlobRequest};
use pdpp_contract::handles::FieldWindowRef;
use pdpp_contract::query::RecordRequest;
use rmcp::model::{MetaObject, ResourceContents};
use serde_json::json;

use crate::call_context::CallContext;
use crate::refusal::Refusal;
use crate::render::ladder::window_uri;
use crate::resources::no_resource;

/// Bytes in one chunk; as base64 it stays within a result's budget.
const CHUNK_BYTES: usize = 24 * 1024;

impl CallContext {
    /// One chunk of the bytes that a field refers to, with the address of the next.
    pub(crate) async fn blob_chunk(
        &self,
        uri: &str,
        window: FieldWindowRef,
    ) -> Result<ResourceContents, Refusal> {
        let record = &window.record;
        let mut request = RecordRequest::new(record.stream.clone(), record.record_id.clone());
        request.connection_id = Some(record.connection_id.clone());
        let field = window.field_path.parse().map_err(|_| no_resource())?;
        request.fields = Some(vec![field]);
        let found = self.read.record(request).await.map_err(Refusal::from)?.record;
        let value = found.data.as_ref().and_then(|data| data.get(&window.field_path));
        let blob_id = value.map(BlobId::named_by).unwrap_or_default();
        let blob_id = blob_id.into_iter().next().ok_or_else(no_resource)?;
        let request = BlobRequest {
            blob_id,
            connection_id: Some(record.connection_id.clone()),
            offset_bytes: window.start_chars,
            max_bytes: CHUNK_BYTES,
        };
        let piece = self.read.blob(request).await.map_err(Refusal::from)?;
        let end = window.start_chars + u64::try_from(piece.bytes.len()).unwrap_or(0);
        let at = |start_chars: u64| {
            let other = FieldWindowRef { start_chars, ..window.clone() };
            window_uri(&other, self.handles.as_ref())
        };
        let back = u64::try_from(CHUNK_BYTES).unwrap_or(u64::MAX);
        let next_uri = if end < piece.size_bytes { at(end) } else { None };
        let before = (window.start_chars > 0).then(|| at(window.start_chars.saturating_sub(back)));
        let about = json!({
            "start_bytes": window.start_chars,
            "end_bytes": end,
            "size_bytes": piece.size_bytes,
            "next_uri": next_uri,
            "previous_uri": before.flatten(),
        });
        let mut meta = serde_json::Map::new();
        meta.insert("pdpp/window".to_owned(), about);
        let mime = piece.mime_type.unwrap_or_else(|| "application/octet-stream".to_owned());
        let contents = ResourceContents::blob(STANDARD.encode(&piece.bytes), uri);
        Ok(contents.with_mime_type(mime).with_meta(MetaObject(meta)))
    }
}
