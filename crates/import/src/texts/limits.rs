//! What taking one file apart may cost. The process that does it is stopped beyond these.

use std::time::Duration;

/// Largest file that is looked into.
pub const MAX_FILE_BYTES: usize = 32 << 20;
/// Longest text that is kept of one file; what follows is cut.
pub const MAX_TEXT_BYTES: usize = 4 << 20;
/// Largest part that a packed file may unpack to.
pub const MAX_PART_BYTES: u64 = 64 << 20;
/// Most parts of a packed file that are looked into.
pub const MAX_PARTS: usize = 2_000;
/// Most cells of a table that are looked at.
pub const MAX_CELLS: usize = 2_000_000;
/// Memory of the process.
pub const MAX_MEMORY_BYTES: u64 = 512 << 20;
/// Processor time of the process, in seconds. It does not depend on what else the machine does.
pub const MAX_CPU_SECONDS: u64 = 20;
/// After this the process is ended in any case.
pub const MAX_WAIT: Duration = Duration::from_mins(2);
