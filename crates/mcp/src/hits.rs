//! Search hits within the byte budget: rows, flattened results and the ladder to each match.

use pdpp_contract::handles::{FieldWindowRef, RecordRef};
use pdpp_contract::limits::DEFAULT_WINDOW_CHARS;
use pdpp_contract::search::{SearchHit, SearchPage, Snippet};
use rmcp::model::Resource;
use serde_json::{Map, Value, json};

use crate::adapter::Adapter;
use crate::answer::ToolAnswer;
use crate::citation;
use crate::ids::{self, RECORD_URI, printed};
use crate::ladder::{READ_TOOL, Rung, grade, ladder, links, read_from, window_uri};
use crate::measure::json_bytes;
use crate::one_line::{one_line, quoted, quoted_snippet, snippet_line};
use crate::text::Row;
use crate::titles::{self, Origin};
use crate::unnamed::is_named;

/// The longest snippet in data.
const SNIPPET_CHARS: usize = 240;
/// Text before a match in the window that opens at it.
const LEAD_CHARS: u64 = 256;

/// A page of hits, laid out.
pub(crate) struct Hits {
    pub page: SearchPage,
    pub rows: Vec<Row>,
    pub results: Vec<Value>,
    pub rungs: Vec<Rung>,
    sizes: Vec<usize>,
}

impl Adapter {
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
        bound(&mut hit);
        let record = RecordRef {
            connection_id: hit.connection_id.clone(),
            stream: hit.stream.clone(),
            record_id: hit.record_key.clone(),
            number: hit.number,
        };
        let id = ids::mint(&record, self.handles.as_ref());
        let title = title(&hit);
        let url =
            citation::served_at(&record, self.caller.base_url.as_deref(), self.handles.as_ref());
        let result = result(&hit, &id, &title, &url);
        hits.rows.push(row(hits.rows.len() + 1, &id, &title, &hit));
        let mut rung = Rung { record, id, fields: Vec::new(), links: Vec::new() };
        self.open_at_match(&mut rung, &hit);
        let below = json_bytes(&rung.to_json());
        let shown = serde_json::to_string(&hit).map_or(0, |text| text.len());
        hits.sizes.push(shown + json_bytes(&result) + below + 3);
        hits.results.push(result);
        hits.rungs.push(rung);
        hits.page.data.push(hit);
    }

    /// The rung that opens the field at the match.
    fn open_at_match(&self, rung: &mut Rung, hit: &SearchHit) {
        let Some(snippet) = hit.snippet.as_ref().filter(|_| !self.read.lacks_windows()) else {
            return;
        };
        let path = crate::ladder::path_argument(&snippet.field);
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

    /// The id of the best hit.
    pub(crate) fn first_id(&self) -> Option<&str> {
        self.rungs.first().map(|rung| rung.id.as_str())
    }

    /// The whole answer with this text.
    pub(crate) fn answer(self, text: String, with_links: bool) -> ToolAnswer {
        let mut out = Map::new();
        out.insert("data".to_owned(), serde_json::to_value(&self.page).unwrap_or_default());
        out.insert("results".to_owned(), Value::Array(self.results));
        if let Some(steps) = ladder(&self.rungs) {
            out.insert("content_ladder".to_owned(), steps);
        }
        let mut answer = ToolAnswer::new(text, Value::Object(out));
        if with_links {
            answer.links = links(&self.rungs);
        }
        answer
    }
}

/// The call that opens a field at its match: by place, or by the words where no place is known.
pub(crate) fn read_match(id: &str, snippet: &Snippet) -> Value {
    let path = crate::ladder::path_argument(&snippet.field);
    let marked = snippet.text.split_once("<mark>").and_then(|(_, rest)| rest.split_once("</mark>"));
    match (snippet.match_start_chars, marked) {
        (None, Some((word, _))) if !word.is_empty() => {
            json!({"tool": READ_TOOL, "arguments": {"id": id, "field_path": path, "q": word}})
        }
        (start, _) => read_from(id, &path, opening(start.unwrap_or(0))),
    }
}

/// Where to open a field so that a match has some text before it.
fn opening(match_start_chars: u64) -> u64 {
    match_start_chars.saturating_sub(LEAD_CHARS)
}

/// A provider's snippet and title may be of any length; an answer's are not.
fn bound(hit: &mut SearchHit) {
    if let Some(snippet) = &mut hit.snippet
        && snippet.text.chars().nth(SNIPPET_CHARS).is_some()
    {
        snippet.text = snippet_line(&snippet.text, SNIPPET_CHARS - 2);
    }
    hit.title = hit.title.as_deref().and_then(titles::clean);
    if hit.matched_fields.len() > 16 {
        hit.matched_fields.truncate(16);
    }
}

fn title(hit: &SearchHit) -> String {
    hit.title.clone().unwrap_or_else(|| {
        let origin = Origin {
            display_name: hit.display_name.as_deref(),
            connector_key: Some(hit.connector_key.as_str()),
            stream: hit.stream.as_str(),
            record_id: hit.record_key.as_str(),
        };
        let time = hit.authored_at.as_deref().unwrap_or(&hit.emitted_at);
        titles::fallback(&origin, Some(time))
    })
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

fn row(number: usize, id: &str, title: &str, hit: &SearchHit) -> Row {
    let mut head = format!("{number}. id={}", printed(id));
    if id.starts_with(RECORD_URI) && is_named(&hit.connection_id) {
        head.push_str(&format!(" connection_id={}", printed(hit.connection_id.as_str())));
    }
    let source = format!("{}/{}", hit.connector_key, hit.stream);
    let mut words = vec![format!("source={}", one_line(&source, 60).replace(' ', "_"))];
    words.push(format!("title={}", quoted(title, 70)));
    // The day is what people ask for; the instant is in the data.
    if let Some(day) = hit.authored_at.as_deref().and_then(|at| at.get(..10)) {
        words.push(format!("at={}", one_line(day, 10).replace(' ', "_")));
    }
    if let Some(snippet) = &hit.snippet {
        let field = one_line(&snippet.field, 40).replace(' ', "_");
        match snippet.match_start_chars {
            Some(start) => words.push(format!("match={field}@{start}")),
            None => words.push(format!("match={field}")),
        }
        words.push(format!("snippet={}", quoted_snippet(&snippet.text, 100)));
    }
    if let Some(name) = &hit.display_name {
        words.push(format!("display_name={}", quoted(name, 40)));
    }
    Row { head, words }
}
