//! Dropped changes of one record, told so precisely that each grant knows whether it could see them.
//!
//! Per field that a dropped version had changed: the next version that was kept, and how the record
//! stood around the drop, with its times and what it carried. A change was visible to a grant if
//! the record was in its view before or after. Nothing else may expire a bookmark.

use std::collections::BTreeMap;

use crate::changes::version_view::VersionView;
use crate::changes::versions::Version;
use crate::numbers::ChangeNo;
use crate::records::scope::TimeBounds;
use crate::records::sort_key::SortKey;
use crate::writes::prepare::{FLAG_CODES, FLAG_SECRETS};

/// Bytes of a time key.
const KEY: usize = 13;
/// Spans of times that are kept apart per field; beyond that, neighbours become one.
const SPANS: usize = 8;
/// What a record may carry.
const CODES: u8 = 1;
const SECRETS: u8 = 2;
/// Each way of carrying these or not.
const ALL_WAYS: std::ops::RangeInclusive<u8> = 0..=CODES | SECRETS;

/// Dropped changes by field number.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct LostChanges(BTreeMap<u16, Lost>);

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Lost {
    /// A reader who stands at or after this change misses nothing.
    next: ChangeNo,
    /// In which ways the record was there, a bit for each: with nothing, codes, secrets, both.
    seen: u8,
    spans: Vec<Span>,
}

/// Times of a field between which the record lay.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    /// What the record carried.
    carried: u8,
    time_field: u16,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl LostChanges {
    /// Notes that a version was dropped which had changed these fields. `around` are it and the one
    /// before it, `next` the first one after it that stays; `time_field` is the one whose keys the log
    /// keeps.
    pub(crate) fn add(
        &mut self,
        fields: &[u16],
        around: [Option<&Version>; 2],
        next: ChangeNo,
        time_field: Option<u16>,
    ) {
        for field in fields {
            let lost = self.0.entry(*field).or_default();
            lost.next = lost.next.max(next);
            for version in around.into_iter().flatten().filter(|version| !version.deleted) {
                lost.note(version, time_field);
            }
        }
    }

    /// Adds what was lost earlier.
    pub(crate) fn merge(&mut self, earlier: Self) {
        for (field, other) in earlier.0 {
            let lost = self.0.entry(field).or_default();
            lost.next = lost.next.max(other.next);
            lost.seen |= other.seen;
            other.spans.into_iter().for_each(|span| lost.widen(span));
        }
    }

    /// A reader who stands here or later misses nothing, whatever it may see.
    pub(crate) fn highest(&self) -> ChangeNo {
        self.0.values().map(|lost| lost.next).max().unwrap_or_default()
    }

    /// The same for what a view could see; 0 when it could see none of it.
    pub(crate) fn highest_seen(&self, view: &VersionView<'_>) -> ChangeNo {
        let seen = |(field, lost): &(&u16, &Lost)| view.depends_on(**field) && lost.was_seen(view);
        self.0.iter().filter(seen).map(|(_, lost)| lost.next).max().unwrap_or_default()
    }

    /// As stored.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (field, lost) in &self.0 {
            bytes.extend_from_slice(&field.to_be_bytes());
            bytes.extend_from_slice(&lost.next.0.to_be_bytes());
            bytes.push(lost.seen);
            bytes.push(u8::try_from(lost.spans.len()).unwrap_or(u8::MAX));
            for span in &lost.spans {
                bytes.push(span.carried);
                bytes.extend_from_slice(&span.time_field.to_be_bytes());
                bytes.extend_from_slice(&span.first);
                bytes.extend_from_slice(&span.last);
            }
        }
        bytes
    }

    /// Reads what is stored.
    pub(crate) fn from_bytes(bytes: Option<&[u8]>) -> Self {
        let mut rest = bytes.unwrap_or_default();
        let mut lost = BTreeMap::new();
        while let Some((field, own, after)) = entry(rest) {
            lost.insert(field, own);
            rest = after;
        }
        Self(lost)
    }
}

impl Lost {
    fn note(&mut self, version: &Version, time_field: Option<u16>) {
        let codes = if version.carries_codes() { CODES } else { 0 };
        let carried = codes | if version.carries_secrets() { SECRETS } else { 0 };
        self.seen |= 1 << carried;
        let present = time_field.zip(version.time_key.as_ref());
        let others = version.other_times.iter().map(|(field, key)| (*field, key));
        for (time_field, key) in present.into_iter().chain(others) {
            if key.len() == KEY {
                let (first, last) = (key.clone(), key.clone());
                self.widen(Span { carried, time_field, first, last });
            }
        }
    }

