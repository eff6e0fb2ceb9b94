//! The plan of an import in words: what goes where, and what is not read and why.

use std::path::Path;

use pdpp_import::formats::FORMATS;
use pdpp_import::survey::{FoundExport, LeftOutKind};

use super::accounts::PlannedAccount;
use crate::failure::{Exit, Failure};
use crate::output::plain;
use crate::output::table::counted;
use crate::output::words::Words;

/// The plan.
pub fn words(accounts: &[PlannedAccount], left_out: &[LeftOutKind]) -> String {
    let mut words = Words::new("Found:");
    for account in accounts {
        let is_new = if account.is_new { ", new" } else { "" };
        for found in &account.exports {
            words.line(format!(
                "  {} -> {} ({}{is_new})",
                describe(found),
                account.name,
                account.label
            ));
        }
    }
    words.block(&left_out_words(left_out));
    words.into_text()
}

/// `Takeout/Mail/All mail.mbox: 1,204 messages, 310 MB (mbox)`
fn describe(found: &FoundExport) -> String {
    let what = found.format.recognise.counts.map(|counts| counts.what);
    let mut numbers = Vec::new();
    if let (Some((one, many)), Some(items)) = (what, found.items) {
        numbers.push(counted(items, one, many));
    }
    if found.files > 1 {
        numbers.push(counted(found.files, "file", "files"));
    }
    if found.attachments > 0 {
        numbers.push(counted(found.attachments, "attachment", "attachments"));
    }
    numbers.push(size(found.size_bytes));
    let place = if found.place.is_empty() { "several places" } else { found.place.as_str() };
    format!("{}: {}, {}", found.format.name, plain(place), numbers.join(", "))
}

/// What is not read, by kind.
pub fn left_out_words(left_out: &[LeftOutKind]) -> String {
    let mut words = Words::default();
    if left_out.is_empty() {
        return String::new();
    }
    words.line("Not read:");
    for kind in left_out {
        let names: Vec<String> = kind
            .examples
            .iter()
            .map(|file| match &file.seen {
                Some(seen) => format!("{} ({})", plain(&file.name), plain(seen)),
                None => plain(&file.name),
            })
            .collect();
        let named = u64::try_from(names.len()).unwrap_or(u64::MAX);
        let more = if kind.files > named { ", …" } else { "" };
        words.line(format!(
            "  {}, {}, {}: {}; {}{more}",
            kind.kind,
            counted(kind.files, "file", "files"),
            size(kind.size_bytes),
            plain(&kind.why),
            names.join(", "),
        ));
    }
    words.into_text()
}

/// Nothing is known: what was seen, and what would be.
pub fn nothing_known(place: &Path, left_out: &[LeftOutKind]) -> Failure {
    let formats: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let seen = left_out_words(left_out);
    let seen = if seen.is_empty() { "There are no files in it.\n".to_owned() } else { seen };
    let message = format!(
        "{}: nothing to import was found\n{seen}Supported: {}, and jsonl with a declaration",
        place.display(),
        formats.join(", ")
    );
    Failure::new(Exit::Data, "nothing_found", message)
        .with_advice("name a format to read it as one: pdpp import FORMAT PATH")
}

fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match units.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => counted(bytes, "byte", "bytes"),
    }
}
