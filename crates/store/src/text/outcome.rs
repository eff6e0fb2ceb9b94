//! From visible records to a text answer: which record is read, and what was found in it. The same
//! for every backend.

use pdpp_contract::record::TextKind;
use pdpp_contract::{ConnectionId, Json};

use crate::numbers::RecordNo;
use crate::records::row::RecordRow;
use crate::records::scope::CollectionScope;
use crate::text::chunks::ChunkedText;
use crate::text::field_path::FieldPath;
use crate::text::search::first_in;
use crate::text::window::{Span, cut, match_span};
use crate::text::{TextAnswer, TextRead, TextWindow};
use crate::writes::hashing::TextDigest;

/// How a read goes on.
pub(crate) enum Choice<'a> {
    /// In this record, whose scope shows the field.
    Read(&'a CollectionScope, RecordRow),
    /// Not at all.
    Answer(TextAnswer),
}

/// Which of the visible records is read. A field that the scope does not show ends here, before
/// anything of its text is looked at.
pub(crate) fn choose<'a>(
    mut found: Vec<(&'a CollectionScope, RecordRow)>,
    path: &FieldPath,
) -> Choice<'a> {
    if found.len() > 1 {
        let mut connections: Vec<_> =
            found.iter().map(|(part, _)| part.connection.clone()).collect();
        connections.sort();
        return Choice::Answer(TextAnswer::Ambiguous(connections));
    }
    match found.pop() {
        None => Choice::Answer(TextAnswer::NoRecord),
        Some((part, row)) if part.fields.contains(path.field()) => Choice::Read(part, row),
        Some(_) => Choice::Answer(TextAnswer::NoField),
    }
}

/// What was found, before it is tied to its record.
pub(crate) enum Outcome {
    NoField,
    NotText(&'static str),
    NoMatch,
    Found(Found),
}

/// A span and the text it was cut from.
pub(crate) struct Found {
    pub kind: TextKind,
    pub total_chars: u64,
    pub digest: TextDigest,
    pub span: Span,
    pub text: String,
    pub matched: Option<(u64, u64)>,
}

impl Found {
    /// A span of a text that lives in chunks.
    pub(crate) fn in_chunks(
        whole: &ChunkedText,
        span: Span,
        text: String,
        matched: Option<(u64, u64)>,
    ) -> Self {
        let ChunkedText { kind, chars, digest, .. } = *whole;
        Self { kind, total_chars: chars, digest, span, text, matched }
    }
}

impl Outcome {
    /// The answer about a record.
    pub(crate) fn of(self, connection: &ConnectionId, record_no: RecordNo) -> TextAnswer {
        match self {
            Self::NoField => TextAnswer::NoField,
            Self::NotText(word) => TextAnswer::NotText(word),
            Self::NoMatch => TextAnswer::NoMatch,
            Self::Found(found) => TextAnswer::Text(TextWindow {
                connection: connection.clone(),
                record_no,
                kind: found.kind,
                total_chars: found.total_chars,
                digest: found.digest,
                start: found.span.start,
                text: found.text,
                matched: found.matched,
            }),
        }
    }
}

/// A span of a field that lives in its record; `None` when it lives outside or does not exist.
pub(crate) fn read_in_record(
    row: &RecordRow,
    path: &FieldPath,
    read: &TextRead,
) -> Option<Outcome> {
    let top = row.data.get(path.field().as_str())?;
    Some(path.walk(top).map_or(Outcome::NoField, |value| read_inline(value, read)))
}

/// A span of a value that is already in memory.
pub(crate) fn read_inline(value: &Json, read: &TextRead) -> Outcome {
    let (kind, text) = match value {
        Json::String(text) => (TextKind::String, text.clone()),
        Json::Array(_) | Json::Object(_) => (TextKind::Json, value.to_canonical()),
        other => return Outcome::NotText(other.type_name()),
    };
    let total_chars = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let (span, matched) = match read {
        TextRead::Range { start, limit } => (Span::range(*start, *limit, total_chars), None),
        TextRead::Match { q, before, after, limit } => {
            let Some(matched) = first_in(&text, q) else {
                return Outcome::NoMatch;
            };
            (match_span(matched, *before, *after, *limit, total_chars), Some(matched))
        }
    };
    let digest = TextDigest::of(&text);
    let text = cut(&text, span.start, span.length).to_owned();
    Outcome::Found(Found { kind, total_chars, digest, span, text, matched })
}
