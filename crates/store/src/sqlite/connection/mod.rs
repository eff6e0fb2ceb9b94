//! The file and its connections: who writes, who reads, who else is there, and disk space kept free.

pub(crate) mod halt;
pub(crate) mod pool;
pub(crate) mod presence;
pub(crate) mod read_only;
pub(crate) mod reserve_file;
mod store_file;
pub(crate) mod writer;
