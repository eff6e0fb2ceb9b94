//! `pdpp read-text`: takes one file apart, on behalf of an import and within limits.

use std::io::{Read, Write};

use clap::Args;
use pdpp_import::texts::extract;
use pdpp_import::texts::kind::FileTextKind;
use pdpp_import::texts::limits::{MAX_FILE_BYTES, MAX_TEXT_BYTES};

use crate::failure::{Exit, Failure};

/// Read the text of a file from standard input
#[derive(Debug, Args)]
pub struct ReadTextArgs {
    /// What the file is
    #[arg(value_parser = kind)]
    kind: FileTextKind,
}

fn kind(name: &str) -> Result<FileTextKind, String> {
    FileTextKind::find(name).ok_or_else(|| "not a kind of file with text".to_owned())
}

/// Takes standard input apart. A file that is refused is bad data; whoever started this knows more.
pub fn run(args: &ReadTextArgs) -> Result<Exit, Failure> {
    let failed = |error: std::io::Error| Failure::new(Exit::Other, "file", error.to_string());
    confine().map_err(failed)?;
    let mut file = Vec::new();
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX);
    std::io::stdin().lock().take(limit + 1).read_to_end(&mut file).map_err(failed)?;
    if file.len() > MAX_FILE_BYTES {
        return Ok(Exit::Data);
    }
    let Ok(text) = extract(args.kind, &file) else { return Ok(Exit::Data) };
    // One byte more than what is kept tells that there was more.
    let kept = text.as_bytes().get(..text.len().min(MAX_TEXT_BYTES + 1)).unwrap_or_default();
    std::io::stdout().lock().write_all(kept).map_err(failed)?;
    Ok(Exit::Done)
}

/// From here on: no more memory and processor time than one file may cost, and no file opened, read
/// or written but the ones that are open.
#[cfg(unix)]
fn confine() -> std::io::Result<()> {
    use pdpp_import::texts::limits::{MAX_CPU_SECONDS, MAX_MEMORY_BYTES};
    use rustix::process::{Resource, Rlimit, setrlimit};

    for (resource, most) in [
        (Resource::Cpu, MAX_CPU_SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
    ] {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    // macOS knows this limit and does not keep it; time and length of the text hold there.
    let most = Some(MAX_MEMORY_BYTES);
    let _ = setrlimit(Resource::As, Rlimit { current: most, maximum: most });
    Ok(())
}

/// Elsewhere the one who started this process measures its time and its text.
#[cfg(not(unix))]
fn confine() -> std::io::Result<()> {
    Ok(())
}
