//! Classifying what an earlier version stored: first each record by itself, then what goes with which.

use std::ops::ControlFlow;

use super::backend::driver::{Connection, OptionalExtension, params};
use async_trait::async_trait;
use pdpp_contract::declaration::SourceDeclaration;
use pdpp_contract::{ConnectionId, Json, StreamName};

use super::backend::Backend;
use super::backend::errors::{corrupt, from_driver};
use super::flags::{self, Numbers};
use super::inheritance::number_of;
use super::members::Members;
use super::sql::connections::collection::{Collection, find_collection};
use super::sql::connections::reproject::{StoredRow, next_rows};
use super::whole_record::whole;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::writes::classification::{Classified, Classify, RecordClassifier};
use crate::writes::inheritance::{InheritanceLinks, TieKind};
use crate::writes::prepare::{INHERITED_MARKS, OWN_MARKS, inherited};

/// Bytes of JSON and long text that one transaction looks at, about.
const BYTES_AT_ONCE: usize = 8 << 20;

const FIND_PLACE: &str = "
    SELECT value FROM store_meta WHERE name = 'judging'";
const ADD_PLACE: &str = "
    INSERT INTO store_meta (name, value) VALUES ('judging', ?1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const SET_PLACE: &str = "
    UPDATE store_meta SET value = ?1 WHERE name = 'judging'";
const FORGET_PLACE: &str = "
    DELETE FROM store_meta WHERE name = 'judging'";
const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, n.connection_id, c.stream, d.json
      FROM collections c
      JOIN connections n ON n.connection_no = c.connection_no
      JOIN declarations d ON d.declaration_no = n.declaration_no
     WHERE c.collection_no >= ?1
     ORDER BY c.collection_no
     LIMIT 1";
const READ_COUNTER: &str = "
    SELECT change_no FROM change_counter WHERE only_row = 1";
const SET_COUNTER: &str = "
    UPDATE change_counter SET change_no = ?1 WHERE only_row = 1";

/// How far the classification is: every record by itself comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Progress {
    inheriting: bool,
    collection_no: CollectionNo,
    record_no: RecordNo,
}

impl Progress {
    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.inheriting)];
        bytes.extend_from_slice(&self.collection_no.0.to_be_bytes());
        bytes.extend_from_slice(&self.record_no.0.to_be_bytes());
        bytes
    }
}

#[async_trait]
impl RecordClassifier for Backend {
    async fn needs_classification(&self) -> StoreResult<bool> {
        self.read(|db| Ok(place(db)?.is_some())).await
    }

    async fn request_classification(&self) -> StoreResult<()> {
        self.write(|db| {
            let nothing_yet = Progress { inheriting: false, ..Progress::default() };
            db.execute(ADD_PLACE, params![nothing_yet.to_bytes()]).map_err(from_driver)?;
            Ok(())
        })
        .await
    }

    async fn classify_some(&self, classify: Classify) -> StoreResult<Classified> {
        self.write(move |db| {
            let Some(place) = place(db)? else {
                return Ok(Classified { done: true, ..Classified::default() });
            };
            classify_from(db, place, &classify)
        })
        .await
    }
}

fn classify_from(
    db: &Connection,
    mut place: Progress,
    classify: &Classify,
) -> StoreResult<Classified> {
    let began: ChangeNo = db.query_row(READ_COUNTER, [], |row| row.get(0)).map_err(from_driver)?;
    let mut round =
        Round { numbers: Numbers { began, last: began }, classified: Classified::default() };
    match collection_at(db, place.collection_no)? {
        None if place.inheriting => {
            db.execute(FORGET_PLACE, []).map_err(from_driver)?;
            round.classified.done = true;
        }
        None => set_place(db, Progress { inheriting: true, ..Progress::default() })?,
        Some(found) => {
            if found.collection.no != place.collection_no {
                (place.collection_no, place.record_no) = (found.collection.no, RecordNo(0));
            }
            let goes_on = if place.inheriting {
                found.inherit(db, &mut place, &mut round)?
            } else {
                found.records(db, &mut place, classify, &mut round)?
            };
            if goes_on.is_break() {
                (place.collection_no, place.record_no) =
                    (CollectionNo(place.collection_no.0 + 1), RecordNo(0));
            }
            set_place(db, place)?;
        }
    }
    db.execute(SET_COUNTER, [round.numbers.last]).map_err(from_driver)?;
    Ok(round.classified)
}

/// What one transaction of the classification did so far.
struct Round {
    numbers: Numbers,
    classified: Classified,
}

/// A collection with what its connection declares now.
struct Found {
    connection: ConnectionId,
    collection: Collection,
    inheritance: InheritanceLinks,
}

