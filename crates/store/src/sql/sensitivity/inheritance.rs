//! What goes with a left-out record, settled at the end of the batch that wrote one of them.
//!
//! A part always has the marks of what it hangs on. A thread has those of the first of its messages, in
//! the stream's order, at the moment when there were thread and message for the first time; what joins
//! it later changes nothing, so that a hidden message never shows.

use std::collections::{HashMap, HashSet};

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, params_from_iter};
use pdpp_contract::RecordId;

use super::backend::errors::from_driver;
use super::flags;
use super::members::{Members, key_of};
use super::sql::connections::collection::{Collection, table};
use super::sql::records;
use super::sql::write::batch::Batch;
use super::sql::write::record::Wrote;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::writes::WriteOutcome;
use crate::writes::inheritance::{InheritanceLink, TieKind};
use crate::writes::prepare::{INHERITED_MARKS, OWN_MARKS, PreparedRecord, inherited};

/// Keys that are asked about in one statement.
const ASKED_TOGETHER: usize = 128;

/// A record that the batch wrote.
struct Written<'r> {
    record: &'r PreparedRecord,
    record_no: RecordNo,
    added: bool,
    marks_before: i64,
    marks: i64,
}

/// Settles what goes with the records of a batch.
pub(crate) fn settle(
    batch: &mut Batch<'_>,
    records: &[PreparedRecord],
    wrote: &[Wrote],
) -> StoreResult<()> {
    let written: Vec<Written<'_>> = records
        .iter()
        .zip(wrote)
        .filter(|(record, _)| {
            *record.inheritance != crate::writes::inheritance::InheritanceLinks::default()
        })
        .filter_map(|(record, wrote)| Written::of(record, wrote))
        .collect();
    if written.is_empty() {
        return Ok(());
    }
    threads(batch, &written)?;
    parts(batch, &written)
}

impl<'r> Written<'r> {
    fn of(record: &'r PreparedRecord, wrote: &Wrote) -> Option<Self> {
        let content = record.content.as_ref()?;
        let added = match wrote.outcome {
            WriteOutcome::Added => true,
            WriteOutcome::Changed => false,
            WriteOutcome::Unchanged
            | WriteOutcome::Deleted
            | WriteOutcome::Absent
            | WriteOutcome::RefusedAppendOnly
            | WriteOutcome::RefusedUnknownStream => return None,
        };
        Some(Self {
            record,
            record_no: wrote.record_no?,
            added,
            marks_before: wrote.marks_before,
            marks: content.flags & OWN_MARKS,
        })
    }
}

/// Which threads may be begun by which stream: thread stream and what leads to its messages.
#[derive(PartialEq, Eq, Hash)]
struct Begun {
    threads: pdpp_contract::StreamName,
    messages: InheritanceLink,
}

fn threads(batch: &mut Batch<'_>, written: &[Written<'_>]) -> StoreResult<()> {
    let mut asked: HashMap<Begun, HashSet<&str>> = HashMap::new();
    let mut new_threads: HashSet<(&str, &str)> = HashSet::new();
    let mut new_messages: HashSet<RecordNo> = HashSet::new();
    for one in written.iter().filter(|one| one.added) {
        let (stream, id) = (&one.record.stream, one.record.id.as_str());
        for link in &one.record.inheritance.begun_by {
            new_threads.insert((stream.as_str(), id));
            let begun = Begun { threads: stream.clone(), messages: link.clone() };
            asked.entry(begun).or_default().insert(id);
        }
        if one.record.inheritance.begins.is_empty() {
            continue;
        }
        new_messages.insert(one.record_no);
        let ties = one.record.content.iter().flat_map(|content| &content.ties);
        for tie in ties.filter(|tie| tie.kind == TieKind::Begins && one.marks != 0) {
            let messages =
                InheritanceLink { stream: stream.clone(), field: tie.link.field.clone() };
            let begun = Begun { threads: tie.link.stream.clone(), messages };
            asked.entry(begun).or_default().insert(&tie.key);
        }
    }
    for (begun, keys) in asked {
        let Some(messages) = batch.find_collection(&begun.messages.stream)? else {
            continue;
        };
        for key in with_marked(batch.db(), &messages, &begun.messages, &keys)? {
            let is_new = new_threads.contains(&(begun.threads.as_str(), key));
            let members = Members::new(&messages, &begun.messages, key);
            if is_new || !members.has_other_than(batch.db(), &new_messages)? {
                let marks = members.first_marks(batch.db())?;
                pass_on(batch, &begun.threads, key, marks)?;
            }
        }
    }
    Ok(())
}

