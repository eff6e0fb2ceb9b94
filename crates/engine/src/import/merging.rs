//! What an import may change in records that are there already: newer authored state wins, whatever
//! the order of imports, and a file that an export leaves out is not taken away.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use pdpp_contract::blob::BLOB_ID_MEMBER;
use pdpp_contract::import::ImportRecord;
use pdpp_contract::record::TextKind;
use pdpp_contract::{
    ApiError, ConnectionId, FieldName, Instant, Json, JsonObject, RecordId, RecordKey,
    SourceDeclaration, StreamName,
};
use pdpp_store::prepare::PreparedRecord;
use pdpp_store::records::{CollectionQuery, Condition, ListQuery, StoredRecord, Test};
use pdpp_store::writes::{WriteMode, WriteOutcome};
use pdpp_store::{CollectionScope, ReadScope, SortKey};

use super::checker::RecordChecker;
use crate::Engine;
use crate::refusal::from_store;

/// Fields that say when a record was last written at its source, likeliest first.
const VERSION_FIELDS: [&str; 5] =
    ["updated_at", "edited_at", "modified_at", "last_modified", "last_modified_at"];
/// Fields that describe a file that a record refers to.
const FILE_FIELDS: [&str; 5] =
    ["filename", "mime_type", "sha256", "size_bytes", "duration_seconds"];
/// Bytes of the one record that is asked for.
const PAGE_BYTES: usize = 1024 * 1024;

/// What an import may change in records that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeRule {
    /// Records become what the import says.
    Replace,
    /// The export is at least as new as what is stored: its records win, files stay.
    Newer,
    /// The export is older than what is stored: stored records stay, missing files come in.
    Older,
}

/// Reads, merges and writes the records of one batch.
pub(super) struct Merging<'m> {
    pub(super) engine: &'m Engine,
    pub(super) connection: &'m ConnectionId,
    pub(super) declaration: &'m SourceDeclaration,
    pub(super) checker: &'m Arc<RecordChecker>,
    pub(super) rule: MergeRule,
}

impl Merging<'_> {
    /// Writes a batch; `sources` are the same records before they were prepared. `None` when the
    /// connection is gone.
    pub(super) async fn write(
        &self,
        records: Vec<PreparedRecord>,
        sources: Vec<ImportRecord>,
        mode: WriteMode,
    ) -> Result<Option<Vec<WriteOutcome>>, ApiError> {
        let store = &self.engine.shared.store;
        let looked = store.write_records(self.connection, records, WriteMode::DryRun).await;
        let Some(looked) = looked.map_err(from_store)? else { return Ok(None) };
        let is_same = |outcome: &WriteOutcome| {
            matches!(outcome, WriteOutcome::Unchanged | WriteOutcome::Absent)
        };
        if looked.outcomes.iter().all(is_same) {
            return Ok(Some(looked.outcomes));
        }
        let mut merged = Vec::with_capacity(sources.len());
        for (mut record, outcome) in sources.into_iter().zip(looked.outcomes) {
            let is_there = match outcome {
                WriteOutcome::Changed => true,
                WriteOutcome::Added => self.goes_on(&mut record).await?,
                _ => false,
            };
            if is_there {
                self.merge(&mut record).await?;
            }
            // It was sound before, and a merged one has fields of sound records alone.
            let prepared = self.checker.check(record);
            merged.push(prepared.map_err(|rejected| {
                ApiError::new(rejected.code, "a record cannot be merged with what is stored")
            })?);
        }
        let written = store.write_records(self.connection, merged, mode).await;
        Ok(written.map_err(from_store)?.map(|written| written.outcomes))
    }

    /// Whether the record is stored under its former key, which it then takes.
    async fn goes_on(&self, record: &mut ImportRecord) -> Result<bool, ApiError> {
        let Some(Ok(former)) = record.former_key.as_ref().map(RecordKey::id) else {
            return Ok(false);
        };
        let declared = self.declaration.stream(record.stream.as_str());
        let Some([key_field]) = declared.map(|stream| stream.primary_key.as_slice()) else {
            return Ok(false);
        };
        let is_stored = self.stored(&record.stream, &former).await?.is_some();
        Ok(is_stored && record.take_former_key(key_field.as_str()))
    }

    async fn merge(&self, record: &mut ImportRecord) -> Result<(), ApiError> {
        let Some(stored) = self.stored(&record.stream, &record.id).await? else { return Ok(()) };
        if let Some(data) = record.change_data() {
            let given = std::mem::take(data);
            *data = merged(stored, given, self.rule);
        }
        Ok(())
    }

    /// The whole record as it is stored.
    async fn stored(
        &self,
        stream: &StreamName,
        id: &RecordId,
    ) -> Result<Option<JsonObject>, ApiError> {
        let Some(scope) = scope(self.connection, self.declaration, stream) else { return Ok(None) };
        let scope = ReadScope::new(vec![scope]);
        let found = self.engine.shared.store.find_records(&scope, id, u32::MAX).await;
        Ok(found.map_err(from_store)?.into_iter().next().map(whole))
    }
}

