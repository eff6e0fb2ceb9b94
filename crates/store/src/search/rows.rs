//! From a record's searchable text to index rows. A row covers at most 64,000 characters; longer
//! fields have several, overlapping by more than the longest phrase that can be asked for.

use pdpp_contract::{FieldName, Json, JsonObject};

use crate::search::postings::encode_terms;
use crate::search::words::count_terms;
use crate::text::window::cut;

/// Characters one row covers.
pub const ROW_CHARS: u64 = 64_000;
/// Characters two neighbouring rows of one field share.
pub const OVERLAP_CHARS: u64 = 1_000;

/// One span of one field, as terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedSegment {
    /// The field.
    pub field: FieldName,
    /// The first character of the span in the field.
    pub start_chars: u64,
    /// Words in the span.
    pub words: u32,
    /// Its terms and how often each occurs, as they stand in a row's postings.
    pub terms: Vec<u8>,
}

/// One index row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PreparedRow {
    /// The spans it covers.
    pub segments: Vec<PreparedSegment>,
}

/// The rows of the fields that stay in the record.
pub fn short_rows(fields: &[FieldName], data: &JsonObject) -> Vec<PreparedRow> {
    let mut rows: Vec<PreparedRow> = Vec::new();
    let mut room = 0;
    for field in fields {
        let Some(Json::String(text)) = data.get(field.as_str()) else {
            continue;
        };
        let chars = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let segment = segment(field, text, 0);
        if segment.words == 0 {
            continue;
        }
        if let Some(row) = rows.last_mut().filter(|_| chars <= room) {
            row.segments.push(segment);
        } else {
            rows.push(PreparedRow { segments: vec![segment] });
            room = ROW_CHARS;
        }
        room = room.saturating_sub(chars);
    }
    rows
}

/// The rows of a long field, one at a time: a huge text is never held as terms.
pub fn long_rows<'a>(
    field: &'a FieldName,
    text: &'a str,
) -> impl Iterator<Item = PreparedRow> + 'a {
    let mut rest = text;
    let mut start_chars = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        while !done {
            let span = cut(rest, 0, ROW_CHARS);
            let segment = segment(field, span, start_chars);
            if span.len() == rest.len() {
                done = true;
            } else {
                let step = ROW_CHARS - OVERLAP_CHARS;
                rest = rest.get(cut(rest, 0, step).len()..).unwrap_or_default();
                start_chars += step;
            }
            if segment.words > 0 {
                return Some(PreparedRow { segments: vec![segment] });
            }
        }
        None
    })
}

fn segment(field: &FieldName, text: &str, start_chars: u64) -> PreparedSegment {
    let (words, terms) = count_terms(text, |words, terms| (words, encode_terms(terms)));
    PreparedSegment { field: field.clone(), start_chars, words, terms }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::search::postings::{Segment, decode, encode};

    fn terms(segment: &PreparedSegment) -> BTreeMap<String, u32> {
        let plain = Segment { field_no: 0, start_chars: 0, words: 0 };
        let decoded = decode(&encode(&[(plain, &segment.terms)])).unwrap();
        decoded.into_iter().flat_map(|(_, terms)| terms).collect()
    }

    #[test]
    fn a_long_field_is_covered_without_a_gap() {
        let text: String = (0..40_000).map(|n| format!("w{n} ")).collect();
        let field = FieldName::new("body").unwrap();
        let rows: Vec<_> = long_rows(&field, &text).collect();
        assert!(rows.len() > 3);
        let covered: Vec<_> = rows.iter().map(|row| terms(&row.segments[0])).collect();
        for n in 0..40_000 {
            let term = format!("w{n}");
            assert!(covered.iter().any(|row| row.contains_key(&term)), "{term} is in no row");
        }
        let starts: Vec<_> = rows.iter().map(|row| row.segments[0].start_chars).collect();
        assert_eq!(starts[1], ROW_CHARS - OVERLAP_CHARS);
    }

    #[test]
    fn short_fields_share_a_row() {
        let fields = ["a", "b", "c"].map(|name| FieldName::new(name).unwrap());
        let data = Json::parse(r#"{"a":"one two one","b":"three","c":5}"#).unwrap();
        let rows = short_rows(&fields, data.as_object().unwrap());
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].segments.len(), 2);
        assert_eq!(terms(&rows[0].segments[0])["one"], 2);
    }
}
