//! What an import did: counts, and every line that was refused with its reason.

use pdpp_engine::import::ImportReport;

use crate::failure::{Exit, Failure};
use crate::output::{Output, plain};
use crate::table::{counted, grouped};

/// Says what happened. Something refused is bad input data, even though the rest was imported.
pub fn answer(report: &ImportReport, output: &Output) -> Result<Exit, Failure> {
    output.answer(report, || words(report))?;
    Ok(if report.rejected == 0 { Exit::Done } else { Exit::Data })
}

fn words(report: &ImportReport) -> String {
    let verb = if report.dry_run { "Would import" } else { "Imported" };
    let mut words = format!(
        "{verb} {} into {}: {} added, {} changed, {} unchanged, {} deleted, {} rejected\n",
        counted(report.seen, "record", "records"),
        report.connection,
        grouped(report.added),
        grouped(report.changed),
        grouped(report.unchanged),
        grouped(report.deleted),
        grouped(report.rejected),
    );
    if report.rejected > 0 {
        words.push_str(&rejections(report));
    }
    if report.dry_run {
        words.push_str("Nothing was changed (--dry-run).\n");
    } else if report.added + report.changed > 0 {
        words.push_str(&format!("Next: pdpp connection show {}\n", report.connection));
    }
    words
}

fn rejections(report: &ImportReport) -> String {
    let by_code = report.rejected_by_code.iter();
    let by_code: Vec<String> = by_code.map(|(code, number)| format!("{code} {number}")).collect();
    let mut words = format!("Rejected: {}\n", by_code.join(", "));
    for one in &report.rejections {
        let place = format!("{}:{}", plain(&one.source), one.position);
        words.push_str(&format!("  {place}: {} [{}]\n", plain(&one.message), one.code));
    }
    let unnamed = report.rejected.saturating_sub(report.rejections.len() as u64);
    if unnamed > 0 {
        words.push_str(&format!("  and {} more\n", grouped(unnamed)));
    }
    if !report.dry_run {
        let kept = counted(report.quarantined, "item is", "items are");
        words.push_str(&format!("{kept} in quarantine; mend the lines and import them again\n"));
    }
    words
}
