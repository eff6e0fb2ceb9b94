//! Runs another program, shows the line first and turns a failure into words.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub fn root() -> Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_path_buf)
        .context("xtask must lie inside the workspace")
}

/// The same cargo that runs us, so that one toolchain does everything.
#[expect(clippy::disallowed_methods, reason = "cargo names itself in the environment")]
pub fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Runs a command to its end; its output goes straight to the terminal.
pub fn step(command: &mut Command) -> Result<()> {
    let line = shown(command);
    eprintln!("\n=== {line}");
    let status = command.status().with_context(|| format!("`{line}` could not be started"))?;
    if !status.success() {
        bail!("`{line}` failed: {status}");
    }
    Ok(())
}

/// What a command that ran beside others said, and how it ended.
pub struct Said {
    text: Vec<u8>,
    outcome: Result<()>,
}

/// Runs a command to its end and keeps what it says, so that it can be shown in one piece.
pub fn aside(command: &mut Command) -> Said {
    let line = shown(command);
    let mut text = format!("\n=== {line}\n").into_bytes();
    let outcome = listen(command, &mut text)
        .with_context(|| format!("`{line}` could not be started"))
        .and_then(
            |status| if status.success() { Ok(()) } else { bail!("`{line}` failed: {status}") },
        );
    Said { text, outcome }
}

/// Both outputs go through one pipe and stay in the order in which they were written.
fn listen(command: &mut Command, text: &mut Vec<u8>) -> std::io::Result<ExitStatus> {
    let (mut reader, writer) = std::io::pipe()?;
    let mut child = {
        // The command holds ends of the pipe too, until others take their place.
        let spawned = command.stdout(writer.try_clone()?).stderr(writer).spawn();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        spawned?
    };
    reader.read_to_end(text)?;
    child.wait()
}

impl Said {
    /// Shows what was said and returns how it ended.
    pub fn show(self) -> Result<()> {
        std::io::stderr().write_all(&self.text)?;
        self.outcome
    }
}

/// All failures in one, so that none hides another.
pub fn together(outcomes: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let failures: Vec<String> = outcomes
        .into_iter()
        .filter_map(Result::err)
        .map(|failure| format!("{failure:#}"))
        .collect();
    if failures.is_empty() {
        return Ok(());
    }
    bail!("{}", failures.join("\nxtask: "))
}

/// Runs a command to its end and returns what it wrote to standard output.
pub fn output_of(command: &mut Command) -> Result<String> {
    let line = shown(command);
    let output = command.output().with_context(|| format!("`{line}` could not be started"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed: {}\n{complaint}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote no UTF-8"))
}

/// The command as a person would type it, with the variables it was given.
fn shown(command: &Command) -> String {
    let variables = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.display(), value?.display())));
    let program = Path::new(command.get_program()).file_name();
    let program = program.unwrap_or(command.get_program());
    let arguments = command.get_args().map(|part| part.display().to_string());
    variables.chain([program.display().to_string()]).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_shown_as_it_would_be_typed() {
        let mut command = cargo(&["test", "--workspace"]);
        command.env("PDPP_HEAVY", "1");
        assert_eq!(shown(&command), "PDPP_HEAVY=1 cargo test --workspace");
    }

    #[test]
    fn a_failing_program_is_an_error() {
        assert!(step(&mut Command::new("false")).is_err());
        assert!(output_of(&mut Command::new("false")).is_err());
    }

    #[test]
    fn what_is_said_aside_is_kept_in_order() {
        let mut command = Command::new("sh");
        let said = aside(command.args(["-c", "echo one; echo two >&2; echo three; exit 3"]));
        assert!(said.text.ends_with(b"one\ntwo\nthree\n"));
        assert!(said.outcome.unwrap_err().to_string().contains("exit status: 3"));
        assert!(aside(&mut Command::new("true")).outcome.is_ok());
        assert!(aside(&mut Command::new("no-such-program-here")).outcome.is_err());
    }

    #[test]
    fn no_failure_hides_another() {
        let outcomes = [Ok(()), Err(anyhow::anyhow!("one")), Err(anyhow::anyhow!("two"))];
        let error = together(outcomes).unwrap_err().to_string();
        assert!(error.contains("one") && error.contains("two"), "{error}");
        assert!(together([Ok(())]).is_ok());
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = step(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"));
    }
}
