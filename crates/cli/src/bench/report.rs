//! What a run found: one line per bar, a table for people, a document for programs.

use serde_json::{Value, json};

use crate::output::{Output, Style};
use crate::table::{Table, grouped};

/// How far a ratio or a time may be off its bar in a quick run, whose stores are too small for the
/// bars and whose machine has other work.
const QUICK_LEEWAY: f64 = 2.0;

/// One measured number and what is asked of it.
#[derive(Debug)]
pub struct Line {
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

/// What is asked of a number.
#[derive(Debug, Clone, Copy)]
pub enum Bar {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Nothing yet; it is only reported.
    None,
}

impl Line {
    /// Whether the number is as it should be.
    pub fn passes(&self) -> bool {
        match self.bar {
            Bar::AtMost(most) => self.value <= most,
            Bar::AtLeast(least) => self.value >= least,
            Bar::None => true,
        }
    }

    /// Whether the number is at least near its bar. Short times swing, and so do their ratios; bytes
    /// and errors do not.
    fn is_near(&self) -> bool {
        let swings = matches!(self.unit, Unit::Ratio | Unit::Milliseconds);
        match self.bar {
            Bar::AtMost(most) if swings => self.value <= most * QUICK_LEEWAY,
            Bar::AtLeast(least) if swings => self.value >= least / QUICK_LEEWAY,
            _ => self.passes(),
        }
    }

    fn bar_words(&self) -> String {
        match self.bar {
            Bar::AtMost(most) => format!("<= {}", self.unit.words(most)),
            Bar::AtLeast(least) => format!(">= {}", self.unit.words(least)),
            Bar::None => "-".to_owned(),
        }
    }

    fn verdict(&self, quick: bool) -> &'static str {
        match (self.bar, self.passes()) {
            (Bar::None, _) => "-",
            (_, true) => "pass",
            (_, false) if quick && self.is_near() => "near",
            (_, false) => "FAIL",
        }
    }

    fn to_json(&self) -> Value {
        let (relation, bar) = match self.bar {
            Bar::AtMost(most) => (Some("at_most"), Some(most)),
            Bar::AtLeast(least) => (Some("at_least"), Some(least)),
            Bar::None => (None, None),
        };
        json!({
            "what": self.what,
            "value": self.value,
            "unit": self.unit.name(),
            "relation": relation,
            "bar": bar,
            "pass": bar.is_none_or(|_| self.passes()),
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
    pub quick: bool,
    pub records: [u64; 2],
    pub long_bytes: u64,
    pub lines: Vec<Line>,
}

impl Report {
    /// Whether every bar is kept; in a quick run, whether none is missed by far.
    pub fn passes(&self) -> bool {
        self.lines.iter().all(|line| line.passes() || (self.quick && line.is_near()))
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
            "bars": self.lines.iter().map(Line::to_json).collect::<Vec<_>>(),
        })
    }

    /// A table, one line per bar.
    pub fn words(&self, output: &Output) -> String {
        let mut table = Table::new(&["what", "#value", "#bar", "", "baseline"]);
        for line in &self.lines {
            table.row([
                line.what.clone(),
                line.unit.words(line.value),
                line.bar_words(),
                line.verdict(self.quick).to_owned(),
                line.baseline.clone(),
            ]);
        }
        let mut words = table.render(output);
        let failed = self.lines.iter().filter(|line| !line.passes()).count();
        let [small, large] = self.records.map(grouped);
        words.push_str(&format!(
            "\n{small} and {large} records, long fields of {} MB, {} cores. ",
            self.long_bytes / 1024 / 1024,
            cores()
        ));
        words.push_str(&match failed {
            0 => "Every bar is kept.\n".to_owned(),
            n if self.passes() => {
                format!("{n} bars are nearly kept, as far as small stores tell.\n")
            }
            n => output.styled(Style::Wrong, &format!("{n} bars are missed.\n")),
        });
        words
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

    fn line(value: f64, bar: Bar) -> Line {
        let (what, baseline) = ("x".to_owned(), "y".to_owned());
        Line { what, value, unit: Unit::Ratio, bar, baseline, details: Value::Null }
    }

    #[test]
    fn a_missed_bar_fails_the_run_and_a_number_without_a_bar_never_does() {
        let report = |lines| Report { quick: false, records: [1, 10], long_bytes: 0, lines };
        assert!(report(vec![line(1.5, Bar::AtMost(1.5)), line(99.0, Bar::None)]).passes());
        assert!(!report(vec![line(1.51, Bar::AtMost(1.5))]).passes());
        assert!(!report(vec![line(1.59, Bar::AtLeast(1.6))]).passes());
        let document = report(vec![line(2.0, Bar::AtMost(1.0))]).to_json();
        assert_eq!(document["bars"][0]["pass"], false);
        assert_eq!(document["pass"], false);
    }

    #[test]
    fn a_quick_run_forgives_times_and_ratios_near_their_bars_and_nothing_else() {
        let quick = |lines| Report { quick: true, records: [1, 10], long_bytes: 0, lines };
        assert!(quick(vec![line(2.9, Bar::AtMost(1.5)), line(0.9, Bar::AtLeast(1.6))]).passes());
        assert!(!quick(vec![line(3.1, Bar::AtMost(1.5))]).passes());
        let mut start = line(50.0, Bar::AtMost(30.0));
        start.unit = Unit::Milliseconds;
        assert!(quick(vec![start]).passes());
        let mut bytes = line(1.1, Bar::AtMost(1.0));
        bytes.unit = Unit::Bytes;
        assert!(!quick(vec![bytes]).passes());
    }
}
