//! What a scope and a query show of a record's versions, told from the log alone.
//!
//! The log has no values. An exact condition on text is decided by its keyed hash, one on the time
//! field by the time key; where neither helps, the answer is [`Sight::Unsure`].

use std::collections::{BTreeMap, HashSet};

use pdpp_contract::FieldName;

use crate::changes::pruning::Seen;
use crate::changes::versions::{CODES, EXISTENCE, SECRETS, Version};
use crate::records::scope::{CollectionScope, TimeBounds};
use crate::records::sort_key::{KeyKind, SortKey};
use crate::records::{CollectionQuery, Test};
use crate::writes::hashing::HashKey;

/// What is seen of a version. Equal bytes: the asked fields have equal values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Nothing.
    Hidden,
    /// The asked fields, as hashes.
    Seen(Vec<u8>),
    /// The same, if the record fulfilled the conditions then.
    Unsure(Vec<u8>),
}

/// The asked part of one collection.
pub(crate) struct VersionView<'a> {
    scope: &'a CollectionScope,
    /// Fields whose values are returned or asked about, by number.
    shown: HashSet<u16>,
    /// Fields that conditions are about, by number.
    tested: HashSet<u16>,
    tests: Vec<VersionTest>,
    time_field: Option<u16>,
    times: Times,
    null: u64,
}

struct VersionTest {
    /// `None` when no version ever had the field.
    field_no: Option<u16>,
    rule: Rule,
}

enum Rule {
    /// Fulfilled exactly by this hash.
    Is(u64),
    /// Fulfilled by this hash, perhaps by others: a number or a time has many spellings.
    IsLike(u64),
    /// Decided by the time key.
    Time(Test),
    /// Not to be told from a hash.
    Open,
}

/// Where the log keeps the times that a scope is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    /// It has no limit, or one on the present time field.
    Present,
    /// Among those of former time fields.
    Former,
    /// Nowhere.
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Unsure,
}

impl<'a> VersionView<'a> {
    /// A view by the numbers a collection gives its fields. `time_field` is the one whose keys the
    /// log keeps.
    pub(crate) fn new(
        scope: &'a CollectionScope,
        query: &CollectionQuery,
        wanted: Option<&[FieldName]>,
        names: &BTreeMap<String, u16>,
        log: &LogKeys<'_>,
    ) -> Self {
        let number = |field: &FieldName| names.get(field.as_str()).copied();
        let is_shown = |field: &&FieldName| wanted.is_none_or(|wanted| wanted.contains(field));
        let mut shown: HashSet<u16> =
            scope.fields.iter().filter(is_shown).filter_map(number).collect();
        let tests: Vec<VersionTest> = query
            .conditions
            .iter()
            .map(|condition| VersionTest {
                field_no: number(&condition.field),
                rule: rule(&condition.test, log.time_field == Some(&condition.field), log.hashing),
            })
            .collect();
        let tested: HashSet<u16> = tests.iter().filter_map(|test| test.field_no).collect();
        shown.extend(&tested);
        let time_field = scope.time.as_ref().and_then(|time| number(&time.field));
        let times = match &scope.time {
            None => Times::Present,
            Some(time) if log.time_field == Some(&time.field) => Times::Present,
            Some(time) if log.former.contains(time.field.as_str()) => Times::Former,
            Some(_) => Times::Unknown,
        };
        let null = log.hashing.canonical("null");
        Self { scope, shown, tested, tests, time_field, times, null }
    }

    /// The field of the scope's time limit, when the log keeps the times of another one: then a
    /// version lies inside only if its value is the one the record has now, and that lies inside.
    pub(crate) fn unknown_time(&self) -> Option<Option<u16>> {
        (self.times == Times::Unknown).then_some(self.time_field)
    }

    /// The number of the field that limits the scope, if it is a former time field. A field that no
    /// record ever had has none; the largest one stands for it.
    pub(crate) fn former_time_field(&self) -> Option<u16> {
        (self.times == Times::Former).then_some(self.time_field.unwrap_or(u16::MAX))
    }

    /// The scope's time limit, if the log keeps the times it is about in its own column.
    pub(crate) fn logged_time(&self) -> Option<&TimeBounds> {
        self.scope.time.as_ref().filter(|_| self.times == Times::Present)
    }

    /// The scope's time limit and the number of its field, if any record ever had that.
    pub(crate) fn time_limit(&self) -> Option<(Option<u16>, &TimeBounds)> {
        self.scope.time.as_ref().map(|bounds| (self.time_field, bounds))
    }

    /// The marks of records that are hidden.
    pub(crate) fn hidden_marks(&self) -> i64 {
        self.scope.hidden_marks()
    }

