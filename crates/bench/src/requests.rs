//! The requests that measurements make.

use pdpp_contract::declaration::RangeOperator;
use pdpp_contract::query::{Filter, FilterTest, ListRequest, RecordRequest, Sort};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{FieldName, RecordId, StreamName};

use super::data::mail;
use crate::error::BenchError;

/// Characters of a window, the default of the product.
pub const WINDOW_CHARS: u32 = 4_096;

/// The stream that most measurements read.
pub fn messages() -> Result<StreamName, BenchError> {
    Ok(StreamName::new("messages")?)
}

/// A window into the body of a long record.
pub fn window(id: &str, selector: WindowSelector) -> Result<FieldWindowRequest, BenchError> {
    Ok(FieldWindowRequest {
        stream: messages()?,
        record_id: record_id(id)?,
        connection_id: None,
        field_path: "body".to_owned(),
        selector,
        limit_chars: Some(WINDOW_CHARS),
    })
}

/// One record.
pub fn record(id: &str) -> Result<RecordRequest, BenchError> {
    let request = RecordRequest::new(messages()?, record_id(id)?);
    Ok(RecordRequest { preview_chars: Some(0), ..request })
}

/// The newest messages.
pub fn newest() -> Result<ListRequest, BenchError> {
    let mut request = ListRequest::new(messages()?);
    request.preview_chars = Some(0);
    request.sort = Some(Sort { field: Some(field("sent_at")?), descending: true });
    Ok(request)
}

/// The newest messages of one folder.
pub fn newest_in_folder() -> Result<ListRequest, BenchError> {
    let mut request = newest()?;
    let test = FilterTest::Equals(mail::folder(7));
    request.filter.push(Filter { field: field("folder")?, test });
    Ok(request)
}

/// Large messages, the largest last.
pub fn large_by_size() -> Result<ListRequest, BenchError> {
    let mut request = newest()?;
    let test = FilterTest::Range(RangeOperator::Gte, "100000".to_owned());
    request.filter.push(Filter { field: field("size")?, test });
    request.sort = Some(Sort { field: Some(field("size")?), descending: false });
    Ok(request)
}

/// Large messages, the newest first: the sort has an index, the filter is checked on the way.
pub fn large_newest() -> Result<ListRequest, BenchError> {
    let mut request = large_by_size()?;
    request.sort = Some(Sort { field: Some(field("sent_at")?), descending: true });
    Ok(request)
}

/// A field's name.
pub fn field(name: &str) -> Result<FieldName, BenchError> {
    Ok(FieldName::new(name)?)
}

fn record_id(id: &str) -> Result<RecordId, BenchError> {
    Ok(RecordId::new(id)?)
}
