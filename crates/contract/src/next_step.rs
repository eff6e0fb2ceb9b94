//! What to do about a refusal, kept apart from its message: each door puts it into its own words.

use std::borrow::Cow;

/// What the reader of a refusal can do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Advice that reads the same at every door.
    Advice(Cow<'static, str>),
    /// A command of the program lists what there is.
    See(CommandLine),
    /// A command of the program helps.
    Run {
        /// The command.
        command: CommandLine,
        /// What to do after it.
        then: Option<&'static str>,
    },
}

impl NextStep {
    /// Advice in words.
    pub fn advice(words: impl Into<Cow<'static, str>>) -> Self {
        Self::Advice(words.into())
    }

    /// Points to the command that lists what there is.
    pub fn see<const N: usize>(words: [&str; N]) -> Self {
        Self::See(CommandLine::new(words))
    }

    /// Runs a command.
    pub fn run<const N: usize>(words: [&str; N]) -> Self {
        Self::Run { command: CommandLine::new(words), then: None }
    }

    /// Runs a command, then does something else.
    pub fn run_then<const N: usize>(words: [&str; N], then: &'static str) -> Self {
        Self::Run { command: CommandLine::new(words), then: Some(then) }
    }
}

/// A command of the program: the words after its name, each as it was given. Which store it works on
/// is added by whoever knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine(Vec<String>);

impl CommandLine {
    /// The command of these words.
    pub fn new<const N: usize>(words: [&str; N]) -> Self {
        Self(words.map(str::to_owned).to_vec())
    }

    /// Its words, not quoted for any shell.
    pub fn words(&self) -> &[String] {
        &self.0
    }
}
