//! What a person would call a record: its own title, or where and when it is from.

use std::borrow::Cow;

use pdpp_contract::limits::MAX_DISPLAY_NAME_BYTES;
use pdpp_contract::record::Record;
use pdpp_contract::roles::{Roles, by_author};
use pdpp_contract::search::SearchHit;

use crate::render::one_line::one_line;

/// The longest title in data.
const TITLE_CHARS: usize = 160;

/// The title of a record from the fields that are shown.
pub(crate) fn of_record(record: &Record) -> String {
    let (roles, data) = (roles(record), record.data.iter().flatten());
    // A text so long that only its beginning is here names nothing.
    let is_whole = |name: &str| record.previews.iter().all(|preview| preview.field != name);
    let short = data.filter(|(name, _)| is_whole(name));
    let short = short.map(|(name, value)| (name.clone(), value.clone())).collect();
    roles.title(&short).unwrap_or_else(|| {
        let label = record.display_name.as_deref();
        let label = label.or(record.connector_key.as_ref().map(AsRef::as_ref));
        let time = roles.time(&short);
        fallback(label, record.stream.as_str(), time.as_deref().unwrap_or(record.id.as_str()))
    })
}

/// What the fields of a record are to a reader, known or guessed.
pub(crate) fn roles(record: &Record) -> Cow<'_, Roles> {
    match (&record.roles, &record.data) {
        (Some(roles), _) => Cow::Borrowed(roles),
        (None, Some(data)) => Cow::Owned(Roles::of_data(data)),
        (None, None) => Cow::Owned(Roles::default()),
    }
}

/// The title of a hit. Some providers give none.
pub(crate) fn of_hit(hit: &SearchHit) -> String {
    if let Some(title) = &hit.title {
        return title.clone();
    }
    if let Some((author, time)) = hit.author.as_deref().zip(hit.authored_at.as_deref()) {
        return one_line(&by_author(author, time), TITLE_CHARS);
    }
    let label = hit.display_name.as_deref().unwrap_or(hit.connector_key.as_str());
    let last = hit.authored_at.as_deref().unwrap_or(hit.record_key.as_str());
    fallback(Some(label), hit.stream.as_str(), last)
}

/// `label / stream / time`, or the record's key where no time is known.
fn fallback(label: Option<&str>, stream: &str, last: &str) -> String {
    let parts = label.into_iter().chain([stream, last]).map(|part| one_line(part, 80));
    parts.collect::<Vec<_>>().join(" / ")
}

/// A title as one line.
pub(crate) fn clean(title: &str) -> Option<String> {
    let line = one_line(title, TITLE_CHARS);
    (!line.is_empty()).then_some(line)
}

/// What the owner calls a connection, as one line.
pub(crate) fn label(display_name: &str) -> Option<String> {
    let line = one_line(display_name, MAX_DISPLAY_NAME_BYTES);
    (!line.is_empty()).then_some(line)
}
