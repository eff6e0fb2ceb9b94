//! What an import did: counts, and every line that was refused with its reason.

use pdpp_engine::import::ImportReport;

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
    let verb = if report.dry_run { "Would import" } else { "Imported" };
    let mut words = Words::new(format!(
        "{verb} {} into {}: {} added, {} changed, {} unchanged, {} deleted, {} rejected",
        counted(report.seen, "record", "records"),
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
    let by_code = report.rejected_by_code.iter();
    let by_code: Vec<String> = by_code.map(|(code, number)| format!("{code} {number}")).collect();
    let mut words = Words::new(format!("Rejected: {}", by_code.join(", ")));
    for one in &report.rejections {
        let place = format!("{}:{}", plain(&one.source), one.position);
        words.line(format!("  {place}: {} [{}]", plain(&one.message), one.code));
    }
    let unnamed = report.rejected.saturating_sub(report.rejections.len() as u64);
    if unnamed > 0 {
        words.line(format!("  and {} more", grouped(unnamed)));
    }
    if !report.dry_run {
        let kept = counted(report.quarantined, "item is", "items are");
        words.line(format!("{kept} in quarantine; mend the lines and import them again"));
    }
    words.into_text()
}
