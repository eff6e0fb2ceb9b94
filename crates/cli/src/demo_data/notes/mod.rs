//! The notes: one stream keyed by file path, with slashes, spaces and emoji in the keys.

mod journal;
mod pages;
mod projects;
mod transcript;

use super::line::{Object, record};
use super::sheet;

const SYNCED_AT: &str = "2026-11-16T06:35:00Z";

/// Every record of the notes.
pub fn records() -> Vec<String> {
    let mut lines = Vec::new();
    for text in [projects::NOTES, pages::NOTES] {
        for entry in sheet::entries(text) {
            let times = (entry.given(1), entry.given(2));
            let pinned = entry.cell(4) == "pinned";
            lines.push(note_line(entry.cell(0), times, &entry.list(3), pinned, &entry.body));
        }
    }
    for (path, at, body) in journal::notes() {
        lines.push(note_line(&path, (Some(&at), Some(&at)), &["journal"], false, &body));
    }
    let times = (Some("2026-10-28T09:00:00+01:00"), Some("2026-10-30T16:05:12+01:00"));
    let tags = ["harbor", "transcript"];
    lines.push(note_line(transcript::PATH, times, &tags, false, &transcript::text()));
    lines
}

fn note_line(
    path: &str,
    times: (Option<&str>, Option<&str>),
    tags: &[&str],
    pinned: bool,
    body: &str,
) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let first = body.lines().next().unwrap_or_default();
    let title = first.strip_prefix("# ").unwrap_or(file);
    let data = Object::default()
        .text("path", path)
        .text("title", title)
        .text("folder", folder)
        .text("body", body)
        .texts("tags", tags)
        .flag("pinned", pinned)
        .number("word_count", body.split_whitespace().count())
        .text_or_null("created_at", times.0)
        .text_or_null("updated_at", times.1);
    record("notes", &[path], &data, SYNCED_AT)
}