    fn widen(&mut self, span: Span) {
        if self.spans.contains(&span) {
            return;
        }
        self.spans.push(span);
        self.spans.sort();
        while self.spans.len() > SPANS {
            let same = |pair: &[Span]| match pair {
                [one, other] => (one.carried, one.time_field) == (other.carried, other.time_field),
                _ => false,
            };
            let Some(at) = self.spans.windows(2).position(same) else { return };
            let second = self.spans.remove(at + 1);
            if let Some(first) = self.spans.get_mut(at) {
                first.last = first.last.clone().max(second.last);
            }
        }
    }

    fn was_seen(&self, view: &VersionView<'_>) -> bool {
        let marks = view.hidden_marks();
        let codes = if marks & FLAG_CODES == 0 { 0 } else { CODES };
        let hidden = codes | if marks & FLAG_SECRETS == 0 { 0 } else { SECRETS };
        let Some((time_field, bounds)) = view.time_limit() else {
            return ALL_WAYS
                .into_iter()
                .any(|way| way & hidden == 0 && self.seen & (1 << way) != 0);
        };
        self.spans.iter().any(|span| {
            span.carried & hidden == 0
                && Some(span.time_field) == time_field
                && meets(bounds, &span.first, &span.last)
        })
    }
}

fn meets(bounds: &TimeBounds, first: &[u8], last: &[u8]) -> bool {
    bounds.since.is_none_or(|since| last >= SortKey::time(since).as_bytes())
        && bounds.until.is_none_or(|until| first < SortKey::time(until).as_bytes())
}

fn entry(bytes: &[u8]) -> Option<(u16, Lost, &[u8])> {
    let (field, rest) = bytes.split_first_chunk::<2>()?;
    let (next, rest) = rest.split_first_chunk::<8>()?;
    let ([seen, count], mut rest) = rest.split_first_chunk::<2>()?;
    let mut spans = Vec::new();
    for _ in 0..*count {
        let (carried, after) = rest.split_first()?;
        let (time_field, after) = after.split_first_chunk::<2>()?;
        let (first, after) = after.split_first_chunk::<KEY>()?;
        let (last, after) = after.split_first_chunk::<KEY>()?;
        let time_field = u16::from_be_bytes(*time_field);
        let (first, last) = (first.to_vec(), last.to_vec());
        spans.push(Span { carried: *carried, time_field, first, last });
        rest = after;
    }
    let lost = Lost { next: ChangeNo(i64::from_be_bytes(*next)), seen: *seen, spans };
    Some((u16::from_be_bytes(*field), lost, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::time_keys::TimeKeys;

    fn version(minute: u8, flags: i64) -> Version {
        let mut key = vec![0x40; KEY];
        key[KEY - 1] = minute;
        Version {
            change_no: ChangeNo(1),
            deleted: false,
            flags,
            emitted_at: String::new(),
            time_key: Some(key),
            other_times: TimeKeys::new(),
            field_hashes: Vec::new(),
        }
    }

    #[test]
    fn what_was_lost_reads_back() {
        let mut lost = LostChanges::default();
        let (one, other) = (version(1, 0), version(9, FLAG_CODES | FLAG_SECRETS));
        lost.add(&[3, 4], [Some(&one), Some(&other)], ChangeNo(12), Some(2));
        lost.add(&[4], [None, Some(&one)], ChangeNo(20), None);
        assert_eq!(LostChanges::from_bytes(Some(&lost.to_bytes())), lost);
        assert_eq!(
            (lost.highest(), LostChanges::from_bytes(None).highest()),
            (ChangeNo(20), ChangeNo(0))
        );
    }

    #[test]
    fn many_times_become_few_spans() {
        let mut lost = LostChanges::default();
        for minute in 0..100 {
            lost.add(&[3], [None, Some(&version(minute, 0))], ChangeNo(12), Some(2));
        }
        let spans = &lost.0[&3].spans;
        assert_eq!(spans.len(), SPANS);
        assert_eq!((spans[0].first[KEY - 1], spans[SPANS - 1].last[KEY - 1]), (0, 99));
    }
}
