//! The parameters of `GET /v1/search`.

use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ApiError, ErrorCode, StreamName};

use super::Params;
use super::list::{filters, limit};
use super::value::{self, named, refuse};

/// Most streams one search can name.
const MAX_STREAMS: usize = 100;

/// Reads a search's request.
pub fn request(mut params: Params) -> Result<SearchRequest, ApiError> {
    let q = params.take("q")?.unwrap_or_default();
    if q.trim().is_empty() {
        return Err(refuse(ErrorCode::InvalidRequest, "q", "say what to look for, as q"));
    }
    let request = SearchRequest {
        q,
        streams: streams(&mut params)?,
        connection_id: value::connection_id(&mut params)?,
        limit: limit(&mut params)?,
        cursor: params.take("cursor")?,
        filter: filters(&mut params)?,
    };
    params.finish()?;
    Ok(request)
}

/// `streams` and `streams[]`, repeated, each stream once.
fn streams(params: &mut Params) -> Result<Vec<StreamName>, ApiError> {
    let mut streams: Vec<StreamName> = Vec::new();
    for name in params.take_all("streams").into_iter().chain(params.take_all("streams[]")) {
        let name = StreamName::new(name).map_err(|fault| named(&fault, "streams"))?;
        if !streams.contains(&name) {
            streams.push(name);
        }
        if streams.len() > MAX_STREAMS {
            let message = format!("at most {MAX_STREAMS} streams can be named");
            return Err(refuse(ErrorCode::InvalidArgument, "streams", message));
        }
    }
    Ok(streams)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<SearchRequest, ApiError> {
        request(Params::parse(Some(query)).unwrap())
    }

    #[test]
    fn words_streams_and_filters_arrive() {
        let request = read(
            "q=new+boiler&streams=mail&streams[]=notes&limit=5&filter[a]=1&connection_id=cin_1",
        )
        .unwrap();
        assert_eq!(request.q, "new boiler");
        assert_eq!(request.streams.len(), 2);
        assert_eq!(request.limit, Some(5));
        assert_eq!(request.filter.len(), 1);
    }

    #[test]
    fn a_search_without_words_or_with_unknown_parameters_is_refused() {
        for (query, param) in [
            ("", "q"),
            ("q=", "q"),
            ("q=+", "q"),
            ("q=a&mode=semantic", "mode"),
            ("q=a&fields=id", "fields"),
            ("q=a&q=b", "q"),
            ("q=a&streams=..", "streams"),
        ] {
            assert_eq!(read(query).unwrap_err().param.as_deref(), Some(param), "{query}");
        }
    }
}
