//! What the operating system says about a process: its memory, its reads, its time on a core.

use std::path::Path;

use crate::error::BenchError;

/// Nanoseconds that this process has spent on a core, its ended threads included.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere the system may not say")]
pub fn cpu_nanos() -> Result<u64, BenchError> {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let [seconds, nanos] = [spent.tv_sec, spent.tv_nsec].map(|n| u64::try_from(n).unwrap_or(0));
    Ok(seconds * 1_000_000_000 + nanos)
}

/// Nanoseconds that this process has spent on a core.
#[cfg(not(unix))]
pub fn cpu_nanos() -> Result<u64, BenchError> {
    cpu_nanos_of(std::process::id())
}

/// The same for another process. Threads that have ended are forgotten, so this is for periods in which
/// none does.
pub fn cpu_nanos_of(pid: u32) -> Result<u64, BenchError> {
    let mut total = 0;
    let tasks = format!("/proc/{pid}/task");
    let threads = std::fs::read_dir(tasks).map_err(|error| unknown(&error))?;
    for thread in threads.flatten() {
        // A thread may end between the listing and the reading.
        let Ok(text) = std::fs::read_to_string(thread.path().join("schedstat")) else {
            continue;
        };
        total += text.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    }
    Ok(total)
}

/// Bytes that this process has asked the system to read so far.
pub fn bytes_read() -> Result<u64, BenchError> {
    number_after(Path::new("/proc/self/io"), "rchar:")
}

/// Bytes of memory a process has had at most so far.
pub fn peak_bytes(pid: u32) -> Result<u64, BenchError> {
    status(pid, "VmHWM:")
}

/// Bytes of memory a process has now.
pub fn resident_bytes(pid: u32) -> Result<u64, BenchError> {
    status(pid, "VmRSS:")
}

/// Bytes of memory this process has had at most so far.
pub fn own_peak_bytes() -> Result<u64, BenchError> {
    peak_bytes(std::process::id())
}

fn status(pid: u32, name: &str) -> Result<u64, BenchError> {
    let path = format!("/proc/{pid}/status");
    number_after(Path::new(&path), name).map(|kilobytes| kilobytes * 1024)
}

fn number_after(path: &Path, name: &str) -> Result<u64, BenchError> {
    let text = std::fs::read_to_string(path).map_err(|error| unknown(&error))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| unknown(&std::io::Error::from(std::io::ErrorKind::InvalidData)))
}

fn unknown(error: &std::io::Error) -> BenchError {
    let message = format!(
        "cannot read what the system says of a process: {error}; the benchmark needs Linux and its /proc"
    );
    BenchError::Unsupported(message)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_about_this_process() {
        assert!(own_peak_bytes().unwrap() > 1024 * 1024);
        assert!(resident_bytes(std::process::id()).unwrap() > 1024 * 1024);
        let before = bytes_read().unwrap();
        assert!(bytes_read().unwrap() > before, "reading the number is a read itself");
    }

    #[test]
    fn the_time_of_a_thread_that_has_ended_counts() {
        let before = cpu_nanos().unwrap();
        let worked = std::thread::spawn(|| {
            let sum = (0..1_000_000_u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
            let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            (sum, u64::try_from(spent.tv_nsec).unwrap())
        });
        let (_, spent) = worked.join().unwrap();
        assert!(cpu_nanos().unwrap() >= before + spent);
    }
}
