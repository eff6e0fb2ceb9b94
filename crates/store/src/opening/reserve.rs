//! How much of the reserved disk space a write may use when the disk is full.

/// What a write is for. Ordinary writes use none of the reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reserve {
    /// The audit log: half of it, so that there is always something left for the owner.
    Audit,
    /// Ending access and erasing data: all of it.
    Ending,
}
