//! Counting records by value.

use std::collections::HashMap;

use jiff::Timestamp;
use pdpp_contract::Json;

use super::DAY;
use super::Read;
use super::Row;
use super::Spelled;
use crate::aggregate::decimal::Sum;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::number::Decimal;
use crate::records::sort_value::{KeyValue, is_cut, value_of};
use crate::writes::hashing::TextDigest;

/// A longer group key is shown by its beginning.
pub(crate) const MAX_LABEL_CHARS: usize = 1_024;

/// Groups in progress.
pub(crate) struct Groups {
    most: usize,
    counts: HashMap<Vec<u8>, u64>,
    /// The group of the last row: a walk over the field's own index stays in it for long.
    last: Option<(Vec<u8>, u64)>,
    /// How values are shown whose key was cut.
    labels: HashMap<Vec<u8>, Json>,
    missing: u64,
    /// Midnights are shown as dates.
    dates: bool,
}

impl Groups {
    pub(super) fn new(most: usize) -> Self {
        let (counts, labels) = (HashMap::new(), HashMap::new());
        Self { most, counts, last: None, labels, missing: 0, dates: false }
    }

    pub(super) fn add(&mut self, row: &Row<'_>, key: &[u8], read: &Read<'_>) -> StoreResult<()> {
        self.dates |= row.is_date;
        if is_cut(key) {
            match identity(row.record_no, key, read)? {
                Some((identity, label)) => {
                    self.labels.entry(identity.clone()).or_insert(label);
                    self.count(&identity);
                }
                None => self.missing += 1,
            }
        } else {
            self.count(key);
        }
        Ok(())
    }

    fn count(&mut self, key: &[u8]) {
        match &mut self.last {
            Some((last, count)) if last.as_slice() == key => *count += 1,
            _ => {
                self.settle();
                self.last = Some((key.to_vec(), 1));
            }
        }
    }

    pub(super) fn add_missing(&mut self, count: u64) {
        self.missing += count;
    }

    fn settle(&mut self) {
        if let Some((key, count)) = self.last.take() {
            *self.counts.entry(key).or_insert(0) += count;
        }
    }

    /// The largest groups, equal ones by value; records without a value after their equals.
    pub(super) fn largest(mut self) -> Vec<(Json, u64)> {
        self.settle();
        let missing = (self.missing > 0).then_some((None, self.missing));
        let known = self.counts.iter().map(|(key, count)| (Some(key.as_slice()), *count));
        let mut groups: Vec<(Option<&[u8]>, u64)> = known.chain(missing).collect();
        groups.sort_unstable_by(|(key_a, a), (key_b, b)| {
            b.cmp(a).then(key_a.is_none().cmp(&key_b.is_none())).then(key_a.cmp(key_b))
        });
        groups.truncate(self.most);
        groups.into_iter().map(|(key, count)| (self.label(key), count)).collect()
    }

    fn label(&self, key: Option<&[u8]>) -> Json {
        let Some(key) = key else {
            return Json::Null;
        };
        match value_of(key) {
            Some(KeyValue::Boolean(flag)) => Json::Bool(flag),
            Some(KeyValue::Text(text)) => Json::String(text.to_owned()),
            Some(KeyValue::Number(number)) => {
                let mut value = Sum::default();
                value.add(number);
                value.to_text().map_or(Json::Null, Json::Number)
            }
            Some(KeyValue::Time { seconds, nanos }) => self.time_label(seconds, nanos),
            None => self.labels.get(key).cloned().unwrap_or(Json::Null),
        }
    }

    fn time_label(&self, seconds: i64, nanos: u32) -> Json {
        let nanos = i32::try_from(nanos).unwrap_or(0);
        let Ok(at) = Timestamp::new(seconds, nanos) else {
            return Json::Null;
        };
        let text = at.to_string();
        let is_date = self.dates && nanos == 0 && seconds.rem_euclid(DAY) == 0;
        Json::String(if is_date { text.chars().take(10).collect() } else { text })
    }
}

/// What tells the value of a cut key from others, and how it is shown: the key and a digest of the
/// whole. A text has the same identity inside its record and outside.
pub(super) fn identity(
    record_no: RecordNo,
    key: &[u8],
    read: &Read<'_>,
) -> StoreResult<Option<(Vec<u8>, Json)>> {
    let (digest, label) = match read(record_no)? {
        Some(Spelled::Here(Json::String(text))) => {
            (TextDigest::of(&text), Json::String(shortened(&text)))
        }
        Some(Spelled::Outside(digest, beginning)) => (digest, Json::String(shortened(&beginning))),
        Some(Spelled::Here(Json::Number(text))) => match Decimal::parse(&text) {
            Some(number) => (TextDigest::of(&number.normal()), Json::Number(text)),
            None => return Ok(None),
        },
        Some(Spelled::Here(_)) | None => return Ok(None),
    };
    let mut identity = key.to_vec();
    identity.extend_from_slice(&digest.0);
    Ok(Some((identity, label)))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_LABEL_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
