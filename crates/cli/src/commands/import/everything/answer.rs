//! The report of an import of everything: sums, each account, and what was left out.

use pdpp_engine::import::ImportReport;
use pdpp_import::survey::LeftOutKind;
use serde::Serialize;
use serde_json::{Value, json};

use super::{AccountOutcome, ExportOutcome, plan};
use crate::commands::import::redeclaring::Dropped;
use crate::commands::import::report::{self, ReportUnit};
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::table::counted;
use crate::output::words::Words;

/// Numbers over all accounts.
#[derive(Default, Serialize)]
struct Sums {
    seen: u64,
    added: u64,
    changed: u64,
    unchanged: u64,
    deleted: u64,
    rejected: u64,
}

impl Sums {
    fn add(&mut self, report: &ImportReport) {
        self.seen += report.seen;
        self.added += report.added;
        self.changed += report.changed;
        self.unchanged += report.unchanged;
        self.deleted += report.deleted;
        self.rejected += report.rejected;
    }
}

/// A report for scripts.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    sums: Sums,
    accounts: Vec<Value>,
    left_out: Vec<Value>,
    dry_run: bool,
}

/// Says what happened. Something rejected, failed or left out is bad input data, even though the
/// rest was imported.
pub fn answer(
    outcomes: &[AccountOutcome],
    left_out: &[LeftOutKind],
    dry_run: bool,
    data_dir: &DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let mut sums = Sums::default();
    let mut failed = false;
    let mut accounts = Vec::new();
    for AccountOutcome { account, label, exports } in outcomes {
        for outcome in exports {
            match &outcome.result {
                Ok((report, dropped)) => {
                    sums.add(report);
                    accounts.push(imported(outcome, report, dropped, label));
                }
                Err(failure) => {
                    failed = true;
                    let ExportOutcome { format, place, files, .. } = outcome;
                    accounts.push(json!({
                        "connection": account, "display_name": label, "format": format,
                        "place": place, "files": files, "error": failure.to_json(),
                    }));
                }
            }
        }
    }
    let is_bad = failed || sums.rejected > 0 || left_out.iter().any(|kind| kind.is_personal);
    let left = left_out.iter().map(left_out_document).collect();
    let document = Document { sums, accounts, left_out: left, dry_run };
    output.answer(&document, || words(outcomes, left_out, data_dir))?;
    Ok(if is_bad { Exit::Data } else { Exit::Done })
}

/// A report, with what the export is.
#[derive(Serialize)]
struct ImportedDocument<'a> {
    #[serde(flatten)]
    report: &'a ImportReport,
    display_name: &'a str,
    format: &'a str,
    place: &'a str,
    files: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    no_longer_declared: &'a [Dropped],
}

fn imported(
    outcome: &ExportOutcome,
    report: &ImportReport,
    dropped: &[Dropped],
    label: &str,
) -> Value {
    let document = ImportedDocument {
        report,
        display_name: label,
        format: outcome.format,
        place: &outcome.place,
        files: outcome.files,
        no_longer_declared: dropped,
    };
    serde_json::to_value(document).unwrap_or_default()
}

fn left_out_document(kind: &LeftOutKind) -> Value {
    let examples = kind.examples.iter().map(|file| match &file.seen {
        Some(seen) => json!({"name": file.name, "seen": seen}),
        None => json!({"name": file.name}),
    });
    json!({
        "kind": kind.kind, "files": kind.files, "size_bytes": kind.size_bytes, "why": kind.why,
        "may_be_personal": kind.is_personal, "examples": examples.collect::<Vec<_>>(),
    })
}

fn words(outcomes: &[AccountOutcome], left_out: &[LeftOutKind], data_dir: &DataDir) -> String {
    let mut words = Words::default();
    for AccountOutcome { account, exports, .. } in outcomes {
        for outcome in exports {
            match &outcome.result {
                Ok((report, dropped)) => {
                    words.block(&report::words(report, (ReportUnit::Item, dropped), data_dir));
                }
                Err(failure) => {
                    words.line(format!("{account} ({}): {}", outcome.format, failure.sentence()));
                }
            }
        }
    }
    words.block(&plan::left_out_words(left_out));
    let personal: u64 =
        left_out.iter().filter(|kind| kind.is_personal).map(|kind| kind.files).sum();
    if personal > 0 {
        let files = counted(personal, "file that may be yours was", "files that may be yours were");
        words.line(format!("{files} not imported."));
    }
    words.into_text()
}
