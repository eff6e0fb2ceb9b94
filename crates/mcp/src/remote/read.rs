//! The reads of the contract, each as one question to the provider.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use http::StatusCode;
use pdpp_contract::aggregate::{AggregateRequest, Aggregation};
use pdpp_contract::blob::{BlobPiece, BlobRequest};
use pdpp_contract::envelope::{Links, Meta};
use pdpp_contract::limits::MAX_WINDOW_CHARS;
use pdpp_contract::links::RequestUrl;
use pdpp_contract::query::{
    ListRequest, RecordDetail, RecordPage, RecordRequest, StreamList, StreamsRequest,
};
use pdpp_contract::record::Record;
use pdpp_contract::schema::{
    SchemaDetail, SchemaDocument, SchemaRequest, StreamMetadata, StreamRequest,
};
use pdpp_contract::search::{SearchPage, SearchRequest};
use pdpp_contract::window::{FieldWindow, FieldWindowRequest, WindowSelector};
use pdpp_contract::{ApiError, ErrorCode, ReadApi};
use serde::de::DeserializeOwned;

use super::RemoteProvider;
use super::address;
use super::get::Answer;
use super::wire::records::{WirePage, WireRecord, WireStreams};
use super::wire::refusal;
use super::wire::schema::WireSchema;
use super::wire::search::WireSearch;
use super::wire::windows::WireWindow;
use super::{blobs, preview};

#[async_trait]
impl ReadApi for RemoteProvider {
    async fn schema(&self, request: SchemaRequest) -> Result<SchemaDocument, ApiError> {
        let answer = self.ask_schema(&request).await?;
        let document =
            read::<WireSchema>(&answer)?.into_document(&request).ok_or_else(unreadable)?;
        if request.stream.is_some() && document.connectors.is_empty() {
            let message = "no such stream in view; call schema without a stream to see them all";
            return Err(ApiError::new(ErrorCode::NotFound, message).param("stream"));
        }
        Ok(document)
    }

    async fn streams(&self, request: StreamsRequest) -> Result<StreamList, ApiError> {
        let answer = self.ask(&address::streams(&request)).await?;
        let list = read::<WireStreams>(&answer)?.into_list(request.connection_id.as_ref());
        list.ok_or_else(unreadable)
    }

    async fn stream(&self, request: StreamRequest) -> Result<Vec<StreamMetadata>, ApiError> {
        let schema = SchemaRequest {
            detail: SchemaDetail::Compact,
            stream: Some(request.stream),
            connection_id: request.connection_id,
        };
        let document = self.schema(schema).await?;
        Ok(document.connectors.into_iter().flat_map(|source| source.streams).collect())
    }

    async fn list(&self, request: ListRequest) -> Result<RecordPage, ApiError> {
        let answer = self.ask_previews(&address::list(&request), request.preview_chars).await?;
        let mut page = read::<WirePage>(&answer)?.into_page(&request).ok_or_else(unreadable)?;
        if let Some(chars) = request.preview_chars {
            let mut cut_here = self.serves_whole_values.load(Ordering::Relaxed);
            for record in &mut page.data {
                cut_here |= preview::cut(record, chars);
            }
            if let Some(record) = page.data.iter().find(|record| !record.deleted && cut_here) {
                self.learn_windows(record).await;
            }
        }
        Ok(page)
    }

    async fn record(&self, request: RecordRequest) -> Result<RecordDetail, ApiError> {
        let address = address::record(&request);
        let answer = self.ask_previews(&address, request.preview_chars).await?;
        let record = read::<WireRecord>(&answer)?;
        let record = record.into_record(&request.stream, request.connection_id.as_ref());
        let mut record = record.ok_or_else(unreadable)?;
        // A value that came whole is not asked for again: as much of it stays as a document holds.
        if let Some(chars) = request.preview_chars
            && preview::cut(&mut record, chars.max(MAX_WINDOW_CHARS))
        {
            self.learn_windows(&record).await;
        }
        let etag = answer.etag.as_deref().map(|tag| tag.trim_matches('"').to_owned());
        Ok(RecordDetail {
            record,
            etag: etag.unwrap_or_else(|| preview::digest(&answer.body)),
            links: Links { this: address.as_str().to_owned(), next: None },
            meta: Meta::default(),
        })
    }

    async fn field_window(&self, request: FieldWindowRequest) -> Result<FieldWindow, ApiError> {
        let answer = self.getter.get(&address::window(&request)).await?;
        if !answer.status.is_success() {
            return Err(self.no_window(&request, &answer).await);
        }
        let window = read::<WireWindow>(&answer)?.into_window(&request).ok_or_else(unreadable)?;
        self.has_windows.store(true, Ordering::Relaxed);
        self.lacks_windows.store(false, Ordering::Relaxed);
        Ok(window)
    }

    fn lacks_windows(&self) -> bool {
        self.lacks_windows.load(Ordering::Relaxed)
    }

