//! What an import did: counts, and every line that was refused with its reason.

use pdpp_engine::import::{ImportReason, ImportReport};

use crate::failure::{Exit, Failure};
use crate::output::{Output, plain};
use crate::table::{counted, grouped};
use crate::words::Words;

/// Says what happened. Something refused is bad input data, even though the rest was imported.
pub fn answer(report: &ImportReport, output: &Output) -> Result<Exit, Failure> {
    output.answer(report, || words(report))?;
    Ok(if report.rejected == 0 { Exit::Done } else { Exit::Data })
}

fn words(report: &ImportReport) -> String {
    let verb = if report.dry_run { "Checked" } else { "Read" };
    let mut words = Words::new(format!(
        "{verb} {} for {}: {} added, {} changed, {} unchanged, {} deleted, {} rejected",
        counted(report.seen, "line", "lines"),
        report.connection,
        grouped(report.added),
        grouped(report.changed),
        grouped(report.unchanged),
        grouped(report.deleted),
        grouped(report.rejected),
    ));
    if report.rejected > 0 {
        words.block(&rejections(report));
    }
    if report.dry_run {
        words.line("Nothing was changed (--dry-run).");
    } else if report.added + report.changed > 0 {
        words.line(format!("Next: pdpp connection show {}", report.connection));
    }
    words.into_text()
}

fn rejections(report: &ImportReport) -> String {
    let mut words = Words::default();
    for reason in &report.reasons {
        let place = format!("{} {}", plain(&reason.source), lines(reason));
        words.line(format!("  {place}: {} [{}]", plain(&reason.message), reason.code));
    }
    let named: u64 = report.reasons.iter().map(|reason| reason.count).sum();
    let unnamed = report.rejected.saturating_sub(named);
    if unnamed > 0 {
        let more = counted(unnamed, "more line", "more lines");
        words.line(format!("  and {more} for other reasons"));
    }
    if report.dry_run {
        return words.into_text();
    }
    if report.connection_id.is_none() {
        words.line(format!(
            "No line could be taken, so {} was not made; mend the lines and import them again",
            report.connection
        ));
    } else {
        let kept = counted(report.quarantined, "item is", "items are");
        words.line(format!("{kept} in quarantine; mend the lines and import them again"));
    }
    words.into_text()
}

/// `line 4`, `lines 1-30`, `lines 2, 5-7`; the rest is counted.
fn lines(reason: &ImportReason) -> String {
    let stretch = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let stretches: Vec<String> = reason.lines.iter().map(stretch).collect();
    let named: u64 = reason.lines.iter().map(|(first, last)| last - first + 1).sum();
    let word = if reason.count == 1 { "line" } else { "lines" };
    let rest = match reason.count.saturating_sub(named) {
        0 => String::new(),
        rest => format!(" and {} more", grouped(rest)),
    };
    format!("{word} {}{rest}", stretches.join(", "))
}