    fn time_of<'v>(&self, version: &'v Version) -> Option<&'v [u8]> {
        match self.former_time_field() {
            None => version.time_key.as_deref(),
            Some(field) => version.other_times.get(&field).map(Vec::as_slice),
        }
    }

    /// What is seen of a version.
    pub(crate) fn sight(&self, version: &Version) -> Sight {
        let left_out = version.flags & self.scope.hidden_marks() != 0;
        let inside =
            self.times == Times::Unknown || inside(self.scope.time.as_ref(), self.time_of(version));
        if version.deleted || left_out || !inside {
            return Sight::Hidden;
        }
        let answers = self.tests.iter().map(|test| self.answer(test, version));
        let together = answers.fold(Answer::Yes, |all, one| match (all, one) {
            (Answer::No, _) | (_, Answer::No) => Answer::No,
            (Answer::Unsure, _) | (_, Answer::Unsure) => Answer::Unsure,
            (Answer::Yes, Answer::Yes) => Answer::Yes,
        });
        match together {
            Answer::No => Sight::Hidden,
            Answer::Yes => Sight::Seen(only(&version.field_hashes, &self.shown)),
            Answer::Unsure => Sight::Unsure(only(&version.field_hashes, &self.shown)),
        }
    }

    /// The part of a version that conditions are about: equal parts fulfil the same conditions.
    pub(crate) fn tested(&self, version: &Version) -> Vec<u8> {
        only(&version.field_hashes, &self.tested)
    }

    /// Whether a change of this field, [`EXISTENCE`], [`CODES`] or [`SECRETS`] may alter what is seen.
    pub(crate) fn depends_on(&self, field_no: u16) -> bool {
        match field_no {
            EXISTENCE => true,
            CODES => self.scope.leave_out_codes,
            SECRETS => self.scope.leave_out_secrets,
            number => self.shown.contains(&number) || self.time_field == Some(number),
        }
    }

    /// Whether a record with times in this range, which was at some time without codes or secrets or
    /// not, can have been in the scope.
    pub(crate) fn could_see(&self, times: (Option<&[u8]>, Option<&[u8]>), seen: Seen) -> bool {
        if !seen.without(self.scope.leave_out_codes, self.scope.leave_out_secrets) {
            return false;
        }
        let Some(bounds) = self.scope.time.as_ref().filter(|_| self.times != Times::Unknown) else {
            return true;
        };
        let (Some(first), Some(last)) = times else {
            return false;
        };
        bounds.since.is_none_or(|since| last >= SortKey::time(since).as_bytes())
            && bounds.until.is_none_or(|until| first < SortKey::time(until).as_bytes())
    }

    fn answer(&self, test: &VersionTest, version: &Version) -> Answer {
        let hash = test.field_no.and_then(|number| version.hash(number));
        let Some(hash) = hash.filter(|hash| *hash != self.null) else {
            return Answer::No;
        };
        let known = |holds: bool| if holds { Answer::Yes } else { Answer::No };
        match &test.rule {
            Rule::Is(wanted) => known(hash == *wanted),
            Rule::IsLike(wanted) if hash == *wanted => Answer::Yes,
            // A version from before the field became the time field may have a value and no key.
            Rule::Time(test) => {
                version.time_key.as_deref().map_or(Answer::Unsure, |key| known(holds(test, key)))
            }
            Rule::IsLike(_) | Rule::Open => Answer::Unsure,
        }
    }
}

/// What the log of a collection was written with.
pub(crate) struct LogKeys<'a> {
    pub hashing: &'a HashKey,
    /// The field whose time keys stand in the log.
    pub time_field: Option<&'a FieldName>,
    /// The fields whose time keys stand beside them.
    pub former: &'a HashSet<String>,
}

fn rule(test: &Test, is_time_field: bool, hashing: &HashKey) -> Rule {
    let key = match test {
        Test::Equals { key, .. }
        | Test::AtLeast(key)
        | Test::Above(key)
        | Test::AtMost(key)
        | Test::Below(key) => key,
    };
    match (test, key.kind()) {
        (_, Some(KeyKind::Time)) if is_time_field => Rule::Time(test.clone()),
        (Test::Equals { text, .. }, Some(KeyKind::Text)) => Rule::Is(hashing.string(text)),
        (Test::Equals { text, .. }, Some(KeyKind::Boolean)) => Rule::Is(hashing.canonical(text)),
        (Test::Equals { text, .. }, Some(KeyKind::Number)) => Rule::IsLike(hashing.canonical(text)),
        (Test::Equals { text, .. }, Some(KeyKind::Time)) => Rule::IsLike(hashing.string(text)),
        _ => Rule::Open,
    }
}

fn holds(test: &Test, key: &[u8]) -> bool {
    match test {
        Test::Equals { key: wanted, .. } => key == wanted.as_bytes(),
        Test::AtLeast(bound) => key >= bound.as_bytes(),
        Test::Above(bound) => key > bound.as_bytes(),
        Test::AtMost(bound) => key <= bound.as_bytes(),
        Test::Below(bound) => key < bound.as_bytes(),
    }
}

/// The entries of a version's hashes that belong to some fields.
pub(crate) fn only(field_hashes: &[u8], fields: &HashSet<u16>) -> Vec<u8> {
    let is_wanted = |entry: &&[u8]| match entry {
        [high, low, ..] => fields.contains(&u16::from_be_bytes([*high, *low])),
        _ => false,
    };
    field_hashes.chunks(10).filter(is_wanted).flatten().copied().collect()
}

/// Whether a version's time lies inside a scope's bounds, by its key.
pub(crate) fn inside(time: Option<&TimeBounds>, key: Option<&[u8]>) -> bool {
    let Some(time) = time else {
        return true;
    };
    let Some(key) = key else {
        return false;
    };
    let bound = |instant| SortKey::time(instant);
    time.since.is_none_or(|since| key >= bound(since).as_bytes())
        && time.until.is_none_or(|until| key < bound(until).as_bytes())
}
