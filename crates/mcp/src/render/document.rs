//! A record as a document: short fields as lines, long ones as sections, verbatim, within a bound.

use pdpp_contract::Json;
use pdpp_contract::record::Record;
use pdpp_contract::roles::{TIMES, TITLES};

use crate::render::ladder::ReadOn;
use crate::render::one_line::{is_unsafe, one_line};
use crate::render::preview::{Cut, Holds};

/// Characters of a document's text.
pub(crate) const DOCUMENT_CHARS: usize = 16_384;
/// A text up to this long, without a line break or the like, stands in one line.
const LINE_CHARS: usize = 240;
/// What the note at a cut takes at most, beside the id.
const NOTE_CHARS: usize = 160;

/// One field of a document.
pub(crate) struct Part {
    pub name: String,
    pub text: String,
    pub is_section: bool,
    /// What is missing, when the text is only a beginning.
    pub cut: Option<Cut>,
    order: usize,
}

/// The parts of a record: lines first, then sections.
pub(crate) fn parts(record: &Record, cuts: &[Cut]) -> Vec<Part> {
    let fields = record.data.iter().flatten().filter(|(_, value)| !matches!(value, Json::Null));
    let mut parts: Vec<Part> = fields
        .map(|(name, value)| {
            let cut = cuts.iter().find(|cut| cut.path == *name).cloned();
            part(name, value, cut)
        })
        .collect();
    parts.sort_by_key(|part| (part.is_section, part.order));
    parts
}

/// Adds related records, one line per relation, after the record's own lines.
pub(crate) fn add_related(parts: &mut Vec<Part>, relations: &[(String, String)]) {
    for (name, text) in relations {
        let part = Part {
            name: name.clone(),
            text: text.clone(),
            is_section: false,
            cut: None,
            order: 80,
        };
        let at = parts.iter().take_while(|known| !known.is_section).count();
        parts.insert(at, part);
    }
}

fn part(name: &str, value: &Json, cut: Option<Cut>) -> Part {
    let order = order(name);
    let name = name.to_owned();
    let line = |text: String, cut| Part { name: name.clone(), text, is_section: false, cut, order };
    match cut {
        Some(cut) if cut.holds == Holds::Blob => {
            let mime = cut.mime_type.as_deref().unwrap_or("unknown type");
            let size = cut.size_bytes.map_or(String::new(), |size| format!(", {size} bytes"));
            line(format!("[binary {}{size}]", one_line(mime, 80)), Some(cut))
        }
        Some(cut) if cut.holds == Holds::Encoded => {
            let size = cut.size_chars.unwrap_or_default();
            line(format!("[encoded bytes, {size} characters]"), Some(cut))
        }
        cut => {
            let text = match value {
                Json::String(text) => text.clone(),
                other => other.to_canonical(),
            };
            // What could look like more than one line gets a section of its own; both are verbatim.
            let plain = !text.chars().any(is_unsafe);
            let short = plain && text.chars().nth(LINE_CHARS).is_none();
            if short && cut.is_none() {
                return line(text, None);
            }
            Part { name: name.clone(), text, is_section: true, cut, order }
        }
    }
}

/// What names a record first, then when, then the rest.
fn order(name: &str) -> usize {
    if let Some(at) = TITLES.iter().position(|title| *title == name) {
        return at;
    }
    TIMES.iter().position(|time| *time == name).map_or(50, |at| 10 + at)
}

/// How many characters each section gets; sections that need less leave it to the others.
pub(crate) fn allot(parts: &[Part]) -> Vec<usize> {
    let lines: usize = parts.iter().filter(|part| !part.is_section).map(line_chars).sum();
    let frames: usize =
        parts.iter().filter(|part| part.is_section).map(|part| part.name.chars().count() + 4).sum();
    let mut left = DOCUMENT_CHARS.saturating_sub(lines + frames);
    let mut sections: Vec<(usize, usize)> = parts
        .iter()
        .enumerate()
        .filter(|(_, part)| part.is_section)
        .map(|(at, part)| (whole_chars(part), at))
        .collect();
    sections.sort_unstable();
    let mut given = vec![0; parts.len()];
    let count = sections.len();
    for (done, (whole, at)) in sections.into_iter().enumerate() {
        let share = left / (count - done);
        let takes = if whole <= share { whole } else { share.saturating_sub(NOTE_CHARS) };
        left -= if whole <= share { whole } else { share };
        if let Some(slot) = given.get_mut(at) {
            *slot = takes;
        }
    }
    given
}

/// Characters of a part's whole text.
pub(crate) fn whole_chars(part: &Part) -> usize {
    let known = part.cut.as_ref().and_then(|cut| cut.size_chars);
    known.and_then(|size| usize::try_from(size).ok()).unwrap_or_else(|| part.text.chars().count())
}

fn line_chars(part: &Part) -> usize {
    part.name.chars().count() + part.text.chars().count() + 3
}

/// The document's text, and how many of the leading parts it holds.
pub(crate) fn text(parts: &[Part], read_on: ReadOn) -> (String, usize) {
    let mut out = String::new();
    let mut chars = 0;
    for (at, part) in parts.iter().enumerate() {
        let name = one_line(&part.name, 128);
        let piece = match (part.is_section, &part.cut) {
            (false, _) => format!("{name}: {}\n", part.text),
            (true, None) => format!("\n{name}:\n{}\n", part.text),
            (true, Some(cut)) => {
                let (shown, size) = (cut.shown_chars, cut.size_chars.unwrap_or_default());
                let brief = one_line(&part.name, 40);
                let way = match read_on {
                    ReadOn::Windows => format!("read_record_field with offset_chars {shown}"),
                    ReadOn::Alone => "fetch with this field alone in fields shows more".to_owned(),
                    ReadOn::Nowhere => "the rest cannot be read at this provider".to_owned(),
                };
                let note = format!("[{brief} goes on: {shown} of {size} characters shown; {way}]");
                format!("\n{name}:\n{}\n{note}\n", part.text)
            }
        };
        chars += piece.chars().count();
        if chars > DOCUMENT_CHARS {
            return (out.trim_end_matches('\n').to_owned(), at);
        }
        out.push_str(&piece);
    }
    if out.ends_with('\n') {
        out.pop();
    }
    (out.trim_start_matches('\n').to_owned(), parts.len())
}
