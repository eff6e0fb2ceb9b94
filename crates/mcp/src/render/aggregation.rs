//! An aggregation in both views.

use pdpp_contract::Json;
use pdpp_contract::aggregate::{Aggregation, Group, Metric};
use serde_json::{Map, Value, json};

use super::measure::json_bytes;
use super::numbers;
use super::one_line::{counted, one_line, quoted};
use crate::ids::printed;

/// The most of a group's key, or of a value, in the text.
const KEY_CHARS: usize = 80;
const VALUE_CHARS: usize = 200;
/// Bytes of an answer: as many as any may have but for its frame.
const ANSWER_BYTES: usize = 49_152 - 1_024;
/// What the note about groups that did not fit takes, in both views.
const REDUCED_BYTES: usize = 400;
/// A text over this long is shortened, and to this.
const LONGEST_CHARS: usize = 1_024;
const SHORTENED_CHARS: usize = 256;

/// An answer whose long texts are shortened: a count by texts is no way to read them.
pub(crate) struct AggregationView {
    answer: Aggregation,
    /// How many characters the value or total had.
    value_chars: Option<usize>,
    /// How many characters the key and the value of each group had.
    group_chars: Vec<(Option<usize>, Option<usize>)>,
}

impl AggregationView {
    pub(crate) fn new(mut answer: Aggregation) -> Self {
        let group_chars = answer
            .groups
            .iter_mut()
            .flatten()
            .map(|group| (shortened(&mut group.key), group.value.as_mut().and_then(shortened)));
        let group_chars = group_chars.collect();
        let one = answer.value.as_mut().or(answer.total.as_mut());
        Self { value_chars: one.and_then(shortened), group_chars, answer }
    }

    /// How many groups to ask for instead, when these are too many for one answer.
    pub(crate) fn too_many(&self) -> Option<usize> {
        let groups = self.groups();
        let bytes = json_bytes(&self.text()) + json_bytes(&self.data());
        if bytes <= ANSWER_BYTES || groups.len() <= 1 {
            return None;
        }
        let sizes = groups.iter().enumerate().map(|(at, group)| {
            json_bytes(&self.line(at, group)) + json_bytes(&self.entry(at, group))
        });
        let sizes: Vec<usize> = sizes.collect();
        let mut used = bytes.saturating_sub(sizes.iter().sum()) + REDUCED_BYTES;
        let fits = sizes.iter().take_while(|size| {
            used += **size;
            used <= ANSWER_BYTES
        });
        Some(fits.count().max(1).min(groups.len() - 1))
    }

    fn groups(&self) -> &[Group] {
        self.answer.groups.as_deref().unwrap_or_default()
    }

    fn chars(&self, at: usize) -> (Option<usize>, Option<usize>) {
        self.group_chars.get(at).copied().unwrap_or_default()
    }

    /// The answer as text.
    pub(crate) fn text(&self) -> String {
        let mut out = self.heading();
        for (at, group) in self.groups().iter().enumerate() {
            out.push_str(&self.line(at, group));
        }
        let cut = |(key, value): &(Option<usize>, Option<usize>)| key.is_some() || value.is_some();
        if self.value_chars.is_some() || self.group_chars.iter().any(cut) {
            out.push_str(
                "\nTexts with a size are cut. Read them: query_records with this field in fields \
                 and sort, then read_record_field.",
            );
        }
        out
    }

