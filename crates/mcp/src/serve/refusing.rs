//! What is refused before an adapter is asked, and refusals as protocol errors.

use pdpp_contract::credentials::holds_owner_credential;
use rmcp::model::{CustomRequest, ErrorCode, ErrorData};
use serde_json::Value;

use crate::Refusal;

/// Whether a credential stands anywhere in a value.
pub(super) fn hides(value: &Value) -> bool {
    match value {
        Value::String(text) => holds_owner_credential(text),
        Value::Array(items) => items.iter().any(hides),
        Value::Object(members) => {
            members.iter().any(|(name, value)| holds_owner_credential(name) || hides(value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

pub(super) fn owner_credential() -> Refusal {
    let message = "the arguments hold an owner's credential, which agents must never carry; \
                   nothing was read, and the owner should replace that credential";
    Refusal::new("owner_credential_refused", 403, message)
}

/// The name is not repeated: it comes from outside and ends up in logs.
pub(super) fn unknown_tool() -> ErrorData {
    ErrorData::invalid_params("unknown tool; tools/list names them all", None)
}

/// Methods that this server answers, and what their parameters look like.
const METHODS: [(&str, &str); 9] = [
    ("tools/call", "{name, arguments}, and arguments is an object"),
    ("tools/list", "{cursor?}"),
    ("resources/read", "{uri}, and uri is a text"),
    ("resources/list", "{cursor?}"),
    ("resources/templates/list", "{cursor?}"),
    ("prompts/list", "{cursor?}"),
    ("completion/complete", "{ref, argument: {name, value}}"),
    ("initialize", "{protocolVersion, capabilities, clientInfo}"),
    ("server/discover", "{}"),
];

/// The name is not repeated, as with tools: it can be as long as a body.
const UNKNOWN_METHOD: &str = "unknown method; this server answers tools/list, tools/call and \
                              resources/read, among others";

/// A method that is known has parameters at fault; any other is unknown.
pub(super) fn not_understood(request: &CustomRequest) -> ErrorData {
    match METHODS.iter().find(|(method, _)| *method == request.method) {
        Some((method, form)) => {
            ErrorData::invalid_params(format!("the parameters of {method} are {form}"), None)
        }
        None => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, UNKNOWN_METHOD, None),
    }
}

pub(super) fn cancelled() -> ErrorData {
    ErrorData::internal_error("the request was cancelled", None)
}

/// A refused resource is a protocol error: there is no result that could say so.
pub(super) fn refused(refusal: &Refusal) -> ErrorData {
    let data = Some(refusal.to_json());
    match refusal.status {
        404 => ErrorData::resource_not_found(refusal.message.clone(), data),
        400 => ErrorData::invalid_params(refusal.message.clone(), data),
        status => ErrorData::new(ErrorCode(i32::from(status)), refusal.message.clone(), data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_method_has_its_parameters_at_fault() {
        let said = |method: &str| not_understood(&CustomRequest::new(method, None));
        assert_eq!(said("tools/call").code, ErrorCode::INVALID_PARAMS);
        assert!(said("tools/call").message.contains("arguments is an object"));
        assert_eq!(said("tools/run").code, ErrorCode::METHOD_NOT_FOUND);
    }

    #[test]
    fn a_method_that_is_not_known_is_not_repeated_to_its_caller() {
        let refused = not_understood(&CustomRequest::new("x".repeat(200_000), None));
        assert_eq!(refused.code, ErrorCode::METHOD_NOT_FOUND);
        assert!(refused.message.len() < 200, "{} bytes", refused.message.len());
    }
}
