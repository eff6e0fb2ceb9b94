//! What a check found, and how to mend it.

use serde_json::{Value, json};

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::without_nulls;

/// What is advised where a failure advises nothing.
pub const NO_REMEDY: &str = "see: pdpp --help";

/// How good or bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// As it should be.
    Good,
    /// Worth knowing; nothing is broken.
    Note,
    /// Something does not work, or is not safe.
    Fault,
}

impl Severity {
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
    pub state: Severity,
    pub what: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// Whether all that is wrong is that somebody does not answer now.
    is_unreachable: bool,
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
        self.0.iter().filter(|finding| finding.state == Severity::Fault).count()
    }

    /// What the process answers: that nobody answers has a number of its own, while it is all.
    pub fn exit(&self) -> Exit {
        let mut faults =
            self.0.iter().filter(|finding| finding.state == Severity::Fault).peekable();
        if faults.peek().is_none() {
            return Exit::Done;
        }
        if faults.all(|fault| fault.is_unreachable) { Exit::Unreachable } else { Exit::Other }
    }

    /// Something is as it should be.
    pub fn good(&mut self, check: &'static str, what: impl Into<String>) {
        self.push(check, Severity::Good, what.into(), None);
    }

    /// Something is worth knowing.
    pub fn note(
        &mut self,
        check: &'static str,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let remedy = Some(remedy.into()).filter(|remedy| !remedy.is_empty());
        self.push(check, Severity::Note, what.into(), remedy);
    }

    /// Something does not work.
    pub fn fault(
        &mut self,
        check: &'static str,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.push(check, Severity::Fault, what.into(), Some(remedy.into()));
    }

    /// Something does not work because somebody does not answer.
    pub fn unreachable(
        &mut self,
        check: &'static str,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.fault(check, what, remedy);
        if let Some(fault) = self.0.last_mut() {
            fault.is_unreachable = true;
        }
    }

    fn push(&mut self, check: &'static str, state: Severity, what: String, remedy: Option<String>) {
        self.0.push(Finding { check, state, what, remedy, is_unreachable: false });
    }

    /// A failure of another command, on this store.
    pub fn failed(&mut self, check: &'static str, failure: &Failure, store: &DataDir) {
        let remedy = failure.remedy(store).unwrap_or_else(|| NO_REMEDY.to_owned());
        self.fault(check, failure.message.as_str(), remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;

    #[test]
    fn what_a_failure_advises_is_the_remedy() {
        let mut findings = Findings::default();
        let failure = Failure::new(Exit::Refused, "x", "others can read it")
            .with_advice("close it with: chmod 600");
        findings.failed("credential", &failure, &DataDir::new("d".into()));
        let found = findings.iter().next().unwrap();
        assert_eq!(found.what, "others can read it");
        assert_eq!(found.remedy.as_deref(), Some("close it with: chmod 600"));
        assert_eq!(findings.faults(), 1);
    }

    #[test]
    fn that_nobody_answers_has_a_number_of_its_own_while_it_is_all() {
        let mut findings = Findings::default();
        assert_eq!(findings.exit(), Exit::Done);
        findings.unreachable("store", "no connection", "see that it runs");
        findings.note("health", "not there", "");
        assert_eq!(findings.exit(), Exit::Unreachable);
        findings.fault("disk", "full", "make room");
        assert_eq!(findings.exit(), Exit::Other);
    }
}