    async fn blob(&self, request: BlobRequest) -> Result<BlobPiece, ApiError> {
        let range = blobs::range(&request);
        let answer = self.getter.get_range(&address::blob(&request), Some(range)).await?;
        if !answer.status.is_success() && answer.status != StatusCode::RANGE_NOT_SATISFIABLE {
            return Err(refusal::of(&answer));
        }
        blobs::piece(&request, &answer).ok_or_else(unreadable)
    }

    async fn search(&self, request: SearchRequest) -> Result<SearchPage, ApiError> {
        let answer = self.ask(&address::search(&request)).await?;
        Ok(read::<WireSearch>(&answer)?.into_page(&request))
    }

    async fn aggregate(&self, request: AggregateRequest) -> Result<Aggregation, ApiError> {
        let answer = self.ask(&address::aggregate(&request)).await?;
        read::<Aggregation>(&answer)
    }
}

impl RemoteProvider {
    async fn ask(&self, address: &RequestUrl) -> Result<Answer, ApiError> {
        let answer = self.getter.get(address).await?;
        if answer.status.is_success() { Ok(answer) } else { Err(refusal::of(&answer)) }
    }

    /// Asks for the compact view; an older provider knows none, and sends its whole document.
    async fn ask_schema(&self, request: &SchemaRequest) -> Result<Answer, ApiError> {
        let compact = request.detail == SchemaDetail::Compact;
        if compact && self.serves_whole_schema.load(Ordering::Relaxed) {
            return self.ask(&address::plain_schema(request)).await;
        }
        match self.ask(&address::schema(request)).await {
            Err(error) if compact && refusal::knows_not(&error, "view") => {
                let answer = self.ask(&address::plain_schema(request)).await?;
                self.serves_whole_schema.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            other => other,
        }
    }

    /// Asks for beginnings; a provider that does not know them is asked for whole values instead.
    async fn ask_previews(
        &self,
        plain: &RequestUrl,
        chars: Option<u32>,
    ) -> Result<Answer, ApiError> {
        let Some(chars) = chars.filter(|_| !self.serves_whole_values.load(Ordering::Relaxed))
        else {
            return self.ask(plain).await;
        };
        match self.ask(&plain.clone().with("preview_chars", &chars.to_string())).await {
            Err(error) if refusal::knows_not(&error, "preview_chars") => {
                let answer = self.ask(plain).await?;
                // Only an answer proves that the parameter was the fault.
                self.serves_whole_values.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            other => other,
        }
    }

    /// Why there is no window. A route that does not exist looks like a record that does not: then
    /// the route is asked without a field, which reads nothing anywhere.
    async fn no_window(&self, request: &FieldWindowRequest, answer: &Answer) -> ApiError {
        let refused = refusal::of(answer);
        let unclear = matches!(
            answer.status,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED
        ) && matches!(
            refused.code,
            ErrorCode::NotFound | ErrorCode::MethodNotAllowed | ErrorCode::Unsupported
        );
        if !unclear || self.has_windows.load(Ordering::Relaxed) {
            return refused;
        }
        match self.window_route(request).await {
            Ok(true) => refused,
            Err(error) => error,
            Ok(false) => {
                let message = "this provider offers no field windows; fetch with this field alone \
                               in fields shows its beginning";
                ApiError::new(ErrorCode::FieldWindowUnsupported, message).param("field_path")
            }
        }
    }

    /// Whether windows are served, asked once: a ladder must not lead where nothing is.
    async fn learn_windows(&self, record: &Record) {
        if self.has_windows.load(Ordering::Relaxed) {
            return;
        }
        let request = FieldWindowRequest {
            stream: record.stream.clone(),
            record_id: record.id.clone(),
            connection_id: Some(record.connection_id.clone()),
            field_path: String::new(),
            selector: WindowSelector::Offset(0),
            limit_chars: None,
        };
        if let Err(error) = self.window_route(&request).await {
            tracing::debug!(code = error.code.as_str(), "windows were not looked for");
        }
    }

    /// Whether the route of windows exists. Only the answers of a router and of the route itself
    /// are remembered; a provider that is busy or out of reach has said nothing about it.
    async fn window_route(&self, request: &FieldWindowRequest) -> Result<bool, ApiError> {
        if self.lacks_windows.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let probe = self.getter.get(&address::bare_window(request)).await?;
        let exists = probe.status == StatusCode::BAD_REQUEST;
        let missing = matches!(
            probe.status,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED
        );
        if exists {
            self.has_windows.store(true, Ordering::Relaxed);
        } else if missing {
            self.lacks_windows.store(true, Ordering::Relaxed);
        }
        Ok(exists)
    }
}

fn read<T: DeserializeOwned>(answer: &Answer) -> Result<T, ApiError> {
    serde_json::from_slice(&answer.body).map_err(|error| {
        // The position only: the body is somebody's data.
        tracing::debug!(
            line = error.line(),
            column = error.column(),
            "an answer was not understood"
        );
        unreadable()
    })
}

fn unreadable() -> ApiError {
    let message = "the provider's answer is not in the protocol's form; check the provider URL";
    ApiError::new(ErrorCode::Unavailable, message)
}
