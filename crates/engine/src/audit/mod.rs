//! The audit of one call: a reader that wraps a reader, and the event that says what it read.

mod audited_reader;
mod call_audit;

pub use audited_reader::AuditedReader;
pub use call_audit::CallAudit;
