//! `aggregate`: counts, sums and groups of one stream.

use pdpp_contract::aggregate::{
    AggregateRequest, Aggregation, Granularity, Group, Grouping, Metric,
};
use pdpp_contract::limits::{DEFAULT_GROUPS, MAX_GROUPS};
use pdpp_contract::{Json, StreamName};
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::call_context::CallContext;
use crate::arguments::asked_fields;
use crate::arguments::filters::filters;
use crate::arguments::{Arguments, wrong};
use crate::refusal::Refusal;
use crate::render::measure::json_bytes;
use crate::render::numbers;
use crate::render::one_line::{counted, one_line};
use super::{Definition, Tool};

const TOOL: Tool = Tool::Aggregate;
/// The most of a group's key in the text.
const KEY_CHARS: usize = 80;
/// Bytes of an answer: as many as any may have but for its frame, because groups have no next page.
const GROUPS_BYTES: usize = 49_152 - 1_024;
/// What the note about groups that did not fit takes, in both views.
const REDUCED_BYTES: usize = 240;
/// How the groups that did not fit are reached.
const TO_THE_OTHERS: &str = "narrow with filter to see the others";
/// A text over this long is shortened, and to this.
const LONGEST_CHARS: usize = 1_024;
const SHORTENED_CHARS: usize = 256;

/// What clients are told about the tool.
pub(super) fn definition() -> Definition {
    Definition {
        title: "Count and group",
        description: "Count records, or compute sum, min, max or count_distinct of a field, optionally per \
            value (group_by) or per stretch of time (group_by_time with granularity). Records beyond \
            the returned groups are in other_count. With several connections, connection_id is \
            needed.",
        input_schema: input_schema(),
        output_schema: output_schema(),
    }
}

fn input_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "stream": {"type": "string"},
            "metric": {
                "type": "string",
                "enum": ["count", "count_distinct", "sum", "min", "max"]
            },
            "field": {"type": "string", "description": "Needed unless metric is count."},
            "group_by": {"type": "string"},
            "group_by_time": {
                "type": "string",
                "description": "A time field; needs granularity."
            },
            "granularity": {
                "type": "string",
                "enum": ["minute", "hour", "day", "week", "month", "quarter", "year"]
            },
            "time_zone": {"type": "string", "description": "IANA name; UTC if absent."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "description": "Groups to return; default 10."
            },
            "filter": {
                "type": "object",
                "description": "Conditions that must all hold: {\"field\":value} or {\"field\":{\"gte\":…,\"gt\":…,\"lte\":…,\"lt\":…}}.",
                "additionalProperties": true
            },
            "connection_id": {"type": "string", "description": "Source to read."}
        },
        "required": ["stream", "metric"],
        "additionalProperties": false
    })
}

fn output_schema() -> JsonObject {
    rmcp::object!({
        "type": "object",
        "properties": {
            "data": {
                "type": "object",
                "description": "The aggregation: value or groups[], other_count."
            }
        },
        "required": ["data"],
        "additionalProperties": false
    })
}

impl CallContext {
    /// Answers `aggregate`.
    pub(crate) async fn aggregate(&self, arguments: Arguments) -> Result<ToolAnswer, Refusal> {
        let request = request(&arguments)?;
        let connection = request.connection_id.as_ref();
        self.one_source(TOOL, &arguments, &request.stream, connection).await?;
        let mut ask = request.clone();
        loop {
            let mut answer = match self.read.aggregate(ask.clone()).await {
                Ok(answer) => answer,
                Err(error) => {
                    let asked = asked_fields::of_aggregate(&request);
                    return Err(self
                        .explain_fields(error, &request.stream, connection, &asked)
                        .await);
                }
            };
            let whole = Whole::shorten(&mut answer);
            let groups = answer.groups.as_ref().map_or(0, Vec::len);
            let reduced =
                (ask.limit != request.limit).then(|| request.limit.unwrap_or(DEFAULT_GROUPS));
            let text = text(&answer, &whole, reduced);
            let data = envelope(&answer, &whole, reduced);
            let bytes = json_bytes(&text) + json_bytes(&data);
            if bytes <= GROUPS_BYTES || groups <= 1 {
                return Ok(ToolAnswer::new(text, json!({"data": data})));
            }
            let fewer = fitting(&answer, &whole, bytes).min(groups - 1);
            ask.limit = u32::try_from(fewer).ok();
        }
    }
}

