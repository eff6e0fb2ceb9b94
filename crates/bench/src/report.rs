//! What a run found: one line per bar, a table for people, a document for programs.

use serde_json::{Value, json};

use super::bar::{Bar, Limit};
use pdpp_contract::grouped::grouped;

/// One measured number and what is asked of it.
#[derive(Debug)]
pub struct ReportLine {
    /// What was measured, in words.
    pub what: String,
    pub value: f64,
    pub unit: Unit,
    pub bar: Bar,
    /// What the number is made of or compared with.
    pub baseline: String,
    /// Every number behind it.
    pub details: Value,
}

/// What a number counts.
#[derive(Debug, Clone, Copy)]
pub enum Unit {
    /// One number divided by another.
    Ratio,
    /// Bytes.
    Bytes,
    /// Milliseconds.
    Milliseconds,
    /// Things that went wrong.
    Errors,
}

impl ReportLine {
    /// Whether the number is as it should be.
    pub fn passes(&self, quick: bool) -> bool {
        match self.bar.limit(quick) {
            Limit::AtMost(most) => self.value <= most,
            Limit::AtLeast(least) => self.value >= least,
            Limit::None => true,
        }
    }

    fn bar_words(&self, quick: bool) -> String {
        match self.bar.limit(quick) {
            Limit::AtMost(most) => format!("<= {}", self.unit.words(most)),
            Limit::AtLeast(least) => format!(">= {}", self.unit.words(least)),
            Limit::None => "-".to_owned(),
        }
    }

    fn verdict(&self, quick: bool) -> &'static str {
        match (self.bar.limit(quick), self.passes(quick)) {
            (Limit::None, _) => "-",
            (_, true) => "pass",
            (_, false) => "FAIL",
        }
    }

    fn to_json(&self, quick: bool) -> Value {
        let (relation, bar) = match self.bar.limit(quick) {
            Limit::AtMost(most) => (Some("at_most"), Some(most)),
            Limit::AtLeast(least) => (Some("at_least"), Some(least)),
            Limit::None => (None, None),
        };
        json!({
            "what": self.what,
            "value": self.value,
            "unit": self.unit.name(),
            "relation": relation,
            "bar": bar,
            "pass": self.passes(quick),
            "baseline": self.baseline,
            "details": self.details,
        })
    }
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Bytes => "bytes",
            Self::Milliseconds => "milliseconds",
            Self::Errors => "errors",
        }
    }

    fn words(self, value: f64) -> String {
        match self {
            Self::Ratio => format!("{value:.2}"),
            Self::Bytes if value >= 10.0 * 1024.0 * 1024.0 => {
                format!("{:.0} MB", value / 1024.0 / 1024.0)
            }
            Self::Bytes => format!("{:.0} KiB", value / 1024.0),
            Self::Milliseconds => format!("{value:.1} ms"),
            Self::Errors => format!("{value:.0}"),
        }
    }
}

/// Everything a run found.
#[derive(Debug)]
pub struct Report {
    pub(crate) quick: bool,
    pub(crate) records: [u64; 2],
    pub(crate) long_bytes: u64,
    pub(crate) lines: Vec<ReportLine>,
}

impl Report {
    /// Whether every bar is kept.
    pub fn passes(&self) -> bool {
        self.missed() == 0
    }

    /// How many bars are missed.
    pub fn missed(&self) -> usize {
        self.lines.iter().filter(|line| !line.passes(self.quick)).count()
    }

    /// A table for people, one row per bar: what, value, bar, verdict, baseline.
    pub fn rows(&self) -> impl Iterator<Item = [String; 5]> {
        self.lines.iter().map(|line| {
            [
                line.what.clone(),
                line.unit.words(line.value),
                line.bar_words(self.quick),
                line.verdict(self.quick).to_owned(),
                line.baseline.clone(),
            ]
        })
    }

    /// What was measured and on how many cores, in one sentence.
    pub fn setting(&self) -> String {
        let [small, large] = self.records.map(grouped);
        let megabytes = self.long_bytes / 1024 / 1024;
        let cores = cores();
        format!("{small} and {large} records, long fields of {megabytes} MB, {cores} cores.")
    }

    /// One document.
    pub fn to_json(&self) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "quick": self.quick,
            "records": self.records,
            "long_bytes": self.long_bytes,
            "cores": cores(),
            "pass": self.passes(),
            "bars": self.lines.iter().map(|line| line.to_json(self.quick)).collect::<Vec<_>>(),
        })
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A count as a number that can be divided.
#[expect(clippy::cast_precision_loss, reason = "no count of ours comes near 2^52")]
pub fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(value: f64, bar: Bar) -> ReportLine {
        let (what, baseline) = ("x".to_owned(), "y".to_owned());
        ReportLine { what, value, unit: Unit::Ratio, bar, baseline, details: Value::Null }
    }

    fn report(quick: bool, lines: Vec<ReportLine>) -> Report {
        Report { quick, records: [1, 10], long_bytes: 0, lines }
    }

    #[test]
    fn a_missed_bar_fails_the_run_and_a_number_without_a_bar_never_does() {
        let kept = vec![line(1.5, Bar::at_most(1.5)), line(99.0, Bar::NONE)];
        assert!(report(false, kept).passes());
        assert!(!report(false, vec![line(1.51, Bar::at_most(1.5))]).passes());
        assert!(!report(false, vec![line(1.59, Bar::at_least(1.6))]).passes());
        let document = report(false, vec![line(2.0, Bar::at_most(1.0))]).to_json();
        assert_eq!(document["bars"][0]["pass"], false);
        assert_eq!(document["pass"], false);
    }

    #[test]
    fn a_quick_run_is_held_to_its_own_bars_and_to_the_same_where_it_has_none() {
        let own = || vec![line(1.9, Bar::at_most(1.5).when_quick(2.0))];
        assert!(report(true, own()).passes() && !report(false, own()).passes());
        assert_eq!(report(true, own()).to_json()["bars"][0]["bar"], 2.0);
        assert!(!report(true, vec![line(2.1, Bar::at_most(1.5).when_quick(2.0))]).passes());
        assert!(!report(true, vec![line(1.1, Bar::at_least(1.6).when_quick(1.2))]).passes());
        assert!(!report(true, vec![line(1.51, Bar::at_most(1.5))]).passes());
    }
}
