//! The records that belong to one record of another stream, such as the messages of a thread.

use std::collections::HashSet;

use super::backend::driver::types::Value;
use super::backend::driver::{Connection, params_from_iter};
use pdpp_contract::Json;
use pdpp_contract::declaration::FieldKind;

use super::backend::errors::from_driver;
use super::sql::connections::collection::{Collection, Column, StoredKind, table};
use super::sql::records;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::records::sort_key::SortKey;
use crate::writes::inheritance::InheritanceLink;
use crate::writes::prepare::OWN_MARKS;

/// Records that are looked at when a key is so long that others may look like it.
const LOOKED_AT: i64 = 256;

/// The records of a stream that one field ties to one key.
pub(crate) struct Members<'a> {
    collection: &'a Collection,
    link: &'a InheritanceLink,
    key: &'a str,
}

impl<'a> Members<'a> {
    pub(crate) fn new(collection: &'a Collection, link: &'a InheritanceLink, key: &'a str) -> Self {
        Self { collection, link, key }
    }

    /// Whether one of them is not among these.
    pub(super) fn has_other_than(
        &self,
        db: &Connection,
        known: &HashSet<RecordNo>,
    ) -> StoreResult<bool> {
        let at_most = i64::try_from(known.len()).unwrap_or(i64::MAX).saturating_add(1);
        let members = self.list(db, "", at_most)?;
        Ok(members.iter().any(|(record_no, _)| !known.contains(record_no)))
    }

    /// The marks of the first of them, in the stream's order; none when there is none.
    pub(super) fn first_marks(&self, db: &Connection) -> StoreResult<i64> {
        let order = match self.collection.shape.cursor {
            Some(cursor) => {
                let timed =
                    format!(" AND p.c{cursor} IS NOT NULL ORDER BY p.c{cursor}, p.key_order");
                if let Some((_, flags)) = self.first(db, &timed)? {
                    return Ok(flags & OWN_MARKS);
                }
                " ORDER BY p.key_order"
            }
            None => " ORDER BY p.key_order",
        };
        Ok(self.first(db, order)?.map_or(0, |(_, flags)| flags & OWN_MARKS))
    }

    fn first(&self, db: &Connection, order: &str) -> StoreResult<Option<(RecordNo, i64)>> {
        let is_cut = self.is_cut();
        for (record_no, flags) in self.list(db, order, if is_cut { LOOKED_AT } else { 1 })? {
            if !is_cut || self.names_key(db, record_no)? {
                return Ok(Some((record_no, flags)));
            }
        }
        Ok(None)
    }

    /// All of them, with their marks.
    pub(crate) fn all(&self, db: &Connection) -> StoreResult<Vec<(RecordNo, i64)>> {
        let mut members = self.list(db, " ORDER BY p.key_order", i64::MAX)?;
        if self.is_cut() {
            let mut own = Vec::new();
            for (record_no, flags) in members {
                if self.names_key(db, record_no)? {
                    own.push((record_no, flags));
                }
            }
            members = own;
        }
        Ok(members)
    }

    fn list(
        &self,
        db: &Connection,
        order: &str,
        at_most: i64,
    ) -> StoreResult<Vec<(RecordNo, i64)>> {
        let Some((column, typed)) = self.collection.shape.column(&self.link.field) else {
            return Ok(Vec::new());
        };
        let Some(key) = key_of(typed, self.key) else {
            return Ok(Vec::new());
        };
        let sql = format!(
            "SELECT p.record_no, p.flags FROM {} p
              WHERE p.collection_no = ? AND p.c{column} = ?{order} LIMIT ?",
            table(self.collection.projection_no)
        );
        let values =
            [Value::Integer(self.collection.no.0), Value::Blob(key), Value::Integer(at_most)];
        db.prepare_cached(&sql)
            .and_then(|mut list| {
                list.query_map(params_from_iter(values), |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect()
            })
            .map_err(from_driver)
    }

    /// Whether the typed copies of other keys may look like this one.
    fn is_cut(&self) -> bool {
        SortKey::parse(FieldKind::String, self.key).is_some_and(|key| key.is_cut())
    }

    fn names_key(&self, db: &Connection, record_no: RecordNo) -> StoreResult<bool> {
        let row = records::get(db, record_no)?;
        let value = row.and_then(|mut row| row.data.remove(self.link.field.as_str()));
        Ok(value.as_ref().and_then(Json::as_str) == Some(self.key))
    }
}

/// A key as the typed copy of a field has it.
pub(super) fn key_of(column: &Column, key: &str) -> Option<Vec<u8>> {
    let kind = match column.kind {
        StoredKind::String => FieldKind::String,
        StoredKind::Integer => FieldKind::Integer,
        StoredKind::Number => FieldKind::Number,
        StoredKind::Boolean => FieldKind::Boolean,
        StoredKind::Date => FieldKind::Date,
        StoredKind::DateTime => FieldKind::DateTime,
        StoredKind::Structured => FieldKind::Structured,
    };
    SortKey::parse(kind, key).map(SortKey::into_bytes)
}
