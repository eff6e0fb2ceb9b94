//! What an import did: counts, and everything that was rejected with its reason.

use pdpp_contract::StreamName;
use pdpp_engine::import::{ImportReport, RejectionReason, StreamCounts};
use serde::Serialize;

use super::redeclaring::Dropped;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::table::{counted, grouped};
use crate::output::words::Words;
use crate::output::{Output, plain};

/// What the numbers of a report count.
#[derive(Debug, Clone, Copy)]
pub enum ReportUnit {
    /// Lines of a file that a person can open.
    Line,
    /// Letters, rows, events: what an export is made of.
    Item,
}

impl ReportUnit {
    fn one(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Item => "item",
        }
    }

    fn many(self) -> &'static str {
        match self {
            Self::Line => "lines",
            Self::Item => "items",
        }
    }
}

/// A report for scripts.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a ImportReport,
    /// What the connection declared before and does not any more.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    no_longer_declared: &'a [Dropped],
}

/// Says what happened. Something rejected is bad input data, even though the rest was imported.
pub fn answer(
    report: &ImportReport,
    (unit, dropped): (ReportUnit, &[Dropped]),
    data_dir: &DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let document = Document { report, no_longer_declared: dropped };
    output.answer(&document, || words(report, (unit, dropped), data_dir))?;
    Ok(if report.rejected == 0 { Exit::Done } else { Exit::Data })
}

/// The report in words.
pub fn words(
    report: &ImportReport,
    (unit, dropped): (ReportUnit, &[Dropped]),
    data_dir: &DataDir,
) -> String {
    let verb = if report.dry_run { "Checked" } else { "Read" };
    let mut words = Words::new(format!(
        "{verb} {} for {}: {} added, {} changed, {} unchanged, {} deleted, {} rejected",
        counted(report.seen, unit.one(), unit.many()),
        report.connection,
        grouped(report.added),
        grouped(report.changed),
        grouped(report.unchanged),
        grouped(report.deleted),
        grouped(report.rejected),
    ));
    if !report.streams.is_empty() {
        let of = |(stream, counts): (&StreamName, &StreamCounts)| {
            format!("{stream} {}", grouped(counts.all()))
        };
        let counts: Vec<String> = report.streams.iter().map(of).collect();
        words.line(format!("By stream: {}", counts.join(", ")));
    }
    for note in &report.notes {
        words.line(format!("Note: {}", plain(note)));
    }
    if report.rejected > 0 {
        words.block(&rejections(report, unit));
    }
    if !dropped.is_empty() {
        let first = if report.dry_run { "Would no longer be" } else { "No longer" };
        let all: Vec<String> = dropped.iter().map(Dropped::words).collect();
        words.line(format!(
            "{first} declared, so it can no longer be read or granted: {}",
            all.join(" ")
        ));
    }
    if report.dry_run {
        words.line("Nothing was changed (--dry-run).");
    } else if report.added + report.changed > 0 {
        let next = data_dir.advice(&format!("connection show {}", report.connection));
        words.line(format!("Next: {next}"));
    }
    words.into_text()
}

fn rejections(report: &ImportReport, unit: ReportUnit) -> String {
    let (one, many) = (unit.one(), unit.many());
    let mut words = Words::default();
    for reason in &report.reasons {
        let place = format!("{} {}", plain(&reason.source), places(reason, unit));
        words.line(format!("  {place}: {} [{}]", plain(&reason.message), reason.code));
    }
    let named: u64 = report.reasons.iter().map(|reason| reason.count).sum();
    let unnamed = report.rejected.saturating_sub(named);
    if unnamed > 0 {
        let more = counted(unnamed, one, many);
        words.line(format!("  and {more} more for other reasons"));
    }
    if report.dry_run {
        return words.into_text();
    }
    if report.connection_id.is_none() {
        words.line(format!(
            "No {one} could be imported, so {} was not created; fix these {many} and import again",
            report.connection
        ));
    } else {
        let kept = counted(report.quarantined, "item is", "items are");
        words.line(format!("{kept} in quarantine; fix these {many} and import again"));
    }
    words.into_text()
}

/// `line 4`, `lines 1-30`, `lines 2, 5-7`; the rest is counted.
fn places(reason: &RejectionReason, unit: ReportUnit) -> String {
    let range = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let ranges: Vec<String> = reason.lines.iter().map(range).collect();
    let named: u64 = reason.lines.iter().map(|(first, last)| last - first + 1).sum();
    let word = if reason.count == 1 { unit.one() } else { unit.many() };
    let rest = match reason.count.saturating_sub(named) {
        0 => String::new(),
        rest => format!(" and {} more", grouped(rest)),
    };
    format!("{word} {}{rest}", ranges.join(", "))
}
