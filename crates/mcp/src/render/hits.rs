//! Search hits within the byte budget: rows, flattened results and the ladder to each match.

use pdpp_contract::envelope::WarningCode;
use pdpp_contract::handles::{FieldWindowRef, RecordRef};
use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;
use pdpp_contract::links;
use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK};
use pdpp_contract::search::{SearchHit, SearchPage, SearchRequest, Snippet};
use rmcp::model::Resource;
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::ids;
use crate::ids::citation;
use crate::render::hit_row::hit_row;
use crate::render::ladder::{self, READ_TOOL, Rung, grade, ladder, read_from, window_uri};
use crate::render::measure::json_bytes;
use crate::render::one_line::{is_snippet_line, is_unsafe, one_line, snippet_line};
use crate::render::page_rows::PageRow;
use crate::render::paging::page_reduced;
use crate::render::titles;

/// The longest snippet in data.
const SNIPPET_CHARS: usize = 240;
/// Text before a match in the window that opens at it.
const LEAD_CHARS: u64 = 256;

/// A page of hits, laid out.
pub(crate) struct Hits {
    pub page: SearchPage,
    pub rows: Vec<PageRow>,
    pub results: Vec<Value>,
    pub rungs: Vec<Rung>,
    sizes: Vec<usize>,
}

impl CallContext {
    /// Lays out a page of hits.
    pub(crate) fn lay_hits(&self, mut page: SearchPage) -> Hits {
        let data = std::mem::take(&mut page.data);
        let mut hits = Hits {
            page,
            rows: Vec::new(),
            results: Vec::new(),
            rungs: Vec::new(),
            sizes: Vec::new(),
        };
        for hit in data {
            self.lay_hit(&mut hits, hit);
        }
        hits
    }

    fn lay_hit(&self, hits: &mut Hits, mut hit: SearchHit) {
        let record = RecordRef {
            connection_id: hit.connection_id.clone(),
            stream: hit.stream.clone(),
            record_id: hit.record_key.clone(),
            number: hit.number,
        };
        let id = ids::mint(&record, self.handles.as_ref());
        let mut rung = Rung { record, id, fields: Vec::new(), links: Vec::new(), own: None };
        self.open_at_match(&mut rung, &hit);
        bound(&mut hit);
        let title = titles::of_hit(&hit);
        let label = hit.display_name.as_deref();
        rung.own = ladder::record_link(&rung.record, &title, label, self.handles.as_ref());
        let url =
            citation::served_at(&rung.record, self.base_url.as_deref(), self.handles.as_ref());
        let result = result(&hit, &rung.id, &title, &url);
        hits.rows.push(hit_row(hits.rows.len() + 1, &rung.id, &hit));
        let below = if rung.fields.is_empty() { 0 } else { json_bytes(&rung.to_json()) };
        let shown = serde_json::to_string(&hit).map_or(0, |text| text.len());
        hits.sizes.push(shown + json_bytes(&result) + below + 3);
        hits.results.push(result);
        hits.rungs.push(rung);
        hits.page.data.push(hit);
    }

    /// The rung that opens the field at the match.
    fn open_at_match(&self, rung: &mut Rung, hit: &SearchHit) {
        // A snippet that is the whole field leaves nothing to read.
        let unread = |snippet: &&Snippet| !snippet.complete && !self.read.lacks_windows();
        let Some(snippet) = hit.snippet.as_ref().filter(unread) else {
            return;
        };
        let path = crate::render::ladder::path_argument(&snippet.field);
        let offset = opening(snippet.match_start_chars.unwrap_or(0));
        let window = FieldWindowRef {
            record: rung.record.clone(),
            field_path: path.clone(),
            start_chars: offset,
            limit_chars: DEFAULT_WINDOW_CHARS,
            content: None,
            of_bytes: false,
        };
        let mut field = json!({
            "path": path,
            "type": "string",
            "size_grade": grade(None),
            "text_like": true,
            "preview_status": "snippet-only",
        });
        if let Some(members) = field.as_object_mut() {
            if let Some((start, end)) = snippet.match_start_chars.zip(snippet.match_end_chars) {
                let range = json!({"start_chars": start, "end_chars": end});
                members.insert("preview".to_owned(), range);
            }
            if let Some(uri) = window_uri(&window, self.handles.as_ref()) {
                members.insert("resource_uri".to_owned(), json!(uri));
                let name = one_line(&snippet.field, 80);
                rung.links.push(Resource::new(uri, name).with_mime_type("text/plain"));
            }
            members.insert("read".to_owned(), read_match(&rung.id, snippet));
        }
        rung.fields.push(field);
    }
}