    /// What was computed over how much, and how to go on.
    fn heading(&self) -> String {
        let answer = &self.answer;
        let over = answer.field.as_ref().map(|field| format!(" of {field}")).unwrap_or_default();
        let what = format!("{}({}){over}", answer.metric.as_str(), answer.stream);
        let about = counted(answer.filtered_record_count, "record");
        let size = size_note(self.value_chars);
        let Some(groups) = &answer.groups else {
            return format!("{what} = {}{size} over {about}", spelled(answer.value.as_ref()));
        };
        let mut out = format!("{what}{}:", self.grouping());
        let shown = groups.len() as u64;
        match answer.group_count.filter(|all| *all != shown) {
            Some(all) => out.push_str(&format!(" {shown} of {}", counted(all, "group"))),
            None => out.push_str(&format!(" {}", counted(shown, "group"))),
        }
        out.push_str(&format!(" over {about}"));
        if answer.metric != Metric::Count && answer.total.is_some() {
            out.push_str(&format!("; total={}{size}", spelled(answer.total.as_ref())));
        }
        if let Some(other) = answer.other_count {
            out.push_str(&format!("; other_count={other} in other groups"));
        }
        for warning in &answer.meta.warnings {
            out.push_str(&format!(" [{}]", one_line(&warning.message, VALUE_CHARS)));
        }
        if let Some(cursor) = &answer.next_cursor {
            out.push_str(&format!("; next_cursor={}", printed(cursor)));
        }
        out
    }

    fn grouping(&self) -> String {
        let answer = &self.answer;
        let mut out = String::new();
        if let Some(field) = &answer.group_by {
            out.push_str(&format!(" group_by={field}"));
        }
        if let (Some(field), Some(width)) = (&answer.group_by_time, answer.granularity) {
            let zone = answer.time_zone.as_deref().unwrap_or("UTC");
            let width = width.as_str();
            out.push_str(&format!(" group_by_time={field} granularity={width} time_zone={zone}"));
        }
        out
    }

    /// `2026-01-01 "food" = 10.3 (3 records)`
    fn line(&self, at: usize, group: &Group) -> String {
        let (key_chars, value_chars) = self.chars(at);
        let time = match &group.time {
            Some(Json::String(time)) => format!("{time} "),
            Some(_) => "(no time) ".to_owned(),
            None => String::new(),
        };
        let key = match &group.key {
            Json::String(text) => quoted(text, KEY_CHARS),
            other => one_line(&other.to_canonical(), KEY_CHARS),
        };
        let key = format!("\n{time}{key}{}", size_note(key_chars));
        match &group.value {
            None => format!("{key} = {}", group.count),
            Some(value) => {
                let (value, size) = (spelled(Some(value)), size_note(value_chars));
                format!("{key} = {value}{size} ({})", counted(group.count, "record"))
            }
        }
    }

    fn entry(&self, at: usize, group: &Group) -> Value {
        let (key_chars, value_chars) = self.chars(at);
        let mut members = Map::new();
        members.insert("key".to_owned(), numbers::value(&group.key));
        if let Some(time) = &group.time {
            members.insert("time".to_owned(), numbers::value(time));
        }
        members.insert("count".to_owned(), json!(group.count));
        if let Some(value) = &group.value {
            members.insert("value".to_owned(), numbers::value(value));
        }
        for (name, chars) in [("key_size_chars", key_chars), ("value_size_chars", value_chars)] {
            if let Some(chars) = chars {
                members.insert(name.to_owned(), json!(chars));
            }
        }
        Value::Object(members)
    }

    /// The answer as data.
    pub(crate) fn data(&self) -> Value {
        let answer = &self.answer;
        // Numbers that were stored are put in by hand: on the way to data they would be rounded.
        let frame = Aggregation { value: None, total: None, groups: None, ..answer.clone() };
        let mut members = match serde_json::to_value(frame) {
            Ok(Value::Object(members)) => members,
            _ => Map::new(),
        };
        for (name, value) in [("value", &answer.value), ("total", &answer.total)] {
            if let Some(value) = value {
                members.insert(name.to_owned(), numbers::value(value));
            }
        }
        if let Some(chars) = self.value_chars {
            members.insert("value_size_chars".to_owned(), json!(chars));
        }
        if let Some(groups) = &answer.groups {
            let entries = groups.iter().enumerate().map(|(at, group)| self.entry(at, group));
            members.insert("groups".to_owned(), entries.collect());
        }
        Value::Object(members)
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

fn spelled(value: Option<&Json>) -> String {
    let value = value.map_or("null".to_owned(), Json::to_canonical);
    one_line(&value, VALUE_CHARS)
}
