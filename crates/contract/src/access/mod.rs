//! Who may and who did: tokens by their public names, grants by their selectors, sessions, audit events.

mod audit;
mod rate_limit;
mod selector;
mod session;
mod tokens;

pub use audit::{
    ActiveHour, AuditActor, AuditChain, AuditCheckpoint, AuditEvent, AuditQuery, AuditWord,
    StoredEvent,
};
pub use rate_limit::Taken;
pub use selector::{GRANT_PREFIX, GrantSelector, PACKAGE_PREFIX, Revocation};
pub use session::StoredSession;
pub use tokens::{OwnerTokenKind, Resource, TokenFingerprint, TokenKind};
