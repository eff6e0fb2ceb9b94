//! Keys of records and of time fields, looked up many at once where that pays.

pub(crate) mod packed;
pub(crate) mod parallel;
pub(crate) mod prefetch;
mod spans;
