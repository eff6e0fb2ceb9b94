//! The words of the product: ids, records, declarations, grants, requests, answers and errors.
//!
//! Every type here is part of a wire shape or a rule about one. Nothing here does I/O, knows a
//! database, or reads a clock. Start at [`read_api`]: it lists every operation an agent can ask for.

pub mod access;
pub mod aggregate;
pub mod audit;
pub mod blob;
pub mod credentials;
pub mod declaration;
pub mod envelope;
pub mod error;
pub mod expand;
pub mod grant;
pub mod grouped;
pub mod handles;
pub mod hex;
pub mod ids;
pub mod import;
pub mod instant;
pub mod json;
pub mod json_pointer;
pub mod key;
pub mod limits;
pub mod links;
pub mod next_step;
pub mod one_line;
pub mod ports;
pub mod query;
pub mod read_api;
pub mod record;
pub mod roles;
pub mod rolling;
pub mod schema;
pub mod search;
pub mod window;

pub use declaration::{DeclarationFault, SourceDeclaration, StreamDeclaration};
pub use error::{ApiError, ErrorCode};
pub use grant::{AccessMode, Grant, StreamGrant, TimeConstraint};
pub use handles::Handles;
pub use hex::hex;
pub use ids::{
    ClientName, ConnectionId, ConnectionName, ConnectorKey, FieldName, GrantId, InvalidName,
    PackageId, StreamName,
};
pub use instant::Instant;
pub use json::{Json, JsonObject};
pub use key::{RecordId, RecordKey};
pub use next_step::NextStep;
pub use read_api::ReadApi;
