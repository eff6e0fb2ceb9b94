//! The parameters of the blob routes.

use pdpp_contract::blob::BlobId;
use pdpp_contract::{ApiError, ConnectionId, ErrorCode};

use super::Params;
use super::value::{self, refuse};

/// The connection through whose records a blob is read.
pub fn connection(mut params: Params) -> Result<Option<ConnectionId>, ApiError> {
    let connection = value::connection_id(&mut params)?;
    params.finish()?;
    Ok(connection)
}

/// The digest that an upload announces.
pub fn digest(mut params: Params) -> Result<Option<BlobId>, ApiError> {
    let digest = match params.take("sha256")? {
        None => None,
        Some(text) => Some(BlobId::from_hex(&text).ok_or_else(|| {
            let message = "must be 64 hexadecimal digits, in small letters";
            refuse(ErrorCode::InvalidArgument, "sha256", message)
        })?),
    };
    params.finish()?;
    Ok(digest)
}