fn collection_at(db: &Connection, from: CollectionNo) -> StoreResult<Option<Found>> {
    let row: Option<(CollectionNo, String, String, String)> = db
        .query_row(LIST_COLLECTIONS, [from], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()
        .map_err(from_driver)?;
    let Some((no, connection, stream, json)) = row else {
        return Ok(None);
    };
    let bad = |column| corrupt("collections", column, no);
    let connection: ConnectionId = connection.parse().map_err(|_| bad("connection_no"))?;
    let stream: StreamName = stream.parse().map_err(|_| bad("stream"))?;
    let source: SourceDeclaration =
        serde_json::from_str(&json).map_err(|_| corrupt("declarations", "json", no))?;
    let declared = source.streams.iter().find(|declared| declared.name == stream);
    let inheritance =
        declared.map(|declared| InheritanceLinks::of(&source, declared)).unwrap_or_default();
    let collection = find_collection(db, &connection, &stream)?.ok_or_else(|| bad("stream"))?;
    Ok(Some(Found { connection, collection, inheritance }))
}

impl Found {
    /// Classifies the next records, each by itself.
    fn records(
        &self,
        db: &Connection,
        place: &mut Progress,
        classify: &Classify,
        round: &mut Round,
    ) -> StoreResult<ControlFlow<()>> {
        let rows = next_rows(db, self.collection.no, place.record_no)?;
        let mut bytes = 0;
        for row in &rows {
            place.record_no = row.record_no;
            let data = whole(db, row, &mut bytes)?;
            let marks = classify(&data).marks();
            let own = (OWN_MARKS, marks);
            let changed = flags::set(db, &self.collection, row.record_no, own, &mut round.numbers)?;
            round.classified.records += 1;
            round.classified.changed += u64::from(changed);
            if bytes > BYTES_AT_ONCE {
                break;
            }
        }
        Ok(if rows.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Settles what the next records inherit.
    fn inherit(
        &self,
        db: &Connection,
        place: &mut Progress,
        round: &mut Round,
    ) -> StoreResult<ControlFlow<()>> {
        if self.inheritance.part_of.is_empty() && self.inheritance.begun_by.is_empty() {
            return Ok(ControlFlow::Break(()));
        }
        let rows = next_rows(db, self.collection.no, place.record_no)?;
        for row in &rows {
            place.record_no = row.record_no;
            let marks = inherited(self.inherited_marks(db, row)?);
            let given = (INHERITED_MARKS, marks);
            let changed =
                flags::set(db, &self.collection, row.record_no, given, &mut round.numbers)?;
            round.classified.changed += u64::from(changed);
        }
        Ok(if rows.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn inherited_marks(&self, db: &Connection, row: &StoredRow) -> StoreResult<i64> {
        let bad = || corrupt("records", "json", row.record_no);
        let Ok(Json::Object(data)) = Json::parse(&row.json) else {
            return Err(bad());
        };
        let mut marks = 0;
        let ties = self.inheritance.ties(&data);
        for tie in ties.iter().filter(|tie| tie.kind == TieKind::PartOf) {
            let Some(whole) = find_collection(db, &self.connection, &tie.link.stream)? else {
                continue;
            };
            if let Some(record_no) = number_of(db, &whole, &tie.key)? {
                marks |= flags::find(db, record_no)?.unwrap_or(0) & OWN_MARKS;
            }
        }
        let id = pdpp_contract::RecordId::from_sort_bytes(&row.key_order).ok_or_else(bad)?;
        for link in &self.inheritance.begun_by {
            let messages = find_collection(db, &self.connection, &link.stream)?;
            if let Some(messages) = messages {
                marks |= Members::new(&messages, link, id.as_str()).first_marks(db)?;
            }
        }
        Ok(marks)
    }
}

/// Where the classification goes on; none when every record has been classified.
fn place(db: &Connection) -> StoreResult<Option<Progress>> {
    let value: Option<Vec<u8>> = db
        .prepare_cached(FIND_PLACE)
        .and_then(|mut find| find.query_row([], |row| row.get(0)).optional())
        .map_err(from_driver)?;
    Ok(value.map(|bytes| {
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, i64::from_be_bytes)
        };
        Progress {
            inheriting: bytes.first().is_some_and(|phase| *phase != 0),
            collection_no: CollectionNo(number(1)),
            record_no: RecordNo(number(9)),
        }
    }))
}

fn set_place(db: &Connection, place: Progress) -> StoreResult<()> {
    db.execute(SET_PLACE, params![place.to_bytes()]).map_err(from_driver)?;
    Ok(())
}