impl Hits {
    /// Bytes of all hits in data, results and ladder.
    pub(crate) fn bytes(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// How many hits fit into so many bytes, at least one.
    pub(crate) fn fitting(&self, bytes: usize) -> usize {
        let mut used = 0;
        let fits = self.sizes.iter().take_while(|size| {
            used += **size;
            used <= bytes
        });
        fits.count().max(1)
    }

    /// Ends the page after its first hits; false where the cursor after them is not known.
    pub(crate) fn shorten(&mut self, count: usize, ask: &SearchRequest) -> bool {
        let Some(cursor) = self.page.cursors.get(count.saturating_sub(1)).cloned() else {
            return false;
        };
        self.page.data.truncate(count);
        self.page.cursors.truncate(count);
        self.rows.truncate(count);
        self.results.truncate(count);
        self.rungs.truncate(count);
        self.sizes.truncate(count);
        self.page.has_more = true;
        self.page.links.next = Some(Some(links::search(ask, Some(&cursor)).finish()));
        self.page.next_cursor = Some(cursor);
        true
    }

    /// Says that the page holds fewer hits than were asked for.
    pub(crate) fn note_reduction(&mut self, asked: u32) {
        let warnings = &mut self.page.meta.warnings;
        warnings.retain(|warning| warning.code != WarningCode::PageReduced);
        warnings.push(page_reduced(asked, self.rows.len()));
    }

    /// The whole answer with this text.
    pub(crate) fn answer(self, text: String, with_links: bool) -> ToolAnswer {
        let mut out = Map::new();
        out.insert("data".to_owned(), serde_json::to_value(&self.page).unwrap_or_default());
        out.insert("results".to_owned(), Value::Array(self.results));
        if let Some(steps) = ladder(&self.rungs) {
            out.insert("content_ladder".to_owned(), steps);
        }
        let mut answer = ToolAnswer::new(text, Value::Object(out)).of_records(self.rungs.len());
        if with_links {
            answer.links = ladder::links(&self.rungs);
        }
        answer
    }
}

/// The call that opens a field at its match: by place, or by the words where no place is known.
fn read_match(id: &str, snippet: &Snippet) -> Value {
    let path = crate::render::ladder::path_argument(&snippet.field);
    match (snippet.match_start_chars, findable(&snippet.text)) {
        (None, Some(word)) => {
            json!({"tool": READ_TOOL, "arguments": {"id": id, "field_path": path, "q": word}})
        }
        (start, _) => read_from(id, &path, opening(start.unwrap_or(0))),
    }
}

/// The first highlight of a snippet, as far as it can be looked for: its longest part in which
/// nothing hides.
fn findable(snippet: &str) -> Option<String> {
    let (_, rest) = snippet.split_once(OPEN_MARK)?;
    let (marked, _) = rest.split_once(CLOSE_MARK)?;
    let part = marked.split(is_unsafe).max_by_key(|part| part.len())?;
    (!part.is_empty()).then(|| part.chars().take(SNIPPET_CHARS).collect())
}

/// Where to open a field so that a match has some text before it.
fn opening(match_start_chars: u64) -> u64 {
    match_start_chars.saturating_sub(LEAD_CHARS)
}

/// A provider's snippet, title and label may be of any length and hold anything; an answer's do not.
fn bound(hit: &mut SearchHit) {
    if let Some(snippet) = &mut hit.snippet
        && !is_snippet_line(&snippet.text, SNIPPET_CHARS)
    {
        snippet.text = snippet_line(&snippet.text, SNIPPET_CHARS - 2);
    }
    hit.title = hit.title.as_deref().and_then(titles::clean);
    hit.author = hit.author.as_deref().and_then(titles::clean);
    hit.display_name = hit.display_name.as_deref().and_then(titles::label);
    if hit.matched_fields.len() > 16 {
        hit.matched_fields.truncate(16);
    }
}

fn result(hit: &SearchHit, id: &str, title: &str, url: &str) -> Value {
    let mut out = Map::new();
    let text = |text: &str| Value::String(text.to_owned());
    out.insert("id".to_owned(), text(id));
    out.insert("title".to_owned(), text(title));
    out.insert("url".to_owned(), text(url));
    out.insert("connection_id".to_owned(), text(hit.connection_id.as_str()));
    out.insert("connector_key".to_owned(), text(hit.connector_key.as_str()));
    out.insert("stream".to_owned(), text(hit.stream.as_str()));
    out.insert("record_id".to_owned(), text(hit.record_key.as_str()));
    if let Some(name) = &hit.display_name {
        out.insert("display_name".to_owned(), text(name));
    }
    if let Some(snippet) = &hit.snippet {
        out.insert("snippet".to_owned(), text(&snippet.text));
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_without_a_place_is_looked_for_by_words_that_are_there() {
        for (text, q) in [
            ("the <mark>boiler</mark> hums", Some("boiler")),
            ("the <mark>boi\u{200b}lers</mark> hum", Some("lers")),
            ("the <mark>\u{200b}</mark> hums", None),
            ("the boiler hums", None),
        ] {
            assert_eq!(findable(text).as_deref(), q, "{text:?}");
        }
    }
}