impl Engine {
    /// The time of the newest record of a connection, by the time that orders each stream; what is
    /// still to come does not count.
    pub async fn newest_record(
        &self,
        connection: &ConnectionId,
        declaration: &SourceDeclaration,
    ) -> Result<Option<Instant>, ApiError> {
        let now = SortKey::time(Instant::from(self.shared.clock.now()));
        let mut newest = None;
        for stream in &declaration.streams {
            let Some(field) = &stream.cursor_field else { continue };
            let Some(scope) = scope(connection, declaration, &stream.name) else { continue };
            let test = Test::AtMost(now.clone());
            let conditions = vec![Condition { field: field.clone(), test }];
            let order_field = Some(field.clone());
            let query = ListQuery {
                collections: vec![CollectionQuery { order_field, conditions }],
                descending: true,
                after: None,
                limit: 1,
                max_bytes: PAGE_BYTES,
                preview_chars: 0,
                fields: Some(vec![field.clone()]),
            };
            let scope = ReadScope::new(vec![scope]);
            let page = self.shared.store.list_records(&scope, query).await.map_err(from_store)?;
            let first = page.and_then(|page| page.records.into_iter().next());
            newest = newest.max(first.and_then(|record| time_of(&record.data, field)));
        }
        Ok(newest)
    }
}

/// The time in a field of a record.
pub fn time_of(data: &JsonObject, field: &FieldName) -> Option<Instant> {
    data.get(field.as_str()).and_then(Json::as_str).and_then(Instant::parse)
}

fn scope(
    connection: &ConnectionId,
    declaration: &SourceDeclaration,
    stream: &StreamName,
) -> Option<CollectionScope> {
    let declared = declaration.stream(stream.as_str())?;
    let fields: BTreeSet<FieldName> = declared.field_names().into_iter().collect();
    Some(CollectionScope {
        connection: connection.clone(),
        stream: stream.clone(),
        fields,
        time: None,
        records: None,
        leave_out_codes: false,
        leave_out_secrets: false,
    })
}

fn whole(record: StoredRecord) -> JsonObject {
    let mut data = record.data;
    for long in record.long {
        let value = match long.kind {
            TextKind::String => Json::String(long.preview),
            TextKind::Json => match Json::parse(&long.preview) {
                Ok(value) => value,
                Err(_) => continue,
            },
        };
        data.insert(long.field.to_string(), value);
    }
    data
}

/// What is authored later, with the files of both.
fn merged(stored: JsonObject, given: JsonObject, rule: MergeRule) -> JsonObject {
    let order = version(&given).partial_cmp(&version(&stored));
    let is_known = version(&given).is_some() && version(&stored).is_some();
    let given_wins = match order.filter(|_| is_known) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Less) => false,
        _ => rule != MergeRule::Older,
    };
    let (mut winner, other) = if given_wins { (given, stored) } else { (stored, given) };
    let lost: Vec<String> = other
        .iter()
        .filter(|(name, value)| names_file(value) && !winner.get(*name).is_some_and(names_file))
        .map(|(name, _)| name.clone())
        .collect();
    if lost.is_empty() {
        return winner;
    }
    for (name, value) in other {
        let describes = FILE_FIELDS.contains(&name.as_str()) && !winner.contains_key(&name);
        if describes || lost.contains(&name) {
            winner.insert(name, value);
        }
    }
    winner
}

fn version(data: &JsonObject) -> Option<Instant> {
    let mut fields = VERSION_FIELDS.iter();
    fields.find_map(|name| data.get(*name)?.as_str().and_then(Instant::parse))
}

/// Whether a value is a reference to a file, or a list of such.
fn names_file(value: &Json) -> bool {
    match value {
        Json::Object(members) => members.contains_key(BLOB_ID_MEMBER),
        Json::Array(items) => items.iter().any(names_file),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> JsonObject {
        match Json::parse(text).unwrap() {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_order_of_two_exports_does_not_matter() {
        let old = object(r#"{"labels":["Inbox"],"blob_ref":{"blob_id":"a"},"filename":"a.jpg"}"#);
        let new = object(r#"{"labels":["Archive"]}"#);
        let expected =
            object(r#"{"labels":["Archive"],"blob_ref":{"blob_id":"a"},"filename":"a.jpg"}"#);
        assert_eq!(merged(old.clone(), new.clone(), MergeRule::Newer), expected);
        assert_eq!(merged(new, old, MergeRule::Older), expected);
    }

    #[test]
    fn what_a_record_says_of_its_age_counts_more_than_the_age_of_the_export() {
        let old = object(r#"{"updated_at":"2026-01-01T00:00:00Z","title":"a"}"#);
        let new = object(r#"{"updated_at":"2026-02-01T00:00:00Z","title":"b"}"#);
        for rule in [MergeRule::Newer, MergeRule::Older] {
            assert_eq!(merged(old.clone(), new.clone(), rule), new);
            assert_eq!(merged(new.clone(), old.clone(), rule), new);
        }
    }

    #[test]
    fn what_the_newer_state_removed_stays_removed() {
        let old = object(r#"{"title":"a","location":"home"}"#);
        let new = object(r#"{"title":"a"}"#);
        assert_eq!(merged(old, new.clone(), MergeRule::Newer), new);
    }
}
