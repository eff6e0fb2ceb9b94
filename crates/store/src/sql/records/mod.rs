//! Single records inside a scope: found by id, trimmed to the fields the scope shows.

pub(crate) mod by_id;
pub(crate) mod count;
pub(crate) mod list;
pub(crate) mod plan;
pub(crate) mod prefetch;
mod related;
pub(crate) mod walk;

use super::{backend, sql};

use async_trait::async_trait;
use backend::driver::{Connection, OptionalExtension, params};
use pdpp_contract::{FieldName, RecordId};

use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};
use crate::records::related::{RelatedPage, RelatedQuery};
pub(crate) use crate::records::row::RecordRow;
use crate::records::scope::{CollectionScope, ReadScope};
use crate::records::{
    CollectionQuery, CollectionStats, ListPage, ListQuery, RecordReader, StoredLongField,
    StoredRecord,
};
use crate::text::chunks::kind_of;
use crate::text::field_path::top_member;
use crate::writes::hashing::TextDigest;
use crate::writes::prepare::FLAG_TEXTS;
use backend::Backend;
use backend::errors::{corrupt, from_driver};
use by_id::find_visible;
use sql::text::beginning;

const FIND_LIVE: &str = "
    SELECT k.record_no
      FROM record_keys k JOIN records r ON r.record_no = k.record_no
     WHERE k.collection_no = ?1 AND k.key_order = ?2";
const GET_RECORD: &str = "
    SELECT r.flags, r.emitted_at, k.key_order, r.json
      FROM records r JOIN record_keys k ON k.record_no = r.record_no
     WHERE r.record_no = ?1";
const LIST_LONG: &str = "
    SELECT path, kind, chars, bytes, digest, text_no FROM texts WHERE record_no = ?1 ORDER BY path";

#[async_trait]
impl RecordReader for Backend {
    async fn list_records(
        &self,
        scope: &ReadScope,
        query: ListQuery,
    ) -> StoreResult<Option<ListPage>> {
        let scope = scope.clone();
        self.read(move |db| list::page(db, &scope, &query)).await
    }

    async fn find_records(
        &self,
        scope: &ReadScope,
        id: &RecordId,
        preview_chars: u32,
    ) -> StoreResult<Vec<StoredRecord>> {
        let (scope, id) = (scope.clone(), id.clone());
        self.read(move |db| {
            let mut found = Vec::new();
            for (index, part) in scope.collections().iter().enumerate() {
                let Some(row) = find_visible(db, part, &id)? else {
                    continue;
                };
                found.push(trim(db, part, row, None, preview_chars)?.place(index));
            }
            found.sort_by(|a, b| a.connection.cmp(&b.connection));
            Ok(found)
        })
        .await
    }

    async fn related_records(
        &self,
        scope: &ReadScope,
        query: RelatedQuery,
    ) -> StoreResult<Vec<RelatedPage>> {
        let scope = scope.clone();
        self.read(move |db| related::pages(db, &scope, &query)).await
    }

    async fn count_records(
        &self,
        scope: &ReadScope,
        collections: Vec<CollectionQuery>,
        at_most: u64,
    ) -> StoreResult<u64> {
        let scope = scope.clone();
        self.read(move |db| count::count(db, &scope, &collections, at_most)).await
    }

    async fn collection_stats(&self, scope: &ReadScope) -> StoreResult<Vec<CollectionStats>> {
        let scope = scope.clone();
        self.read(move |db| count::stats(db, &scope)).await
    }
}

/// The number of a live record.
pub(crate) fn live_number(
    db: &Connection,
    collection_no: CollectionNo,
    id: &RecordId,
) -> StoreResult<Option<RecordNo>> {
    for key_order in id.sort_bytes_candidates() {
        let found = db
            .prepare_cached(FIND_LIVE)
            .and_then(|mut find| {
                find.query_row(params![collection_no, key_order], |row| row.get(0)).optional()
            })
            .map_err(from_driver)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Reads a live record's row.
pub(crate) fn get(db: &Connection, record_no: RecordNo) -> StoreResult<Option<RecordRow>> {
    let row = db
        .prepare_cached(GET_RECORD)
        .and_then(|mut get| {
            get.query_row([record_no], |row| {
                let key_order: Vec<u8> = row.get(2)?;
                let json: String = row.get(3)?;
                Ok((row.get(0)?, row.get(1)?, key_order, json))
            })
            .optional()
        })
        .map_err(from_driver)?;
    let Some((flags, emitted_at, key_order, json)) = row else {
        return Ok(None);
    };
    RecordRow::parse(record_no, flags, emitted_at, &key_order, &json).map(Some)
}

/// A record trimmed to its scope, still without its place in the scope.
pub(crate) struct Trimmed(StoredRecord);

impl Trimmed {
    pub(crate) fn place(mut self, collection: usize) -> StoredRecord {
        self.0.collection = collection;
        self.0
    }
}

/// Keeps the fields that the scope shows and the reader wants; long ones as beginnings.
pub(crate) fn trim(
    db: &Connection,
    scope: &CollectionScope,
    row: RecordRow,
    wanted: Option<&[FieldName]>,
    preview_chars: u32,
) -> StoreResult<Trimmed> {
    let shown = |name: &str| {
        scope.fields.contains(name)
            && wanted.is_none_or(|wanted| wanted.iter().any(|field| field.as_str() == name))
    };
    let long = if row.flags & FLAG_TEXTS == 0 {
        Vec::new()
    } else {
        long_fields(db, row.record_no, &shown, preview_chars)?
    };
    let emitted_at = sql::changes::emitted::visible(db, scope, &row)?;
    let mut data = row.data;
    data.retain(|name, _| shown(name));
    Ok(Trimmed(StoredRecord {
        collection: 0,
        connection: scope.connection.clone(),
        stream: scope.stream.clone(),
        record_no: row.record_no,
        id: row.id,
        emitted_at,
        data,
        long,
    }))
}

fn long_fields(
    db: &Connection,
    record_no: RecordNo,
    shown: &dyn Fn(&str) -> bool,
    preview_chars: u32,
) -> StoreResult<Vec<StoredLongField>> {
    let mut list = db.prepare_cached(LIST_LONG).map_err(from_driver)?;
    let mut rows = list.query([record_no]).map_err(from_driver)?;
    let mut long = Vec::new();
    while let Some(row) = rows.next().map_err(from_driver)? {
        let path: String = row.get(0).map_err(from_driver)?;
        let Some(name) = top_member(&path).filter(|name| shown(name)) else {
            continue;
        };
        let kind: i64 = row.get(1).map_err(from_driver)?;
        let count = |at| row.get::<_, i64>(at).map(|n| u64::try_from(n).unwrap_or(0));
        long.push(StoredLongField {
            field: FieldName::new(name).map_err(|_| corrupt("texts", "path", record_no))?,
            kind: kind_of(kind),
            chars: count(2).map_err(from_driver)?,
            bytes: count(3).map_err(from_driver)?,
            digest: TextDigest(row.get(4).map_err(from_driver)?),
            preview: beginning(db, row.get(5).map_err(from_driver)?, preview_chars)?,
        });
    }
    Ok(long)
}
