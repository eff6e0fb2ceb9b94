//! Other programs, run to their end within a time.

use std::io::{Read as _, Seek as _};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often we look whether it has ended.
const LOOK: Duration = Duration::from_millis(40);
/// What a health check prints is short; the rest is not read.
const MAX_BYTES: u64 = 256 * 1024;

/// What a program said and whether it was content.
pub struct ProgramOutput {
    pub succeeded: bool,
    /// Both of its outputs, without colours.
    pub text: String,
}

/// Runs a program; `None` when it cannot be started or does not end in time.
pub async fn run(mut command: Command, limit: Duration) -> Option<ProgramOutput> {
    let mut said = tempfile::tempfile().ok()?;
    let (out, err) = (said.try_clone().ok()?, said.try_clone().ok()?);
    command.stdin(Stdio::null()).stdout(out).stderr(err);
    let mut child = command.spawn().ok()?;
    let waiting = async {
        loop {
            match child.try_wait() {
                Ok(None) => tokio::time::sleep(LOOK).await,
                ended => return ended.ok().flatten(),
            }
        }
    };
    let ended = tokio::time::timeout(limit, waiting).await.ok().flatten();
    let Some(status) = ended else {
        // It may have ended just now; then there is nothing to end.
        let _ = child.kill();
        let _ = child.wait();
        return None;
    };
    let mut bytes = Vec::new();
    said.rewind().ok()?;
    said.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(ProgramOutput {
        succeeded: status.success(),
        text: uncoloured(&String::from_utf8_lossy(&bytes)),
    })
}

/// The text without the sequences that colour terminals or move their cursors.
fn uncoloured(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        if char != '\u{1b}' {
            plain.push(char);
            continue;
        }
        if rest.next() == Some('[') {
            // Parameters end with a letter, which belongs to the sequence.
            rest.find(|char| ('@'..='~').contains(char));
        }
    }
    plain
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[tokio::test]
    async fn both_outputs_are_heard_and_colours_are_not() {
        let script = "printf '\\033[32mfine\\033[0m\\n'; echo aside >&2; exit 3";
        let said = run(shell(script), Duration::from_secs(20)).await.unwrap();
        assert_eq!((said.succeeded, said.text.as_str()), (false, "fine\naside\n"));
    }

    #[tokio::test]
    async fn whoever_does_not_end_is_ended() {
        assert!(
            run(shell("exec cat /dev/zero >/dev/null"), Duration::from_millis(80)).await.is_none()
        );
        assert!(run(Command::new("/no/such/program"), Duration::from_secs(1)).await.is_none());
    }
}
