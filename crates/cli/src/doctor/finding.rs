//! What a check found, and how to mend it.

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::without_nulls;

/// How good or bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Good,
    /// Worth knowing; nothing is broken.
    Note,
    /// Something does not work, or is not safe.
    Fault,
}

impl State {
    /// The word for scripts and people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Fault => "fault",
        }
    }
}

/// One result of one check.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Which check; a word that scripts can rely on.
    pub check: &'static str,
    pub state: State,
    pub what: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Finding {
    /// As a script reads it.
    pub fn document(&self) -> Value {
        without_nulls(json!({
            "check": self.check,
            "state": self.state.name(),
            "what": self.what,
            "remedy": self.remedy,
        }))
    }
}

/// Everything that was found, in the order in which it was looked for.
#[derive(Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.0.iter()
    }

    /// How many things do not work.
    pub fn faults(&self) -> usize {
        self.0.iter().filter(|finding| finding.state == State::Fault).count()
    }

    /// Something is as it should be.
    pub fn good(&mut self, check: &'static str, what: impl Into<String>) {
        self.0.push(Finding { check, state: State::Good, what: what.into(), remedy: None });
    }

    /// Something is worth knowing.
    pub fn note(
        &mut self,
        check: &'static str,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let remedy = Some(remedy.into()).filter(|remedy| !remedy.is_empty());
        self.0.push(Finding { check, state: State::Note, what: what.into(), remedy });
    }

    /// Something does not work.
    pub fn fault(
        &mut self,
        check: &'static str,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let remedy = Some(remedy.into());
        self.0.push(Finding { check, state: State::Fault, what: what.into(), remedy });
    }

    /// A failure of another command: its message ends with what to do.
    pub fn failed(&mut self, check: &'static str, failure: &Failure) {
        let (what, remedy) = parted(&failure.message);
        self.fault(check, what, remedy.unwrap_or("see pdpp --help"));
    }

    /// Something is worth knowing, in a sentence that ends with what to do.
    pub fn noted(&mut self, check: &'static str, message: &str) {
        let (what, remedy) = parted(message);
        self.note(check, what, remedy.unwrap_or_default());
    }
}

/// What a message says, and what it advises at its end.
pub fn parted(message: &str) -> (&str, Option<&str>) {
    match message.split_once("; ") {
        Some((what, remedy)) => (what, Some(remedy)),
        None => (message, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;

    #[test]
    fn a_failure_s_last_words_are_the_remedy() {
        let mut findings = Findings::default();
        let failure =
            Failure::new(Exit::Refused, "x", "others can read it; close it with: chmod 600");
        findings.failed("credential", &failure);
        let found = findings.iter().next().unwrap();
        assert_eq!(found.what, "others can read it");
        assert_eq!(found.remedy.as_deref(), Some("close it with: chmod 600"));
        assert_eq!(findings.faults(), 1);
    }
}
