//! The `PDPP-Version` header: absent, or the one version this server speaks.

use axum::http::HeaderMap;
use pdpp_contract::limits::PDPP_VERSION;
use pdpp_contract::{ApiError, ErrorCode};

/// The header that carries it, both ways.
pub const HEADER: &str = "pdpp-version";

pub fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    if headers.get_all(HEADER).iter().all(|value| value == PDPP_VERSION) {
        return Ok(());
    }
    let message = format!("this server speaks version {PDPP_VERSION}; ask for it or for none");
    Err(ApiError::new(ErrorCode::UnsupportedVersion, message).param("PDPP-Version"))
}
