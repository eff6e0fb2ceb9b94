//! The faults themselves: what each one does to a scope, a page, a window, a batch.

use std::time::Duration;

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::{FieldName, Instant};
use pdpp_store::connections::NewConnection;
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::records::{CollectionQuery, ListPage, ListQuery, StoredRecord};
use pdpp_store::related::RelatedPage;
use pdpp_store::search::SearchMatches;
use pdpp_store::text::{TextAnswer, TextRead};
use pdpp_store::writes::WriteMode;
use pdpp_store::{CollectionScope, ReadScope, SortKey};

/// One way to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    DropsTies,
    MissingFirst,
    JoinsConnections,
    WidensTime,
    ForgetsTime,
    ShowsHiddenFields,
    RevealsHiddenChanges,
    ForgetsCodes,
    ForgetsRecordList,
    ShiftsWindows,
    MindsCase,
    ForgetsDeletes,
    KeepsRefusedBatches,
    CountsEverything,
    ForgetsErasure,
    HidesTheRest,
    ShiftsBlobs,
    LosesFarWords,
    LosesWhatChanged,
    ForgetsMoves,
    TypesOnlySome,
}

impl Fault {
    /// The connection that is really made.
    pub fn declared(self, mut new: NewConnection) -> NewConnection {
        if self == Self::TypesOnlySome {
            for stream in &mut new.declaration.streams {
                stream.query.aggregations.group_by.truncate(100);
            }
        }
        new
    }

    /// The scope a read really gets.
    pub fn scope(self, scope: &ReadScope) -> ReadScope {
        let changed = scope.collections().iter().cloned().map(|mut part| {
            self.collection(&mut part);
            part
        });
        ReadScope::new(changed.collect())
    }

    fn collection(self, part: &mut CollectionScope) {
        match self {
            Self::ForgetsTime => part.time = None,
            Self::ForgetsCodes => part.leave_out_codes = false,
            Self::ForgetsRecordList => part.records = None,
            Self::ShowsHiddenFields | Self::RevealsHiddenChanges => {
                let names = ["at", "body", "secret", "parts", "count", "title"];
                part.fields.extend(names.map(field_name));
            }
            Self::WidensTime => {
                let second = Duration::from_secs(1);
                if let Some(time) = &mut part.time {
                    let moved = |end: Instant, later: bool| {
                        let at = end.timestamp();
                        Instant::from(if later { at + second } else { at - second })
                    };
                    time.since = time.since.map(|since| moved(since, false));
                    time.until = time.until.map(|until| moved(until, true));
                }
            }
            _ => {}
        }
    }

    /// The scope a count really gets.
    pub fn counted(self, scope: &ReadScope) -> ReadScope {
        if self != Self::CountsEverything {
            return self.scope(scope);
        }
        let open = scope.collections().iter().cloned().map(|part| CollectionScope {
            time: None,
            records: None,
            leave_out_codes: false,
            leave_out_secrets: false,
            ..part
        });
        ReadScope::new(open.collect())
    }

    /// The conditions a count really gets.
    pub fn conditions(self, mut queries: Vec<CollectionQuery>) -> Vec<CollectionQuery> {
        if self == Self::CountsEverything {
            for query in &mut queries {
                query.conditions.clear();
            }
        }
        queries
    }

    /// The page a reader really gets.
    pub fn page(self, scope: &ReadScope, query: &ListQuery, mut page: ListPage) -> ListPage {
        match self {
            Self::DropsTies => {
                let after = query.after.as_ref().and_then(|place| place.key.clone());
                page.records.retain(|record| after.is_none() || time_of(record) != after);
                if page.records.is_empty() {
                    page.has_more = false;
                }
                page.last = page.last.filter(|_| !page.records.is_empty());
            }
            Self::MissingFirst if query.descending => {
                page.records.sort_by_key(|record| time_of(record).is_some());
            }
            Self::JoinsConnections => {
                page.records.sort_by(|a, b| a.connection.cmp(&b.connection));
            }
            _ => {}
        }
        page.records = self.records(scope, page.records);
        page
    }

    /// The records a reader really gets.
    pub fn records(self, scope: &ReadScope, mut records: Vec<StoredRecord>) -> Vec<StoredRecord> {
        if self == Self::RevealsHiddenChanges {
            // The fields are right and only the time tells of the hidden ones.
            for record in &mut records {
                let fields = &scope.collections()[record.collection].fields;
                record.data.retain(|name, _| fields.contains(name.as_str()));
                record.long.retain(|long| fields.contains(&long.field));
            }
        }
        records
    }

    /// The related records a reader really gets.
    pub fn related(self, mut pages: Vec<RelatedPage>) -> Vec<RelatedPage> {
        if self == Self::HidesTheRest {
            for page in &mut pages {
                page.has_more = false;
            }
        }
        pages
    }

    /// Where a blob is really read.
    pub fn blob_offset(self, offset_bytes: u64) -> u64 {
        offset_bytes.saturating_add(u64::from(self == Self::ShiftsBlobs && offset_bytes > 0))
    }

    /// The rows a search really finds.
    pub fn matches(self, mut found: SearchMatches) -> SearchMatches {
        if self == Self::LosesFarWords {
            found.rows.retain(|row| row.hits.iter().all(|hit| hit.start_chars == 0));
        }
        if self == Self::LosesWhatChanged {
            found.rows.retain(|row| row.changed_at.is_none());
        }
        found
    }

    /// The span that is really read.
    pub fn read(self, read: TextRead) -> TextRead {
        match read {
            TextRead::Range { start, limit } if self == Self::ShiftsWindows && start >= 4_000 => {
                TextRead::Range { start: start.saturating_add(1), limit }
            }
            read => read,
        }
    }

    /// The answer a reader really gets.
    pub fn answer(self, read: &TextRead, answer: TextAnswer) -> TextAnswer {
        match (self, read, &answer) {
            (Self::MindsCase, TextRead::Match { q, .. }, TextAnswer::Text(window))
                if !window.text.contains(q.as_str()) =>
            {
                TextAnswer::NoMatch
            }
            _ => answer,
        }
    }

    /// What is really written.
    pub fn batch(
        self,
        mut batch: Vec<PreparedRecord>,
        mode: WriteMode,
    ) -> (Vec<PreparedRecord>, WriteMode) {
        let dry = mode == WriteMode::DryRun;
        match self {
            // A record that nobody has: its deletion changes nothing.
            Self::ForgetsDeletes => {
                for record in batch.iter_mut().filter(|record| record.content.is_none()) {
                    record.key_order = b"nobody has this key".to_vec();
                }
                (batch, mode)
            }
            Self::KeepsRefusedBatches if !dry => (batch, WriteMode::KeepGood),
            _ => (batch, mode),
        }
    }
}

/// The sort key of the sample's `at`.
fn time_of(record: &StoredRecord) -> Option<SortKey> {
    record.data.get("at").and_then(|value| SortKey::of(FieldKind::DateTime, value))
}

fn field_name(name: &str) -> FieldName {
    FieldName::new(name).expect("a name of the sample")
}
