//! The text of a page of hits: the way on first, then a row per hit.

use std::collections::BTreeMap;

use crate::ids::printed;
use crate::render::hits::Hits;
use crate::render::ladder::address_line;
use crate::render::one_line::{ascii_json, counted, one_line, quoted};
use crate::render::text::{TEXT_BYTES, Text, lines, share};

/// Sources that the mix line names.
const MOST_SOURCES: usize = 8;
/// What the note about hits that are not shown takes.
const NOTE_BYTES: usize = 96;
/// Longest cursor that the text's budget counts on.
const CURSOR_BYTES: usize = 240;
/// What a hit gets beside its handle before another one is shown: whose it is, some of its title and
/// its match.
const HIT_BYTES: usize = 130;

/// How many hits the text shows, and the bytes it shares among them.
pub(crate) fn plan(hits: &Hits) -> (usize, usize) {
    let budget = budget(hits);
    let around = header(hits, None).len() + footer(hits).len() + 4;
    let (all, spare) = share(&hits.rows, budget.saturating_sub(around), HIT_BYTES);
    if all == hits.rows.len() {
        return (all, spare);
    }
    let room = budget.saturating_sub(around + NOTE_BYTES + CURSOR_BYTES);
    let (some, spare) = share(&hits.rows, room, HIT_BYTES);
    (some.max(1), spare)
}

/// The text of a page, with the cursor after the last hit that it shows.
pub(crate) fn text(hits: &Hits, (shown, spare): (usize, usize), continues: Option<&str>) -> String {
    let mut text = Text::new(budget(hits));
    text.must(&header(hits, continues.map(|cursor| (cursor, shown))));
    for line in lines(&hits.rows, shown, spare) {
        text.must(&line);
    }
    text.line(&footer(hits));
    if let Some(line) = address_line(&hits.rungs) {
        text.line(&line);
    }
    text.finish()
}

/// Bytes of the text; a provider's long cursor or id lengthens it.
fn budget(hits: &Hits) -> usize {
    let cursor =
        hits.page.next_cursor.as_ref().map_or(0, |text| text.len().saturating_sub(CURSOR_BYTES));
    let head = hits.rows.first().map_or(0, |row| row.head.len().saturating_sub(CURSOR_BYTES));
    TEXT_BYTES + cursor + 2 * head
}

/// Handles first: the best hit, the way on, then what the ranking covers and where hits come from.
fn header(hits: &Hits, continues: Option<(&str, usize)>) -> String {
    let page = &hits.page;
    let returned = hits.rows.len();
    let mut out = String::new();
    if let Some(id) = hits.first_id() {
        out.push_str(&format!("first_fetch_id={}\n", printed(id)));
    }
    match continues {
        None => out.push_str(&format!("search: {}.", counted(returned as u64, "hit"))),
        Some((cursor, shown)) => out.push_str(&format!(
            "search: {shown} of {returned} hits shown. continue_cursor={} goes on after the last one shown.",
            printed(cursor)
        )),
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
        Some(label) => format!("{connector} {} {count}", quoted(label, 24)),
        None => format!("{connector} {count}"),
    });
    let mut line = format!("source_mix: {}", shown.collect::<Vec<_>>().join(", "));
    if more > 0 {
        line.push_str(&format!(", {more} more"));
    }
    Some(line)
}

fn footer(hits: &Hits) -> String {
    if hits.rows.is_empty() {
        return "Try fewer or other words, or query_records with a filter.".to_owned();
    }
    let field = hits.rungs.iter().find_map(|rung| rung.fields.first());
    let call = field.and_then(|field| field.pointer("/read/arguments")).map(ascii_json);
    let fetch = "fetch(id) reads a hit, the id as shown; connection_id only where a line shows it.";
    match call {
        None => fetch.to_owned(),
        Some(call) => format!("{fetch} At its match: read_record_field {call}"),
    }
}
