//! The parameters of the schema and stream routes, and of writes.

use pdpp_contract::query::StreamsRequest;
use pdpp_contract::schema::{SchemaDetail, SchemaRequest, StreamRequest};
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, StreamName};

use super::Params;
use super::path::StreamPath;
use super::value::{self, refuse};

/// Reads the request of `GET /v1/schema`.
pub fn schema(mut params: Params) -> Result<SchemaRequest, ApiError> {
    let view = params.take("view")?;
    let detail = params.take("detail")?;
    let stream = params.take("stream")?.map(StreamName::new).transpose();
    let request = SchemaRequest {
        detail: detail_of(view.as_deref(), detail.as_deref())?,
        stream: stream.map_err(|fault| value::named(&fault, "stream"))?,
        connection_id: value::connection_id(&mut params)?,
    };
    params.finish()?;
    Ok(request)
}

/// Reads the request of `GET /v1/streams`.
pub fn streams(mut params: Params) -> Result<StreamsRequest, ApiError> {
    let connection_id = value::connection_id(&mut params)?;
    params.finish()?;
    Ok(StreamsRequest { connection_id })
}

/// Reads the request of `GET /v1/streams/{stream}`.
pub fn stream(path: StreamPath, mut params: Params) -> Result<StreamRequest, ApiError> {
    let connection_id = value::connection_id(&mut params)?;
    params.finish()?;
    Ok(StreamRequest { stream: path.stream, connection_id })
}

/// Reads the only parameter of a write: which connection it changes.
pub fn written_connection(mut params: Params) -> Result<ConnectionId, ApiError> {
    let connection_id = value::required_connection_id(&mut params)?;
    params.finish()?;
    Ok(connection_id)
}

/// `view=compact` and `detail=full` are two names of one choice; they may not contradict.
fn detail_of(view: Option<&str>, detail: Option<&str>) -> Result<SchemaDetail, ApiError> {
    match (view, detail) {
        (None | Some("compact"), None | Some("compact")) => Ok(SchemaDetail::Compact),
        (None, Some("full")) => Ok(SchemaDetail::Full),
        (Some("compact"), Some("full")) => Err(refuse(
            ErrorCode::InvalidRequest,
            "view",
            "view=compact and detail=full contradict each other; give one of them",
        )),
        (Some(view), _) if view != "compact" => {
            Err(refuse(ErrorCode::InvalidRequest, "view", "must be compact"))
        }
        (_, _) => Err(refuse(ErrorCode::InvalidRequest, "detail", "must be compact or full")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<SchemaRequest, ApiError> {
        schema(Params::parse(Some(query)).unwrap())
    }

    #[test]
    fn compact_is_the_default() {
        for query in ["", "view=compact", "detail=compact", "view=compact&detail=compact"] {
            assert_eq!(read(query).unwrap(), SchemaRequest::default(), "{query}");
        }
        let full = read("detail=full&stream=notes&connection_id=cin_1").unwrap();
        assert_eq!(full.detail, SchemaDetail::Full);
        assert_eq!(full.stream.unwrap().as_str(), "notes");
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        let cases = [
            ("view=full", "view"),
            ("view=compact&detail=full", "view"),
            ("detail=all", "detail"),
            ("stream=..", "stream"),
            ("connection_id=", "connection_id"),
            ("connector_id=x", "connector_id"),
        ];
        for (query, param) in cases {
            assert_eq!(read(query).unwrap_err().param.as_deref(), Some(param), "{query}");
        }
    }
}
