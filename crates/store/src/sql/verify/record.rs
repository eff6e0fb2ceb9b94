//! The full check of one record: its JSON, typed copy, texts and newest version.

use pdpp_contract::{Json, JsonObject};
use sha2::{Digest, Sha256};

use super::backend::dialect::apart;
use super::backend::errors::from_driver;
use super::prefetch::{Ahead, TypedCopy};
use super::sql::connections::reproject::{StoredRow, derive};
use super::sql::connections::time_fields::keys_in;
use super::sql::verify::{Check, Stream};
use super::sql::write::text::CHUNK_BITS;
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::RecordNo;
use crate::writes::prepare::{FLAG_TEXTS, blob_refs, time_key_of};

impl Check<'_> {
    /// Checks some records of a stream together; one by one when something among them is damaged.
    pub(super) fn some_records(
        &mut self,
        stream: &Stream<'_>,
        rows: &[StoredRow],
    ) -> StoreResult<()> {
        if let [row] = rows {
            let what = format!("{}: record {}", stream.place, row.record_no);
            return self.part(&what, |check| check.together(stream, rows));
        }
        let before = self.report.clone();
        match apart(self.db, || self.together(stream, rows)) {
            Err(error) if error.damage().is_some() => {
                // What was found so far is found again.
                self.report = before;
                rows.chunks(1).try_for_each(|row| self.some_records(stream, row))
            }
            checked => checked,
        }
    }

    fn together(&mut self, stream: &Stream<'_>, rows: &[StoredRow]) -> StoreResult<()> {
        let mut ahead = Ahead::read(self.db, stream.collection, stream.columns, rows)?;
        rows.iter().try_for_each(|row| self.record(stream, row, &mut ahead))
    }

    fn record(
        &mut self,
        stream: &Stream<'_>,
        row: &StoredRow,
        ahead: &mut Ahead,
    ) -> StoreResult<()> {
        let (no, place) = (row.record_no, &stream.place);
        let data = match Json::parse(&row.json) {
            Ok(Json::Object(data)) if Json::Object(data.clone()).to_canonical() == row.json => data,
            _ => {
                self.fault(format!("{place}: record {no} is not canonical JSON"));
                return Ok(());
            }
        };
        let keys: Vec<Option<Vec<u8>>> = derive(self.db, &stream.shape, self.hashing, row)?
            .into_iter()
            .map(|key| key.map(|key| key.as_bytes().to_vec()))
            .collect();
        let key_order = row.key_order.clone();
        let copy = ahead.copies.remove(&no);
        if copy != Some(TypedCopy { flags: row.flags, key_order, keys }) {
            self.fault(format!("{place}: the typed copy of record {no} differs"));
        }
        let mut refs = ahead.refs.remove(&no).unwrap_or_default();
        refs.retain(|(field, _)| data.contains_key(field));
        refs.sort();
        if refs != blob_refs(&data) {
            self.fault(format!("{place}: the blob references of record {no} differ"));
        }
        let long = if row.flags & FLAG_TEXTS == 0 { Vec::new() } else { self.texts(no, place)? };
        let hashes = self.hashes(stream, &data, &long);
        let newest = ahead.newest.remove(&no);
        if !newest.is_some_and(|newest| agrees(&newest, stream, row, &data, &hashes)) {
            self.fault(format!("{place}: the newest version of record {no} differs"));
        }
        Ok(())
    }

    /// Reads every chunk of a record's texts; returns the hash of each top-level one.
    fn texts(&mut self, record_no: RecordNo, place: &str) -> StoreResult<Vec<(String, u64)>> {
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
            let top = crate::text::field_path::top_member(&path);
            if top.is_none() && kind != 0 {
                self.fault(format!("{place}: a text inside record {record_no} is no text"));
            }
            if let Some(name) = top {
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

    /// The hashes a version of this data has, as stored.
    fn hashes(&self, stream: &Stream<'_>, data: &JsonObject, long: &[(String, u64)]) -> Vec<u8> {
        let inline = data.iter().map(|(name, value)| {
            let hash = match value {
                Json::String(text) => self.hashing.string(text),
                other => self.hashing.canonical(&other.to_canonical()),
            };
            (name.clone(), hash)
        });
        let numbered = inline.chain(long.iter().cloned());
        let mut expected: Vec<(Option<u16>, u64)> =
            numbered.map(|(name, hash)| (stream.fields.get(&name), hash)).collect();
        expected.sort_unstable();
        let bytes = expected.into_iter().flat_map(|(number, hash)| {
            let number = number.unwrap_or(u16::MAX).to_be_bytes();
            number.into_iter().chain(hash.to_be_bytes())
        });
        bytes.collect()
    }
}

/// The newest version must describe the record as it is, also its times.
fn agrees(
    newest: &Version,
    stream: &Stream<'_>,
    row: &StoredRow,
    data: &JsonObject,
    hashes: &[u8],
) -> bool {
    let time = stream.shape.time_field().and_then(|field| time_key_of(data, field.as_str()));
    let numbered = &stream.fields.former;
    let former = keys_in(&row.json, numbered.iter().map(|(name, no)| (name.as_str(), *no)));
    let formerly =
        |(_, number): &(String, u16)| newest.other_times.get(number) == former.get(number);
    !newest.deleted
        && newest.flags == row.flags
        && newest.emitted_at == row.emitted_at
        && newest.time_key.as_deref() == time.as_ref().map(crate::SortKey::as_bytes)
        && numbered.iter().all(formerly)
        && newest.field_hashes == hashes
}
