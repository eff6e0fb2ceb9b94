//! The parameters of `GET /v1/streams/{stream}/records/{id}/field-window`.

use pdpp_contract::limits::{MAX_CONTEXT_CHARS, MAX_FIELD_PATH_BYTES};
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_contract::{ApiError, ErrorCode};

use super::Params;
use super::path::RecordPath;
use super::value::{self, refuse, whole_number};

/// Reads a window's request.
pub fn request(path: RecordPath, mut params: Params) -> Result<FieldWindowRequest, ApiError> {
    let request = FieldWindowRequest {
        stream: path.stream,
        record_id: path.record_id,
        connection_id: value::connection_id(&mut params)?,
        field_path: field_path(&mut params)?,
        selector: selector(&mut params)?,
        limit_chars: limit_chars(&mut params)?,
    };
    params.finish()?;
    Ok(request)
}

/// `field` is the protocol's name and `field_path` the tool's; either will do, not both.
fn field_path(params: &mut Params) -> Result<String, ApiError> {
    let refused = |message: &str| refuse(ErrorCode::InvalidFieldPath, "field", message);
    let path = match (params.take("field")?, params.take("field_path")?) {
        (Some(path), None) | (None, Some(path)) => path,
        (Some(_), Some(_)) => {
            let message = "field and field_path are the same parameter; give one of them";
            return Err(refuse(ErrorCode::InvalidRequest, "field_path", message));
        }
        (None, None) => return Err(refused("name the field to read, as field")),
    };
    if path.is_empty() || path.contains('\0') {
        return Err(refused("must name a field"));
    }
    if path.len() > MAX_FIELD_PATH_BYTES {
        return Err(refused(&format!("is longer than {MAX_FIELD_PATH_BYTES} bytes")));
    }
    Ok(path)
}

/// Cursor, match or offset: whatever is given beside the one that decides is refused.
fn selector(params: &mut Params) -> Result<WindowSelector, ApiError> {
    let cursor = params.take("cursor")?;
    let offset = number(params, "offset_chars")?;
    let q = params.take("q")?;
    let before = context(params, "before_chars")?;
    let after = context(params, "after_chars")?;
    let around = before.map(|_| "before_chars").or(after.map(|_| "after_chars"));
    if let Some(cursor) = cursor {
        let beside = offset.map(|_| "offset_chars").or(q.map(|_| "q")).or(around);
        return match beside {
            Some(param) => Err(window(param, "a cursor already says where the window lies")),
            None => Ok(WindowSelector::Cursor(cursor)),
        };
    }
    let Some(q) = q else {
        return match around {
            Some(param) => Err(window(param, "needs q, the text to look for")),
            None => Ok(WindowSelector::Offset(offset.unwrap_or(0))),
        };
    };
    if offset.is_some() {
        return Err(window("offset_chars", "q already says where the window lies"));
    }
    Ok(WindowSelector::Match { q, before_chars: before, after_chars: after })
}

/// A length over the maximum passes: the reader is told by a warning, not by a refusal.
fn limit_chars(params: &mut Params) -> Result<Option<u32>, ApiError> {
    match number(params, "limit_chars")? {
        Some(0) => Err(window("limit_chars", "must be 1 or more")),
        limit => Ok(limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX))),
    }
}

fn context(params: &mut Params, name: &str) -> Result<Option<u32>, ApiError> {
    let Some(chars) = number(params, name)? else {
        return Ok(None);
    };
    let chars = u32::try_from(chars).ok().filter(|chars| *chars <= MAX_CONTEXT_CHARS);
    chars.map(Some).ok_or_else(|| window(name, format!("must be at most {MAX_CONTEXT_CHARS}")))
}

fn number(params: &mut Params, name: &str) -> Result<Option<u64>, ApiError> {
    let Some(text) = params.take(name)? else {
        return Ok(None);
    };
    let number = whole_number(&text);
    number.map(Some).ok_or_else(|| window(name, "must be a whole number, 0 or more"))
}

fn window(param: &str, message: impl Into<String>) -> ApiError {
    refuse(ErrorCode::InvalidWindow, param, message)
}

#[cfg(test)]
mod tests {
    use pdpp_contract::{RecordId, StreamName};

    use super::*;

    fn read(query: &str) -> Result<FieldWindowRequest, ApiError> {
        let path = RecordPath {
            stream: StreamName::new("notes").unwrap(),
            record_id: RecordId::new("n1").unwrap(),
        };
        request(path, Params::parse(Some(query)).unwrap())
    }

    #[test]
    fn a_missing_selector_is_the_beginning() {
        let request = read("field=text").unwrap();
        assert_eq!(request.selector, WindowSelector::Offset(0));
        assert_eq!(request.limit_chars, None);
        assert_eq!(read("field_path=%2Fbody%2F0").unwrap().field_path, "/body/0");
    }

    #[test]
    fn each_selector_arrives() {
        let selector = |query: &str| read(&format!("field=text&{query}")).unwrap().selector;
        assert_eq!(selector("offset_chars=7"), WindowSelector::Offset(7));
        assert_eq!(selector("cursor=abc"), WindowSelector::Cursor("abc".to_owned()));
        let found = WindowSelector::Match {
            q: "lease".to_owned(),
            before_chars: Some(8_192),
            after_chars: None,
        };
        assert_eq!(selector("q=lease&before_chars=8192"), found);
        assert_eq!(read("field=text&limit_chars=99999").unwrap().limit_chars, Some(99_999));
    }

    #[test]
    fn every_pair_of_selectors_that_exclude_each_other_is_refused() {
        for (query, param) in [
            ("cursor=a&offset_chars=0", "offset_chars"),
            ("cursor=a&q=b", "q"),
            ("cursor=a&before_chars=1", "before_chars"),
            ("cursor=a&after_chars=1", "after_chars"),
            ("q=b&offset_chars=0", "offset_chars"),
            ("before_chars=1", "before_chars"),
            ("offset_chars=1&after_chars=1", "after_chars"),
            ("q=b&before_chars=8193", "before_chars"),
            ("q=b&after_chars=99999999999", "after_chars"),
            ("offset_chars=-1", "offset_chars"),
            ("offset_chars=1.5", "offset_chars"),
            ("offset_chars=", "offset_chars"),
            ("limit_chars=0", "limit_chars"),
            ("limit_chars=x", "limit_chars"),
        ] {
            let fault = read(&format!("field=text&{query}")).unwrap_err();
            assert_eq!(fault.code, ErrorCode::InvalidWindow, "{query}");
            assert_eq!(fault.param.as_deref(), Some(param), "{query}");
        }
    }

    #[test]
    fn a_field_must_be_named_once() {
        for bad in ["", "field=", "field=a%00b", &format!("field={}", "x".repeat(257))] {
            assert_eq!(read(bad).unwrap_err().code, ErrorCode::InvalidFieldPath, "{bad}");
        }
        let both = read("field=a&field_path=a").unwrap_err();
        assert_eq!(both.code, ErrorCode::InvalidRequest);
        assert_eq!(both.param.as_deref(), Some("field_path"));
        assert_eq!(read("field=a&fields=a").unwrap_err().param.as_deref(), Some("fields"));
    }
}
