//! What the rules found: faults stop the check, notices are only said.

/// The answer of one or more rules, ready to print, one line each.
#[derive(Default, Debug)]
pub struct TidyFindings {
    pub faults: Vec<String>,
    pub notices: Vec<String>,
}

impl TidyFindings {
    /// A broken rule, at a file or a line of it (`path` or `path:line`).
    pub fn fault(&mut self, place: impl std::fmt::Display, what: impl std::fmt::Display) {
        self.faults.push(format!("{place}: {what}"));
    }

    /// Something to think about.
    pub fn notice(&mut self, place: impl std::fmt::Display, what: impl std::fmt::Display) {
        self.notices.push(format!("{place}: {what}"));
    }
}