/// How many groups to ask for instead, when all of them take so many bytes.
fn fitting(answer: &Aggregation, whole: &Whole, bytes: usize) -> usize {
    let groups = answer.groups.as_deref().unwrap_or_default();
    let sizes = groups.iter().enumerate().map(|(at, group)| {
        json_bytes(&line(group, whole.key(at))) + json_bytes(&entry(group, whole.key(at)))
    });
    let sizes: Vec<usize> = sizes.collect();
    let mut used = bytes.saturating_sub(sizes.iter().sum()) + REDUCED_BYTES;
    let fits = sizes.iter().take_while(|size| {
        used += **size;
        used <= GROUPS_BYTES
    });
    fits.count().max(1)
}

/// How long texts were before they were shortened; a count by texts is no way to read them.
struct Whole {
    value: Option<usize>,
    keys: Vec<Option<usize>>,
}

impl Whole {
    fn shorten(answer: &mut Aggregation) -> Self {
        let keys = answer.groups.iter_mut().flatten().map(|group| shortened(&mut group.key));
        let keys = keys.collect();
        Self { value: answer.value.as_mut().and_then(shortened), keys }
    }

    fn any(&self) -> bool {
        self.value.is_some() || self.keys.iter().any(Option::is_some)
    }

    fn key(&self, at: usize) -> Option<usize> {
        self.keys.get(at).copied().flatten()
    }
}

/// Shortens a long text; how many characters it had.
fn shortened(value: &mut Json) -> Option<usize> {
    let Json::String(text) = value else { return None };
    text.char_indices().nth(LONGEST_CHARS)?;
    let chars = text.chars().count();
    let (end, _) = text.char_indices().nth(SHORTENED_CHARS)?;
    text.truncate(end);
    Some(chars)
}

/// Says so where a text is not whole.
fn size_note(whole: Option<usize>) -> String {
    whole.map_or(String::new(), |chars| format!("({chars} chars)"))
}

fn text(answer: &Aggregation, whole: &Whole, reduced: Option<u32>) -> String {
    let mut out = counts(answer, whole, reduced);
    if whole.any() {
        out.push_str(
            "\nTexts with a size are cut. Read them: query_records with this field in fields \
             and sort, then read_record_field.",
        );
    }
    out
}

fn counts(answer: &Aggregation, whole: &Whole, reduced: Option<u32>) -> String {
    let over = answer.field.as_ref().map(|field| format!(" of {field}")).unwrap_or_default();
    let what = format!("{}({}){over}", answer.metric.as_str(), answer.stream);
    let about = counted(answer.filtered_record_count, "record");
    let Some(groups) = &answer.groups else {
        let value = answer.value.as_ref().map_or("null".to_owned(), Json::to_canonical);
        let size = size_note(whole.value);
        return format!("{what} = {}{size} over {about}", one_line(&value, 200));
    };
    let by = match (&answer.group_by, &answer.group_by_time, answer.granularity) {
        (Some(field), _, _) => format!("group_by={field}"),
        (None, Some(field), Some(width)) => {
            let zone = answer.time_zone.as_deref().unwrap_or("UTC");
            format!("group_by_time={field} granularity={} time_zone={zone}", width.as_str())
        }
        _ => "grouped".to_owned(),
    };
    let mut out = format!("{what} {by}: {} over {about}", counted(groups.len() as u64, "group"));
    if let Some(other) = answer.other_count {
        out.push_str(&format!("; other_count={other} in groups beyond limit"));
    }
    if let Some(requested) = reduced {
        let returned = groups.len();
        out.push_str(&format!(
            " [page_reduced requested={requested} returned={returned}; {TO_THE_OTHERS}]"
        ));
    }
    for (at, group) in groups.iter().enumerate() {
        out.push_str(&line(group, whole.key(at)));
    }
    out
}

