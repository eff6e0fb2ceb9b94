//! The full check of one record: its JSON, typed copy, texts and newest version.

use super::driver::{OptionalExtension, params};
use pdpp_contract::{Json, JsonObject};
use sha2::{Digest, Sha256};

use super::change_track::read_version;
use super::declared::table;
use super::errors::from_driver;
use super::reproject::{StoredRow, derive};
use super::time_fields::{self, keys_in};
use super::verify::{Check, CollectionRow};
use super::write_text::CHUNK_BITS;
use crate::error::StoreResult;
use crate::prepare::{FLAG_TEXTS, StreamShape, time_key_of};

const NEWEST_VERSION: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1
     ORDER BY change_no DESC
     LIMIT 1";
const FIND_FIELD: &str = "
    SELECT field_no FROM collection_fields WHERE collection_no = ?1 AND name = ?2";

/// A typed copy as it is stored.
#[derive(PartialEq)]
struct TypedCopy {
    flags: i64,
    key_order: Vec<u8>,
    keys: Vec<Option<Vec<u8>>>,
}

impl Check<'_> {
    /// Checks one record.
    pub(super) fn record(
        &mut self,
        collection: &CollectionRow,
        shape: &StreamShape,
        row: &StoredRow,
        place: &str,
    ) -> StoreResult<()> {
        let no = row.record_no;
        let data = match Json::parse(&row.json) {
            Ok(Json::Object(data)) if Json::Object(data.clone()).to_canonical() == row.json => data,
            _ => {
                self.fault(format!("{place}: record {no} is not canonical JSON"));
                return Ok(());
            }
        };
        let keys: Vec<Option<Vec<u8>>> = derive(self.db, shape, self.hashing, row)?
            .into_iter()
            .map(|key| key.map(|key| key.as_bytes().to_vec()))
            .collect();
        let copy = self.typed_copy(collection, no, keys.len())?;
        let key_order = row.key_order.clone();
        if copy != Some(TypedCopy { flags: row.flags, key_order, keys }) {
            self.fault(format!("{place}: the typed copy of record {no} differs"));
        }
        self.blob_refs(no, &data, place)?;
        let long = if row.flags & FLAG_TEXTS == 0 { Vec::new() } else { self.texts(no, place)? };
        let hashes = self.hashes(collection, &data, &long)?;
        if !self.newest_agrees((collection, shape), row, &data, &hashes)? {
            self.fault(format!("{place}: the newest version of record {no} differs"));
        }
        Ok(())
    }

    fn typed_copy(
        &self,
        collection: &CollectionRow,
        record_no: i64,
        columns: usize,
    ) -> StoreResult<Option<TypedCopy>> {
        let names: String = (0..columns).map(|at| format!(", c{at}")).collect();
        let table = table(collection.projection_no);
        let sql = format!(
            "SELECT flags, key_order{names} FROM {table} WHERE record_no = ?1 AND collection_no = ?2"
        );
        self.db
            .prepare_cached(&sql)
            .and_then(|mut get| {
                get.query_row(params![record_no, collection.no], |row| {
                    Ok(TypedCopy {
                        flags: row.get(0)?,
                        key_order: row.get(1)?,
                        keys: (2..columns + 2).map(|at| row.get(at)).collect::<Result<_, _>>()?,
                    })
                })
                .optional()
            })
            .map_err(from_driver)
    }

    /// Reads every chunk of a record's texts; returns the hash of each top-level one.
    fn texts(&mut self, record_no: i64, place: &str) -> StoreResult<Vec<(String, u64)>> {
        let rows: Vec<(i64, String, i64, i64, Vec<u8>)> = self
            .db
            .prepare_cached(
                "SELECT text_no, path, kind, chars, digest FROM texts WHERE record_no = ?1",
            )
            .and_then(|mut list| {
                list.query_map([record_no], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
                })?
                .collect()
            })
            .map_err(from_driver)?;
        let mut long = Vec::new();
        for (text_no, path, kind, chars, digest) in rows {
            self.report.texts += 1;
            let text = self.whole_text(text_no)?;
            let counted = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            if counted != chars || Sha256::digest(text.as_bytes()).as_slice() != digest {
                self.fault(format!("{place}: a long text of record {record_no} differs"));
            }
            if let Some(name) = crate::field_path::top_member(&path) {
                let string = kind == 0;
                let hash =
                    if string { self.hashing.string(&text) } else { self.hashing.canonical(&text) };
                long.push((name, hash));
            }
        }
        Ok(long)
    }

    fn whole_text(&self, text_no: i64) -> StoreResult<String> {
        let mut read = self
            .db
            .prepare_cached(
                "SELECT text FROM text_chunks WHERE chunk_no >= ?1 AND chunk_no < ?2 ORDER BY chunk_no",
            )
            .map_err(from_driver)?;
        let mut rows = read
            .query([text_no << CHUNK_BITS, (text_no + 1) << CHUNK_BITS])
            .map_err(from_driver)?;
        let mut text = String::new();
        while let Some(row) = rows.next().map_err(from_driver)? {
            let chunk: String = row.get(0).map_err(from_driver)?;
            text.push_str(&chunk);
        }
        Ok(text)
    }

    /// The newest version must describe the record as it is, also its times.
    fn newest_agrees(
        &self,
        (collection, shape): (&CollectionRow, &StreamShape),
        row: &StoredRow,
        data: &JsonObject,
        hashes: &[u8],
    ) -> StoreResult<bool> {
        let newest = self
            .db
            .prepare_cached(NEWEST_VERSION)
            .and_then(|mut get| {
                get.query_row([row.record_no], |row| read_version(row, 0)).optional()
            })
            .map_err(from_driver)?;
        let Some(newest) = newest else {
            return Ok(false);
        };
        let time = shape.time_field().and_then(|field| time_key_of(data, field.as_str()));
        let mut numbered = Vec::new();
        for name in time_fields::former(self.db, collection.no)? {
            if let Some(number) = self.field_no(collection, &name)? {
                numbered.push((name, number));
            }
        }
        let former = keys_in(&row.json, numbered.iter().map(|(name, no)| (name.as_str(), *no)));
        let formerly =
            |(_, number): &(String, u16)| newest.other_times.get(number) == former.get(number);
        Ok(!newest.deleted
            && newest.flags == row.flags
            && newest.emitted_at == row.emitted_at
            && newest.time_key.as_deref() == time.as_ref().map(crate::SortKey::as_bytes)
            && numbered.iter().all(formerly)
            && newest.field_hashes == hashes)
    }

    /// The hashes a version of this data has, as stored.
    fn hashes(
        &self,
        collection: &CollectionRow,
        data: &JsonObject,
        long: &[(String, u64)],
    ) -> StoreResult<Vec<u8>> {
        let inline = data.iter().map(|(name, value)| {
            let hash = match value {
                Json::String(text) => self.hashing.string(text),
                other => self.hashing.canonical(&other.to_canonical()),
            };
            (name.clone(), hash)
        });
        let mut expected = Vec::new();
        for (name, hash) in inline.chain(long.iter().cloned()) {
            expected.push((self.field_no(collection, &name)?, hash));
        }
        expected.sort_unstable();
        let bytes = expected.into_iter().flat_map(|(number, hash)| {
            let number = number.unwrap_or(u16::MAX).to_be_bytes();
            number.into_iter().chain(hash.to_be_bytes())
        });
        Ok(bytes.collect())
    }

    fn field_no(&self, collection: &CollectionRow, name: &str) -> StoreResult<Option<u16>> {
        self.db
            .prepare_cached(FIND_FIELD)
            .and_then(|mut get| {
                get.query_row(params![collection.no, name], |row| row.get(0)).optional()
            })
            .map_err(from_driver)
    }
}