/// The keys among these under which a marked record stands.
fn with_marked<'k>(
    db: &Connection,
    messages: &Collection,
    link: &InheritanceLink,
    keys: &HashSet<&'k str>,
) -> StoreResult<Vec<&'k str>> {
    let Some((column, typed)) = messages.shape.column(&link.field) else {
        return Ok(Vec::new());
    };
    let all: Vec<&str> = keys.iter().copied().collect();
    let mut found: HashSet<Vec<u8>> = HashSet::new();
    for some in all.chunks(ASKED_TOGETHER) {
        // Always as many places, so that one statement serves all.
        let places = ["?"; ASKED_TOGETHER].join(", ");
        let sql = format!(
            "SELECT DISTINCT p.c{column} FROM {} p
              WHERE p.collection_no = ? AND p.c{column} IN ({places}) AND p.flags & {OWN_MARKS} <> 0",
            table(messages.projection_no)
        );
        let mut values = vec![Value::Integer(messages.no.0)];
        let keys = some.iter().cycle().take(ASKED_TOGETHER);
        values.extend(keys.map(|key| Value::Blob(key_of(typed, key).unwrap_or_default())));
        let rows: Vec<Vec<u8>> = db
            .prepare_cached(&sql)
            .and_then(|mut list| {
                list.query_map(params_from_iter(values), |row| row.get(0))?.collect()
            })
            .map_err(from_driver)?;
        found.extend(rows);
    }
    let is_found = |key: &&str| key_of(typed, key).is_some_and(|key| found.contains(&key));
    Ok(all.into_iter().filter(is_found).collect())
}

/// Gives the record with this key what a record with these marks passes on.
fn pass_on(
    batch: &mut Batch<'_>,
    stream: &pdpp_contract::StreamName,
    key: &str,
    marks: i64,
) -> StoreResult<()> {
    let Some(collection) = batch.find_collection(stream)? else {
        return Ok(());
    };
    let Some(record_no) = number_of(batch.db(), &collection, key)? else {
        return Ok(());
    };
    batch.mark(&collection, record_no, (INHERITED_MARKS, inherited(marks)))
}

/// The number of the live record with this key.
pub(crate) fn number_of(
    db: &Connection,
    collection: &Collection,
    key: &str,
) -> StoreResult<Option<RecordNo>> {
    match RecordId::new(key) {
        Ok(id) => records::live_number(db, collection.no, &id),
        Err(_) => Ok(None),
    }
}

fn parts(batch: &mut Batch<'_>, written: &[Written<'_>]) -> StoreResult<()> {
    let mut wholes: HashMap<(&str, &str), i64> = HashMap::new();
    for one in written.iter().filter(|one| !one.record.inheritance.parts.is_empty()) {
        let (stream, id) = (one.record.stream.as_str(), one.record.id.as_str());
        wholes.insert((stream, id), one.marks);
        let is_news = if one.added { one.marks != 0 } else { one.marks != one.marks_before };
        for link in one.record.inheritance.parts.iter().filter(|_| is_news) {
            let Some(collection) = batch.find_collection(&link.stream)? else {
                continue;
            };
            for (record_no, _) in Members::new(&collection, link, id).all(batch.db())? {
                let marks = (INHERITED_MARKS, inherited(one.marks));
                batch.mark(&collection, record_no, marks)?;
            }
        }
    }
    for one in written {
        let ties = one.record.content.iter().flat_map(|content| &content.ties);
        let mut ties = ties.filter(|tie| tie.kind == TieKind::PartOf).peekable();
        if ties.peek().is_none() {
            continue;
        }
        let mut marks = 0;
        for tie in ties {
            marks |= match wholes.get(&(tie.link.stream.as_str(), tie.key.as_str())) {
                Some(marks) => *marks,
                None => stored_marks(batch, &tie.link, &tie.key)?,
            };
        }
        if one.added && marks == 0 {
            continue;
        }
        if let Some(collection) = batch.find_collection(&one.record.stream)? {
            batch.mark(&collection, one.record_no, (INHERITED_MARKS, inherited(marks)))?;
        }
    }
    Ok(())
}

fn stored_marks(batch: &mut Batch<'_>, link: &InheritanceLink, key: &str) -> StoreResult<i64> {
    let Some(collection) = batch.find_collection(&link.stream)? else {
        return Ok(0);
    };
    match number_of(batch.db(), &collection, key)? {
        Some(record_no) => Ok(flags::find(batch.db(), record_no)?.unwrap_or(0)),
        None => Ok(0),
    }
}