fn line(group: &Group, whole: Option<usize>) -> String {
    let key = match &group.key {
        Json::String(text) => crate::render::one_line::quoted(text, KEY_CHARS),
        other => one_line(&other.to_canonical(), KEY_CHARS),
    };
    format!("\n{key}{} = {}", size_note(whole), group.count)
}

fn entry(group: &Group, whole: Option<usize>) -> Value {
    let mut out = json!({"key": numbers::value(&group.key), "count": group.count});
    if let (Some(chars), Some(members)) = (whole, out.as_object_mut()) {
        members.insert("key_size_chars".to_owned(), json!(chars));
    }
    out
}

fn envelope(answer: &Aggregation, whole: &Whole, reduced: Option<u32>) -> Value {
    // Numbers that were stored are put in by hand: on the way to data they would be rounded.
    let frame = Aggregation { value: None, groups: None, ..answer.clone() };
    let mut members = match serde_json::to_value(frame) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    if let Some(value) = &answer.value {
        members.insert("value".to_owned(), numbers::value(value));
    }
    if let Some(chars) = whole.value {
        members.insert("value_size_chars".to_owned(), json!(chars));
    }
    if let Some(groups) = &answer.groups {
        let entries = groups.iter().enumerate().map(|(at, group)| entry(group, whole.key(at)));
        members.insert("groups".to_owned(), entries.collect());
    }
    if let Some(requested) = reduced {
        let returned = answer.groups.as_ref().map_or(0, Vec::len);
        let note = json!({"requested": requested, "returned": returned, "hint": TO_THE_OTHERS});
        members.insert("page_reduced".to_owned(), note);
    }
    Value::Object(members)
}

fn request(arguments: &Arguments) -> Result<AggregateRequest, Refusal> {
    let stream: StreamName =
        arguments.name("stream")?.ok_or_else(|| wrong("stream", "is needed"))?;
    let words = Metric::ALL.map(Metric::as_str);
    let metric = arguments.choice("metric", &words)?.ok_or_else(|| wrong("metric", "is needed"))?;
    let metric = Metric::ALL.into_iter().find(|known| known.as_str() == metric);
    let metric = metric.ok_or_else(|| wrong("metric", "is needed"))?;
    let request = AggregateRequest {
        stream,
        metric,
        field: arguments.name("field")?,
        grouping: grouping(arguments)?,
        limit: arguments.small("limit", 1, MAX_GROUPS)?,
        filter: filters(arguments)?,
        connection_id: arguments.connection_id()?,
    };
    if request.field.is_none() && metric != Metric::Count {
        return Err(wrong("field", "is needed unless metric is count"));
    }
    if request.limit.is_some() && request.grouping == Grouping::None {
        return Err(wrong("limit", "is for groups; add group_by or group_by_time"));
    }
    Ok(request)
}

fn grouping(arguments: &Arguments) -> Result<Grouping, Refusal> {
    let words = Granularity::ALL.map(Granularity::as_str);
    let width = arguments.choice("granularity", &words)?;
    let width = width.and_then(|word| Granularity::ALL.into_iter().find(|g| g.as_str() == word));
    let time_zone = arguments.text("time_zone")?;
    match (arguments.name("group_by")?, arguments.name("group_by_time")?, width) {
        (Some(_), Some(_), _) => Err(wrong("group_by", "does not go with group_by_time")),
        (None, Some(field), Some(granularity)) => {
            Ok(Grouping::Time { field, granularity, time_zone })
        }
        (None, Some(_), None) => Err(wrong("granularity", "is needed with group_by_time")),
        (_, None, Some(_)) => Err(wrong("granularity", "goes with group_by_time only")),
        (_, None, None) if time_zone.is_some() => {
            Err(wrong("time_zone", "goes with group_by_time only"))
        }
        (Some(field), None, None) => Ok(Grouping::Field(field)),
        (None, None, None) => Ok(Grouping::None),
    }
}
