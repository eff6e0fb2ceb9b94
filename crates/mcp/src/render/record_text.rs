//! The text of a page of records: counts and cursors first, then a row per record.

use pdpp_contract::StreamName;
use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::{ListRequest, RecordPage};
use serde_json::json;

use crate::ids::printed;
use crate::render::ladder::{READ_TOOL, address_line};
use crate::render::one_line::{ascii_json, counted, one_line};
use crate::render::record_page::Prepared;
use crate::render::text::{ROW_BYTES, Row, TEXT_BYTES, Text, lines, natural, share};

/// What the note about rows that are not shown takes.
const NOTE_BYTES: usize = 96;
/// Longest cursor that the text's budget counts on.
const CURSOR_BYTES: usize = 240;
/// The way on where rows had to be cut and no field says so itself.
const ROWS_ARE_CUT: &str = "Rows are cut: fetch(id) shows a record whole.";

/// How the text of a page will look.
pub(crate) struct RecordText {
    stream: StreamName,
    pub shown: usize,
    spare: usize,
    budget: usize,
    footer: String,
}

impl RecordText {
    /// Decides how many rows fit.
    pub(crate) fn new(request: &ListRequest, prepared: &Prepared) -> Self {
        let stream = request.stream.clone();
        let (rows, footer) = (&prepared.rows, Self::footer(prepared));
        let budget = TEXT_BYTES + excess(&prepared.page, rows);
        let mut plan = Self { stream, shown: rows.len(), spare: 0, budget, footer };
        let header = plan.header(prepared, None).len() + 4;
        if plan.footer.is_empty() && natural(rows) + header > budget {
            ROWS_ARE_CUT.clone_into(&mut plan.footer);
        }
        let room = budget.saturating_sub(header + plan.footer.len());
        (plan.shown, plan.spare) = share(rows, room, ROW_BYTES);
        if plan.shown < rows.len() {
            let (some, spare) =
                share(rows, room.saturating_sub(NOTE_BYTES + CURSOR_BYTES), ROW_BYTES);
            (plan.shown, plan.spare) = (some.max(1), spare);
        }
        plan
    }

    /// The text, with the cursor after the last row that it shows.
    pub(crate) fn text(&self, prepared: &Prepared, continues: Option<&str>) -> String {
        let mut text = Text::new(self.budget);
        text.must(&self.header(prepared, continues));
        for line in lines(&prepared.rows, self.shown, self.spare) {
            text.must(&line);
        }
        if !self.footer.is_empty() {
            text.line(&self.footer);
        }
        if let Some(line) = address_line(&prepared.rungs) {
            text.line(&line);
        }
        text.finish()
    }

    /// Counts, cursors and bookmarks: what the next call needs stands first.
    fn header(&self, prepared: &Prepared, continues: Option<&str>) -> String {
        let page = &prepared.page;
        let returned = prepared.rows.len();
        let mut out = match continues {
            None => {
                format!("{}: {}.", self.stream, counted(returned as u64, "record"))
            }
            Some(_) => format!("{}: {} of {returned} records shown.", self.stream, self.shown),
        };
        if let Some(cursor) = continues {
            let cursor = printed(cursor);
            out.push_str(&format!(" continue_cursor={cursor} goes on after the last one shown."));
        }
        if page.has_more {
            out.push_str(" has_more=true");
        }
        if let Some(cursor) = &page.next_cursor {
            out.push_str(&format!(" next_cursor={}", printed(cursor)));
            if continues.is_some() {
                out.push_str(&format!(" (after all {returned})"));
            }
        }
        if let Some(bookmark) = &page.next_changes_since {
            out.push_str(&format!(" next_changes_since={}", printed(bookmark)));
            if continues.is_some() {
                out.push_str(" (use only after the last page)");
            }
        }
        if let Some(value) = page.meta.count.value {
            out.push_str(&format!(" count={}:{value}", count_word(page.meta.count.kind)));
        }
        for warning in &page.meta.warnings {
            out.push_str(&format!(" [{}]", one_line(&warning.message, 90)));
        }
        out
    }

    /// How to read on where a field was cut.
    fn footer(prepared: &Prepared) -> String {
        if !prepared.omitted.is_empty() {
            let names = prepared.omitted.join(", ");
            let count = prepared.omitted.len();
            let names = one_line(&names, 300);
            return format!("{count} fields left out: {names}. Read them with fetch(id, fields).");
        }
        let cut = prepared.rungs.iter().find(|rung| !rung.fields.is_empty());
        let Some(rung) = cut else { return String::new() };
        let text = |field: &&serde_json::Value| {
            field.get("text_like") == Some(&true.into()) && field.get("read").is_some()
        };
        let Some(field) = rung.fields.iter().find(text) else {
            let call = ascii_json(&json!({"id": rung.id}));
            return format!("Binary fields: fetch {call} tells their type, size and address.");
        };
        let path = field.get("path").cloned().unwrap_or_default();
        let window = json!({"id": rung.id, "field_path": path});
        let read = |name: &str| field.get("read").and_then(|read| read.get(name));
        let (tool, call) = match (read("tool").and_then(|tool| tool.as_str()), read("arguments")) {
            (Some("fetch"), Some(call)) => ("fetch", call),
            _ => (READ_TOOL, &window),
        };
        let call = ascii_json(call);
        format!("Fields with a size are cut. Read on: {tool} {call}")
    }
}

/// Bytes by which a provider's long cursors and ids lengthen the text.
fn excess(page: &RecordPage, rows: &[Row]) -> usize {
    let over = |text: &String| text.len().saturating_sub(CURSOR_BYTES);
    let cursors = page.next_cursor.iter().chain(&page.next_changes_since).map(over).sum::<usize>();
    cursors + rows.first().map_or(0, |row| row.head.len().saturating_sub(CURSOR_BYTES))
}

fn count_word(kind: CountKind) -> &'static str {
    match kind {
        CountKind::None => "none",
        CountKind::Estimated => "estimated",
        CountKind::Exact => "exact",
    }
}
