//! Resources: granted streams, records and field windows, each by its handle.

mod blob_chunk;
mod completions;

use pdpp_contract::handles::{Handle, HandleKind, StreamRef};
use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;
use pdpp_contract::query::RecordRequest;
use pdpp_contract::read_api::Source;
use pdpp_contract::schema::{SchemaDetail, SchemaRequest};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ErrorCode, StreamName};
use rmcp::model::{
    ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

use crate::call_context::CallContext;
use crate::ids::{self, RECORD_URI};
use crate::refusal::Refusal;
use crate::render::ladder::FIELD_WINDOW_URI;
use crate::render::measure::json_bytes;
use crate::render::one_line::one_line;
use crate::render::paging::Question;
use crate::render::record_page::{RESULT_BYTES, record_ref};
use crate::render::window_view::{WindowView, stale};

/// What precedes the handle of a stream.
pub(crate) const STREAM_URI: &str = "pdpp://stream/";
/// Most streams on one page of the list.
const PAGE: usize = 100;

/// The three kinds of addresses that `resources/read` takes.
pub fn resource_templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, description: &str, mime: &str| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(description)
            .with_mime_type(mime)
    };
    vec![
        template(
            "pdpp://stream/{handle}",
            "stream",
            "Stream",
            "What one granted stream holds and which questions it answers. Handles come from resources/list.",
            "text/plain",
        ),
        template(
            "pdpp://record/{handle}",
            "record",
            "Record",
            "One record as a document, bounded. Handles come from tool results.",
            "application/json",
        ),
        template(
            "pdpp://field-window/{handle}",
            "field-window",
            "Field window",
            "A bounded stretch of one field, with the addresses of the stretches before and after it.",
            "text/plain",
        ),
    ]
}

impl CallContext {
    /// The granted streams as resources, a page at a time.
    pub async fn list_resources(
        &self,
        cursor: Option<&str>,
    ) -> Result<ListResourcesResult, Refusal> {
        let sources = self.read.sources().await.map_err(Refusal::from)?;
        let mut question = Question::new("resources");
        let mut rows = Vec::new();
        for source in &sources {
            for stream in &source.streams {
                question.add(source.connection.connection_id.as_str());
                question.add(stream.as_str());
                rows.push((source, stream));
            }
        }
        let start = self.place(&question, cursor).await?;
        let (mut resources, mut end, mut bytes) = (Vec::new(), start, 0);
        for (source, stream) in rows.iter().skip(start).take(PAGE) {
            let resource = self.stream_entry(source, stream);
            bytes += resource.as_ref().map_or(0, json_bytes);
            if bytes > RESULT_BYTES && end > start {
                break;
            }
            resources.extend(resource);
            end += 1;
        }
        let mut result = ListResourcesResult::with_all_items(resources);
        if end < rows.len() {
            result.next_cursor = self.cursor_at(&question, end);
        }
        Ok(result)
    }

    fn stream_entry(&self, source: &Source, stream: &StreamName) -> Option<Resource> {
        let connection = &source.connection;
        let named =
            StreamRef { connection_id: connection.connection_id.clone(), stream: stream.clone() };
        let handle = self.handles.seal(&Handle::Stream(named))?;
        let label = connection.display_name.as_deref().unwrap_or(connection.connector_key.as_str());
        let name = one_line(stream.as_str(), 128);
        let title = format!("{} / {name}", one_line(label, 80));
        let uri = format!("{STREAM_URI}{handle}");
        Some(Resource::new(uri, name).with_title(title).with_mime_type("text/plain"))
    }

    /// How many records a resource shows something of: one, unless it is a stream.
    pub(crate) fn records_in(uri: &str) -> usize {
        usize::from(uri.starts_with(RECORD_URI) || uri.starts_with(FIELD_WINDOW_URI))
    }

    /// One resource. A handle opens what the caller's own grant shows, nothing else.
    pub async fn read_resource(&self, uri: &str) -> Result<ReadResourceResult, Refusal> {
        let contents = if let Some(handle) = uri.strip_prefix(STREAM_URI) {
            self.stream_resource(uri, handle).await?
        } else if uri.starts_with(RECORD_URI) {
            self.record_resource(uri).await?
        } else if let Some(handle) = uri.strip_prefix(FIELD_WINDOW_URI) {
            self.window_resource(uri, handle).await?
        } else {
            return Err(no_resource());
        };
        Ok(ReadResourceResult::new(vec![contents]))
    }

    async fn stream_resource(&self, uri: &str, handle: &str) -> Result<ResourceContents, Refusal> {
        let Ok(Handle::Stream(named)) = self.handles.open(HandleKind::Stream, handle).await else {
            return Err(no_resource());
        };
        let request = SchemaRequest {
            detail: SchemaDetail::Compact,
            stream: Some(named.stream),
            connection_id: Some(named.connection_id),
        };
        let answer = self.stream_schema(request, None).await.map_err(unless_granted)?;
        Ok(ResourceContents::text(answer.text, uri))
    }

    async fn record_resource(&self, uri: &str) -> Result<ResourceContents, Refusal> {
        let target = ids::resolve(uri, None, self.handles.as_ref()).await.map_err(as_resource)?;
        let mut request = RecordRequest::new(target.stream, target.record_id);
        request.connection_id = target.connection_id;
        request.preview_chars = Some(DEFAULT_WINDOW_CHARS);
        let record = self.read.record(request).await.map_err(Refusal::from)?.record;
        let id = ids::mint(&record_ref(&record), self.handles.as_ref());
        let answer = self.document(record, id, false).await?;
        Ok(ResourceContents::text(answer.text, uri).with_mime_type("application/json"))
    }

    async fn window_resource(&self, uri: &str, handle: &str) -> Result<ResourceContents, Refusal> {
        let window = match self.handles.open(HandleKind::FieldWindow, handle).await {
            Ok(Handle::FieldWindow(window)) => window,
            Err(error) if error.code != ErrorCode::InvalidCursor => return Err(error.into()),
            _ => return Err(no_resource()),
        };
        if window.of_bytes {
            return self.blob_chunk(uri, window).await;
        }
        let request = FieldWindowRequest {
            stream: window.record.stream.clone(),
            record_id: window.record.record_id.clone(),
            connection_id: Some(window.record.connection_id.clone()),
            field_path: window.field_path.clone(),
            selector: WindowSelector::Offset(window.start_chars),
            limit_chars: Some(window.limit_chars),
        };
        let read = self.read.field_window(request).await.map_err(Refusal::from)?;
        let view = WindowView::new(read, None, self.handles.as_ref());
        if window.content.is_some_and(|mark| mark != view.mark()) {
            return Err(stale(&window).param("uri"));
        }
        Ok(ResourceContents::text(view.text(true), uri).with_mime_type(view.mime_type()))
    }
}

/// An address that leads nowhere, whoever asks.
pub(crate) fn no_resource() -> Refusal {
    Refusal::new(
        "not_found",
        404,
        "no such resource; use an address from an answer or from resources/list",
    )
    .param("uri")
}

/// A stream or connection outside the grant is no resource, whatever its handle says.
fn unless_granted(refusal: Refusal) -> Refusal {
    let outside = [ErrorCode::GrantStreamNotAllowed, ErrorCode::ConnectionNotFound];
    if outside.iter().any(|code| code.as_str() == refusal.code) { no_resource() } else { refusal }
}

fn as_resource(refusal: Refusal) -> Refusal {
    if refusal.code == "invalid_result_id" { no_resource() } else { refusal }
}
