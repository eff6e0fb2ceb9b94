//! The text of a page of records: counts and cursors first, then its rows, then how to read on.

use pdpp_contract::envelope::CountKind;
use pdpp_contract::query::ListRequest;
use serde_json::json;

use crate::ids::printed;
use crate::render::ladder::{READ_TOOL, address};
use crate::render::one_line::{ascii_json, counted, one_line, quoted};
use crate::render::page_rows::{PagePlan, text_bytes};
use crate::render::record_page::Prepared;

/// Longest cursor and head of a row that the text's budget counts on.
const COUNTED_BYTES: usize = 240;
/// The way on where rows had to be cut and no field says so itself.
const ROWS_ARE_CUT: &str = "fetch(id) shows a record whole.";

/// The text of a page, or how many of its rows fit into one.
pub(crate) fn text(
    request: &ListRequest,
    limit: Option<u32>,
    prepared: &Prepared,
) -> Result<String, usize> {
    let (header, mut footer) = (header(request, prepared), footer(prepared, request));
    let budget = budget(prepared, limit).saturating_sub(header.len());
    let mut plan = PagePlan::new(&prepared.rows, room(budget, &footer));
    if footer.is_empty() && plan.as_ref().is_none_or(|plan| !plan.is_whole(&prepared.rows)) {
        ROWS_ARE_CUT.clone_into(&mut footer);
        plan = PagePlan::new(&prepared.rows, room(budget, &footer));
    }
    let room = room(budget, &footer);
    let plan = match (plan, prepared.rows.as_slice()) {
        (Some(plan), _) => plan,
        (None, [only]) => PagePlan::of_one(only, room),
        (None, rows) => return Err(PagePlan::fitting(rows, room).min(rows.len() - 1)),
    };
    let mut lines = vec![header];
    lines.extend(plan.lines(&prepared.rows));
    lines.extend(Some(footer).filter(|footer| !footer.is_empty()));
    Ok(lines.join("\n"))
}

/// Bytes for rows.
fn room(budget: usize, footer: &str) -> usize {
    budget.saturating_sub(if footer.is_empty() { 0 } else { footer.len() + 1 })
}

/// Bytes of the text; a provider's long cursors and ids lengthen it.
fn budget(prepared: &Prepared, limit: Option<u32>) -> usize {
    let over = |length: usize| length.saturating_sub(COUNTED_BYTES);
    let page = &prepared.page;
    let cursors = page.next_cursor.iter().chain(&page.next_changes_since);
    let cursors: usize = cursors.map(|text| over(text.len())).sum();
    let heads: usize = prepared.rows.iter().map(|row| over(row.row.head.len())).sum();
    text_bytes(limit) + cursors + heads
}

/// Counts, cursors and bookmarks: what the next call needs stands first.
fn header(request: &ListRequest, prepared: &Prepared) -> String {
    let page = &prepared.page;
    let mut out = request.stream.to_string();
    if let Some(label) = label(prepared) {
        out.push_str(&format!(" of {}", quoted(label, 40)));
    }
    out.push_str(&format!(": {}.", counted(prepared.rows.len() as u64, "record")));
    if let Some(cursor) = &page.next_cursor {
        out.push_str(&format!(" has_more=true next_cursor={}", printed(cursor)));
    }
    if let Some(bookmark) = &page.next_changes_since {
        out.push_str(&format!(" next_changes_since={}", printed(bookmark)));
    }
    if let Some(value) = page.meta.count.value {
        out.push_str(&format!(" count={}:{value}", count_word(page.meta.count.kind)));
    }
    for warning in &page.meta.warnings {
        out.push_str(&format!(" [{}]", one_line(&warning.message, 90)));
    }
    out
}

/// What the owner calls the account, when all rows are from it.
fn label(prepared: &Prepared) -> Option<&str> {
    let first = prepared.page.data.first()?;
    let same = |record: &pdpp_contract::record::Record| record.connection_id == first.connection_id;
    prepared.page.data.iter().all(same).then_some(first.display_name.as_deref()).flatten()
}

/// How to read on where a field was cut.
fn footer(prepared: &Prepared, request: &ListRequest) -> String {
    if prepared.rows.is_empty() && !request.filter.is_empty() {
        return "Nothing in view matches: filters are exact and case-sensitive. search finds words; \
                schema says what the grant leaves out."
            .to_owned();
    }
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
    let mut out = format!("Fields with a size are cut. Read on: {tool} {}", ascii_json(call));
    if let Some(uri) = address(&prepared.rungs) {
        out.push_str(&format!("\nresources/read {uri}"));
    }
    out
}

fn count_word(kind: CountKind) -> &'static str {
    match kind {
        CountKind::None => "none",
        CountKind::Estimated => "estimated",
        CountKind::Exact => "exact",
    }
}
