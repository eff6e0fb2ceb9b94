//! Values that several routes read the same way.

use pdpp_contract::limits::MAX_FIELDS;
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, FieldName, InvalidName};

use super::Params;

/// Takes `connection_id`, when it stands there.
pub fn connection_id(params: &mut Params) -> Result<Option<ConnectionId>, ApiError> {
    let value = params.take("connection_id")?;
    value.map(ConnectionId::new).transpose().map_err(|fault| named(&fault, "connection_id"))
}

/// Takes a `connection_id` that must stand there.
pub fn required_connection_id(params: &mut Params) -> Result<ConnectionId, ApiError> {
    connection_id(params)?.ok_or_else(|| {
        let message = "name the connection that is to change, as connection_id";
        refuse(ErrorCode::InvalidRequest, "connection_id", message).retry_with("connection_id")
    })
}

/// Takes `fields`: separated by commas, repeated, or both.
pub fn fields(params: &mut Params) -> Result<Option<Vec<FieldName>>, ApiError> {
    let values = params.take_all("fields");
    if values.is_empty() {
        return Ok(None);
    }
    let mut fields: Vec<FieldName> = Vec::new();
    for name in values.iter().flat_map(|value| value.split(',')) {
        let name = FieldName::new(name).map_err(|fault| named(&fault, "fields"))?;
        if !fields.contains(&name) {
            fields.push(name);
        }
        if fields.len() > MAX_FIELDS {
            let message = format!("at most {MAX_FIELDS} fields can be named");
            return Err(refuse(ErrorCode::InvalidArgument, "fields", message));
        }
    }
    Ok(Some(fields))
}

/// Takes `preview_chars`: how much of a long field to show; 0 shows none of it.
pub fn preview_chars(params: &mut Params) -> Result<Option<u32>, ApiError> {
    let Some(text) = params.take("preview_chars")? else {
        return Ok(None);
    };
    let chars = whole_number(&text).ok_or_else(|| {
        refuse(ErrorCode::InvalidRequest, "preview_chars", "must be a whole number, 0 or more")
    })?;
    Ok(Some(u32::try_from(chars).unwrap_or(u32::MAX)))
}

/// A number written in digits alone; one too large for us is the largest we have.
pub fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// A refusal about one parameter.
pub fn refuse(code: ErrorCode, param: &str, message: impl Into<String>) -> ApiError {
    ApiError::new(code, message).param(param)
}

/// A name that broke its rule, in the parameter that carried it.
pub fn named(fault: &InvalidName, param: &str) -> ApiError {
    refuse(ErrorCode::InvalidArgument, param, fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Params {
        Params::parse(Some(query)).unwrap()
    }

    #[test]
    fn fields_may_be_separated_or_repeated() {
        let names = |query| fields(&mut parse(query)).unwrap().unwrap();
        let expected: Vec<_> = ["id", "text"].map(|name| FieldName::new(name).unwrap()).into();
        assert_eq!(names("fields=id,text"), expected);
        assert_eq!(names("fields=id&fields=text"), expected);
        assert_eq!(names("fields=id%2Ctext,id"), expected);
        assert_eq!(fields(&mut parse("")).unwrap(), None);
    }

    #[test]
    fn an_empty_or_endless_field_list_is_refused() {
        let many = (0..=MAX_FIELDS).map(|n| format!("f{n}")).collect::<Vec<_>>().join(",");
        for bad in ["fields=", "fields=a,,b", &format!("fields={many}")] {
            let fault = fields(&mut parse(bad)).unwrap_err();
            assert_eq!(fault.code, ErrorCode::InvalidArgument);
            assert_eq!(fault.param.as_deref(), Some("fields"));
        }
    }

    #[test]
    fn whole_numbers_have_digits_only() {
        assert_eq!(whole_number("0"), Some(0));
        assert_eq!(whole_number("99999999999999999999999"), Some(u64::MAX));
        for bad in ["", "-1", "+1", "1.0", "1e3", " 1", "0x10", "٣"] {
            assert_eq!(whole_number(bad), None, "{bad}");
        }
    }
}
