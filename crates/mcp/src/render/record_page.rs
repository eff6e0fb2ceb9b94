//! A page of records within the byte budget: both views, the ladder, and the way on.

use pdpp_contract::envelope::{Warning, WarningCode};
use pdpp_contract::expand::Expanded;
use pdpp_contract::handles::RecordRef;
use pdpp_contract::query::RecordPage;
use pdpp_contract::record::Record;
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::ids;
use crate::render::ladder::{self, READ_TOOL, ReadOn, Rung, links};
use crate::render::left_out;
use crate::render::measure::json_bytes;
use crate::render::numbers;
use crate::render::page_rows::PageRow;
use crate::render::preview::{Cut, PREVIEW_CHARS, cut};
use crate::render::related;
use crate::render::rows::record_row;
use crate::render::titles;
use crate::tools::Tool;

/// Bytes of a result, all views together, that the governor aims at.
pub(crate) const RESULT_BYTES: usize = 32_768;

/// A page whose long values are previews.
pub(crate) struct Prepared {
    pub page: RecordPage,
    pub rows: Vec<PageRow>,
    pub rungs: Vec<Rung>,
    /// Bytes of each record with its part of the ladder.
    sizes: Vec<usize>,
    records: Vec<Value>,
    /// The ladder's records.
    steps: Vec<Value>,
    /// Names of fields that did not fit, when the page is one record.
    pub omitted: Vec<String>,
    /// The fields that the call names, in the order in which rows show them.
    asked: Vec<String>,
}

impl CallContext {
    /// Cuts the long values of a page and lays out its rows.
    pub(crate) fn prepare(&self, mut page: RecordPage, asked: Vec<String>) -> Prepared {
        let data = std::mem::take(&mut page.data);
        let mut prepared = Prepared {
            page,
            rows: Vec::new(),
            rungs: Vec::new(),
            sizes: Vec::new(),
            records: Vec::new(),
            steps: Vec::new(),
            omitted: Vec::new(),
            asked,
        };
        for record in data {
            self.lay(&mut prepared, record, PREVIEW_CHARS as usize);
        }
        prepared
    }

    fn lay(&self, prepared: &mut Prepared, mut record: Record, max_chars: usize) {
        let cuts: Vec<Cut> = cut(&mut record, max_chars);
        let named = record_ref(&record);
        let id = ids::mint(&named, self.handles.as_ref());
        let read_on = if self.read.lacks_windows() { ReadOn::Alone } else { ReadOn::Windows };
        let mut rung = Rung::new(named, id.clone(), &cuts, read_on, self.handles.as_ref());
        if !record.deleted {
            let (title, label) = (titles::of_record(&record), record.display_name.as_deref());
            rung.own = ladder::record_link(&rung.record, &title, label, self.handles.as_ref());
        }
        let mut rungs = vec![rung];
        record.display_name = record.display_name.as_deref().and_then(titles::label);
        for one in related::records_mut(&mut record) {
            one.display_name = one.display_name.as_deref().and_then(titles::label);
            let cuts = cut(one, max_chars);
            let named = record_ref(one);
            let id = ids::mint(&named, self.handles.as_ref());
            rungs.push(Rung::new(named, id, &cuts, read_on, self.handles.as_ref()));
        }
        let number = prepared.rows.len() + 1;
        let mut row = record_row(number, &id, &record, &cuts, &prepared.asked);
        let about = |one: &Record| ids::mint(&record_ref(one), self.handles.as_ref());
        row.row.words.extend(related::words(&record, &about));
        prepared.rows.push(row);
        let shown = record_value(&mut record);
        let mut below = 0;
        for rung in rungs.iter().filter(|rung| !rung.fields.is_empty()) {
            let step = rung.to_json();
            below += json_bytes(&step) + 1;
            prepared.steps.push(step);
        }
        prepared.sizes.push(json_bytes(&shown) + below + 2);
        prepared.records.push(shown);
        prepared.rungs.append(&mut rungs);
        prepared.page.data.push(record);
    }

