//! What is refused before an adapter is asked, and refusals as protocol errors.

use pdpp_contract::credentials::holds_owner_credential;
use rmcp::model::{ErrorCode, ErrorData};
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
