//! What to do about a failure, in the words of the command line.

use pdpp_contract::NextStep;
use pdpp_contract::next_step::CommandLine;

use crate::output::quoted;

/// A step in words. `typed` writes a command as a person types it.
pub fn words(step: &NextStep, typed: impl Fn(&str) -> String) -> String {
    match step {
        NextStep::Advice(words) => words.to_string(),
        NextStep::See(command) => format!("see: {}", typed(&line(command))),
        NextStep::Run { command, then } => {
            let then = then.map(|then| format!(", then {then}")).unwrap_or_default();
            format!("run: {}{then}", typed(&line(command)))
        }
    }
}

fn line(command: &CommandLine) -> String {
    command.words().iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
