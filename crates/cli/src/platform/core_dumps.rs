//! Core dumps, which would hold whatever a process held in memory: passwords and records.

/// Lets this process and its children leave none.
#[cfg(unix)]
pub fn forbid_core_dumps() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let none = Rlimit { current: Some(0), maximum: getrlimit(Resource::Core).maximum };
    if let Err(error) = setrlimit(Resource::Core, none) {
        tracing::debug!(%error, "cannot forbid core dumps");
    }
}

/// Nothing to forbid: the system's own reports are its owner's business.
#[cfg(not(unix))]
pub fn forbid_core_dumps() {}