    /// Makes one record fit: shorter previews first, then fewer fields.
    pub(crate) fn squeeze(&self, prepared: &mut Prepared, bytes: usize) {
        for max_chars in [64, 16] {
            let Some(record) = prepared.page.data.pop() else { return };
            prepared.clear();
            self.lay(prepared, record, max_chars);
            if prepared.bytes() <= bytes {
                return;
            }
        }
        let Some(mut record) = prepared.page.data.pop() else { return };
        prepared.clear();
        let mut halved = false;
        while json_bytes(&record_value(&mut record)) > bytes / 2 && related::halve(&mut record) {
            halved = true;
        }
        if halved {
            prepared.page.meta.warnings.push(fewer_related());
        }
        let mut omitted = Vec::new();
        while json_bytes(&record_value(&mut record)) > bytes / 2 {
            let Some(data) = record.data.as_mut() else { break };
            let kept = data.len() / 2;
            let names: Vec<String> = data.keys().skip(kept).cloned().collect();
            for name in names {
                data.remove(&name);
                record.previews.retain(|preview| preview.field != name);
                omitted.push(name);
            }
            if kept == 0 {
                break;
            }
        }
        omitted.sort();
        self.lay(prepared, record, 16);
        prepared.omitted = omitted;
    }
}

impl Prepared {
    fn clear(&mut self) {
        self.rows.clear();
        self.rungs.clear();
        self.sizes.clear();
        self.records.clear();
        self.steps.clear();
    }

    /// Bytes of all records with their ladder.
    pub(crate) fn bytes(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// How many records fit into so many bytes, at least one.
    pub(crate) fn fitting(&self, bytes: usize) -> usize {
        let mut used = 0;
        let fits = self.sizes.iter().take_while(|size| {
            used += **size;
            used <= bytes
        });
        fits.count().max(1)
    }

    /// The whole answer with this text.
    pub(crate) fn answer(self, text: String, with_links: bool) -> ToolAnswer {
        let mut envelope = match serde_json::to_value(RecordPage { data: Vec::new(), ..self.page })
        {
            Ok(Value::Object(members)) => members,
            _ => Map::new(),
        };
        envelope.insert("data".to_owned(), Value::Array(self.records));
        let mut out = Map::new();
        out.insert("data".to_owned(), Value::Object(envelope));
        let more = more_fields(&self.omitted, self.rungs.first());
        if !self.steps.is_empty() || more.is_some() {
            let mut steps = Map::new();
            steps.insert("read_tool".to_owned(), READ_TOOL.into());
            steps.insert("records".to_owned(), Value::Array(self.steps));
            steps.extend(more.map(|more| ("more_fields".to_owned(), more)));
            out.insert("content_ladder".to_owned(), Value::Object(steps));
        }
        // A rung for each record, and for each that came along.
        let mut answer = ToolAnswer::new(text, Value::Object(out)).of_records(self.rungs.len());
        if with_links {
            answer.links = links(&self.rungs);
        }
        answer
    }
}

/// The names of fields that were left out, and the call that reads them.
fn more_fields(omitted: &[String], rung: Option<&Rung>) -> Option<Value> {
    let (first, rung) = (omitted.first()?, rung?);
    let names = left_out::names(omitted);
    let mut out = json!({
        "names": names,
        "count": omitted.len(),
        "read": {"tool": Tool::Fetch.name(), "arguments": {"id": rung.id, "fields": [first]}},
    });
    if let Some(members) = out.as_object_mut().filter(|_| names.len() < omitted.len()) {
        members.insert("all_names".to_owned(), left_out::all_names(&rung.record));
    }
    Some(out)
}

/// Says that a relation holds fewer records than it could.
fn fewer_related() -> Warning {
    Warning {
        code: WarningCode::PageReduced,
        message: "page_reduced: related records are left out; fetch with expand names them all"
            .to_owned(),
        param: Some("expand_limit".to_owned()),
        detail: None,
    }
}

/// What names a record.
pub(crate) fn record_ref(record: &Record) -> RecordRef {
    RecordRef {
        connection_id: record.connection_id.clone(),
        stream: record.stream.clone(),
        record_id: record.id.clone(),
        number: record.number,
    }
}

/// A record as data. It stays as it is; its large parts are set aside meanwhile instead of copied.
fn record_value(record: &mut Record) -> Value {
    let (data, mut expanded) = (record.data.take(), std::mem::take(&mut record.expanded));
    let mut members = match serde_json::to_value(&*record) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    if let Some(data) = &data {
        members.insert("data".to_owned(), Value::Object(numbers::object(data)));
    }
    if !expanded.is_empty() {
        let value = |expanded: &mut Expanded| match expanded {
            Expanded::One(one) => one.as_mut().map_or(Value::Null, |one| record_value(one)),
            Expanded::Many(list) => {
                let data: Vec<Value> = list.data.iter_mut().map(record_value).collect();
                json!({"object": "list", "has_more": list.has_more, "data": data})
            }
        };
        let related = expanded.iter_mut().map(|(name, one)| (name.clone(), value(one)));
        members.insert("expanded".to_owned(), Value::Object(related.collect()));
    }
    (record.data, record.expanded) = (data, expanded);
    Value::Object(members)
}
