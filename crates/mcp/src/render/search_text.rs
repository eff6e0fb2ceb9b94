//! The text of a page of hits: the way on first, then its rows, then how to read on.

use std::collections::BTreeMap;

use pdpp_contract::search::SearchRequest;

use crate::ids::printed;
use crate::render::hits::Hits;
use crate::render::ladder::address;
use crate::render::one_line::{ascii_json, counted, one_line, quoted};
use crate::render::page_rows::{PagePlan, PageRow, text_bytes};

/// Sources that the mix line names, and the most of a label there.
const MOST_SOURCES: usize = 4;
const LABEL_CHARS: usize = 12;
/// Longest cursor and head of a row that the text's budget counts on.
const COUNTED_BYTES: usize = 240;

/// The text of a page, or how many of its hits fit into one.
pub(crate) fn text(hits: &Hits, request: &SearchRequest) -> Result<String, usize> {
    let (header, footer) = (header(hits), footer(hits, request));
    let around = header.len() + footer.len() + 1;
    let room = budget(hits, request.limit).saturating_sub(around);
    let plan = match (PagePlan::new(&hits.rows, room), hits.rows.as_slice()) {
        (Some(plan), _) => plan,
        (None, [only]) => PagePlan::of_one(only, room),
        (None, rows) => return Err(PagePlan::fitting(rows, room).min(rows.len() - 1)),
    };
    let mut lines = vec![header];
    lines.extend(plan.lines(&hits.rows));
    lines.push(footer);
    Ok(lines.join("\n"))
}

/// Bytes of the text; a provider's long cursor or id lengthens it.
fn budget(hits: &Hits, limit: Option<u32>) -> usize {
    let over = |length: usize| length.saturating_sub(COUNTED_BYTES);
    let cursor = hits.page.next_cursor.as_ref().map_or(0, |text| over(text.len()));
    let heads: usize = hits.rows.iter().map(|row| over(row.row.head.len())).sum();
    let first = hits.rows.first().map_or(0, |row| over(row.row.head.len()));
    text_bytes(limit) + cursor + heads + first
}

/// What may help where nothing was found.
fn nothing_found(request: &SearchRequest) -> String {
    let mut out =
        "Nothing in view matches. Try fewer or other words, or a begin* of one".to_owned();
    if request.q.contains('"') {
        out.push_str("; without quotes words need not stand together");
    }
    if !request.filter.is_empty() {
        out.push_str("; filters are exact and case-sensitive");
    }
    if request.connection_id.is_some() || !request.streams.is_empty() {
        out.push_str("; without connection_id and streams all accounts are searched");
    }
    out.push_str(". schema says what the grant leaves out.");
    out
}

/// How many hits, how to go on, what the ranking covers and where the hits come from.
fn header(hits: &Hits) -> String {
    let page = &hits.page;
    let mut out = format!("search: {}.", counted(hits.rows.len() as u64, "hit"));
    if let Some(cursor) = &page.next_cursor {
        out.push_str(&format!(" next_cursor={}", printed(cursor)));
    }
    if !page.meta.recall.complete {
        let cap =
            page.meta.recall.candidate_window_limit.map_or(String::new(), |cap| format!(":{cap}"));
        out.push_str(&format!(" recall=candidate_window{cap}, not every match was ranked."));
    }
    if let Some(changed) = page.meta.changed_since_first_page.filter(|changed| *changed > 0) {
        out.push_str(&format!(" changed_since_first_page={changed}, these come last."));
    }
    for warning in &page.meta.warnings {
        out.push_str(&format!(" [{}]", one_line(&warning.message, 90)));
    }
    if let Some(mix) = source_mix(hits) {
        out.push('\n');
        out.push_str(&mix);
    }
    out
}

/// Which connections the hits come from, when there is more than one.
fn source_mix(hits: &Hits) -> Option<String> {
    let mut counts: BTreeMap<&str, (usize, &str, Option<&str>)> = BTreeMap::new();
    for hit in &hits.page.data {
        let label = hit.display_name.as_deref();
        let entry = counts.entry(hit.connection_id.as_str());
        entry.or_insert((0, hit.connector_key.as_str(), label)).0 += 1;
    }
    if counts.len() < 2 {
        return None;
    }
    let mut mix: Vec<_> = counts.into_values().collect();
    mix.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let more = mix.len().saturating_sub(MOST_SOURCES);
    let shown = mix.into_iter().take(MOST_SOURCES).map(|(count, connector, label)| match label {
        Some(label) => format!("{connector} {} {count}", quoted(label, LABEL_CHARS)),
        None => format!("{connector} {count}"),
    });
    let mut line = format!("source_mix: {}", shown.collect::<Vec<_>>().join(", "));
    if more > 0 {
        line.push_str(&format!(", {more} more sources"));
    }
    Some(line)
}

fn footer(hits: &Hits, request: &SearchRequest) -> String {
    if hits.rows.is_empty() {
        return nothing_found(request);
    }
    let mut out = "fetch(id) reads a hit; give ids as shown".to_owned();
    let apart = |row: &PageRow| row.row.head.contains(" connection_id=");
    if hits.rows.iter().any(apart) {
        out.push_str(", connection_id only where shown");
    }
    let field = hits.rungs.iter().find_map(|rung| rung.fields.first());
    if let Some(call) = field.and_then(|field| field.pointer("/read/arguments")) {
        out.push_str(&format!(". Read on: read_record_field {}", ascii_json(call)));
    }
    if let Some(uri) = address(&hits.rungs) {
        out.push_str(&format!("\nresources/read {uri}"));
    }
    out
}
