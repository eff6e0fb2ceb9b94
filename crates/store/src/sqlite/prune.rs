//! Shortening the version log, and telling later whether that took something from a reader.
//!
//! Pruning notes, per record, which fields the dropped versions had changed and when each of them
//! changed next; and between which times the record lay. A bookmark from before such a number,
//! under a grant that shows the field and could have shown the record, has lost something.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::Sqlite;
use super::change_track::{Track, read_version};
use super::errors::from_sqlite;
use super::write_record::run;
use crate::error::StoreResult;
use crate::versions::{Version, changed};

const LIST_REVISED: &str = "
    SELECT v.record_no, k.collection_no
      FROM versions v JOIN record_keys k ON k.record_no = v.record_no
     WHERE v.record_no > ?1 AND v.change_no <= ?2
     GROUP BY v.record_no
    HAVING count(*) > 1
     ORDER BY v.record_no
     LIMIT 200";
const LIST_VERSIONS: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes
      FROM versions
     WHERE record_no = ?1 AND change_no <= ?2
     ORDER BY change_no";
const DROP_VERSION: &str = "
    DELETE FROM versions WHERE record_no = ?1 AND change_no = ?2";
const DROP_CHANGE: &str = "
    DELETE FROM changes WHERE collection_no = ?1 AND change_no = ?2";
const FIND_MARK: &str = "
    SELECT uncoded, time_min, time_max, lost FROM pruned WHERE record_no = ?1";
const PUT_MARK: &str = "
    INSERT OR REPLACE INTO pruned
           (record_no, collection_no, change_no, uncoded, time_min, time_max, lost)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const LIST_MARKS: &str = "
    SELECT uncoded, time_min, time_max, lost, record_no
      FROM pruned
     WHERE collection_no = ?1 AND change_no > ?2
     ORDER BY change_no DESC";

/// Drops what can go, a few records per transaction, so that writers are not kept waiting.
pub(super) async fn prune(store: &Sqlite, through: i64) -> StoreResult<u64> {
    let (mut last, mut dropped) = (0, 0);
    loop {
        let (next, more) = store
            .write(move |db| {
                let revised: Vec<(i64, i64)> = db
                    .prepare_cached(LIST_REVISED)
                    .and_then(|mut list| {
                        list.query_map([last, through], |row| Ok((row.get(0)?, row.get(1)?)))?
                            .collect()
                    })
                    .map_err(from_sqlite)?;
                let mut dropped = 0;
                for (record_no, collection_no) in &revised {
                    dropped += prune_record(db, *record_no, *collection_no, through)?;
                }
                Ok((revised.last().map(|(record_no, _)| *record_no), dropped))
            })
            .await?;
        dropped += more;
        match next {
            Some(record_no) => last = record_no,
            None => return Ok(dropped),
        }
    }
}

fn prune_record(
    db: &Connection,
    record_no: i64,
    collection_no: i64,
    through: i64,
) -> StoreResult<u64> {
    let versions: Vec<Version> = db
        .prepare_cached(LIST_VERSIONS)
        .and_then(|mut list| list.query_map([record_no, through], read_version)?.collect())
        .map_err(from_sqlite)?;
    let mut mark = Mark::default();
    let superfluous = mark.choose(&versions);
    if superfluous.is_empty() {
        return Ok(0);
    }
    if let Some(earlier) = find_mark(db, record_no)? {
        mark.merge(earlier);
    }
    mark.put(db, record_no, collection_no)?;
    for change_no in &superfluous {
        run(db, DROP_VERSION, [record_no, *change_no])?;
        run(db, DROP_CHANGE, [collection_no, *change_no])?;
    }
    Ok(u64::try_from(superfluous.len()).unwrap_or(u64::MAX))
}

/// What pruning took from one record.
#[derive(Default)]
struct Mark {
    uncoded: bool,
    time_min: Option<Vec<u8>>,
    time_max: Option<Vec<u8>>,
    /// Field number to the next change of the field after a dropped one.
    lost: BTreeMap<u16, i64>,
}

impl Mark {
    /// The versions that can go, and notes about them. Versions are given oldest first.
    fn choose(&mut self, versions: &[Version]) -> Vec<i64> {
        let kept = kept(versions);
        let mut changed_next: HashMap<u16, i64> = HashMap::new();
        let mut superfluous = Vec::new();
        for (at, (version, kept)) in versions.iter().zip(kept).enumerate().rev() {
            let before = at.checked_sub(1).and_then(|at| versions.get(at));
            let fields = changed(before, version);
            if !kept {
                superfluous.push(version.change_no);
                for field in &fields {
                    let next = changed_next.get(field).copied().unwrap_or(i64::MAX);
                    let known = self.lost.entry(*field).or_insert(next);
                    *known = next.max(*known);
                }
                let around = [before, Some(version), versions.get(at + 1)];
                around.into_iter().flatten().for_each(|version| self.note(version));
            }
            changed_next.extend(fields.into_iter().map(|field| (field, version.change_no)));
        }
        superfluous
    }

    fn note(&mut self, version: &Version) {
        self.uncoded |= !version.deleted && !version.carries_codes();
        self.span(version.time_key.clone(), version.time_key.clone());
    }

    fn span(&mut self, first: Option<Vec<u8>>, last: Option<Vec<u8>>) {
        self.time_min = self.time_min.take().into_iter().chain(first).min();
        self.time_max = self.time_max.take().into_iter().chain(last).max();
    }

    fn merge(&mut self, earlier: Self) {
        self.uncoded |= earlier.uncoded;
        self.span(earlier.time_min, earlier.time_max);
        for (field, next) in earlier.lost {
            let known = self.lost.entry(field).or_insert(next);
            *known = next.max(*known);
        }
    }

    fn put(&self, db: &Connection, record_no: i64, collection_no: i64) -> StoreResult<()> {
        let newest = self.lost.values().max().copied().unwrap_or(0);
        let mut lost = Vec::with_capacity(self.lost.len() * 10);
        for (field, next) in &self.lost {
            lost.extend_from_slice(&field.to_be_bytes());
            lost.extend_from_slice(&next.to_be_bytes());
        }
        let values = params![
            record_no,
            collection_no,
            newest,
            self.uncoded,
            self.time_min,
            self.time_max,
            lost
        ];
        run(db, PUT_MARK, values)
    }

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let lost: Vec<u8> = row.get(3)?;
        let entry = |(field, next): (u16, u64)| (field, next.cast_signed());
        Ok(Self {
            uncoded: row.get(0)?,
            time_min: row.get(1)?,
            time_max: row.get(2)?,
            lost: crate::versions::entries(&lost).map(entry).collect(),
        })
    }
}

/// Which versions stay, oldest first: the newest, the last change of each field, and where two of
/// these would look alike, the version between them.
fn kept(versions: &[Version]) -> Vec<bool> {
    let before = |at: usize| at.checked_sub(1).and_then(|at| versions.get(at));
    let mut seen = HashSet::new();
    let mut kept: Vec<bool> = Vec::with_capacity(versions.len());
    for (at, version) in versions.iter().enumerate().rev() {
        let fields = changed(before(at), version);
        let is_last = fields.iter().filter(|field| seen.insert(**field)).count() > 0;
        kept.push(is_last || at + 1 == versions.len());
    }
    kept.reverse();
    let mut last: Option<&Version> = None;
    for (at, version) in versions.iter().enumerate() {
        if !kept.get(at).is_some_and(|kept| *kept) {
            continue;
        }
        let visible = changed(last, version);
        if !changed(before(at), version).iter().all(|field| visible.contains(field))
            && let Some(between) = at.checked_sub(1).and_then(|at| kept.get_mut(at))
        {
            *between = true;
        }
        last = Some(version);
    }
    kept
}

fn find_mark(db: &Connection, record_no: i64) -> StoreResult<Option<Mark>> {
    db.prepare_cached(FIND_MARK)
        .and_then(|mut find| find.query_row([record_no], Mark::read).optional())
        .map_err(from_sqlite)
}

/// Whether a change that one of the tracks could see is missing to a reader who knows everything up
/// to `known`.
pub(super) fn took_something(
    db: &Connection,
    tracks: &[Track<'_>],
    known: i64,
) -> StoreResult<bool> {
    for track in tracks {
        let mut list = db.prepare_cached(LIST_MARKS).map_err(from_sqlite)?;
        let mut rows = list.query([track.collection.no, known]).map_err(from_sqlite)?;
        while let Some(row) = rows.next().map_err(from_sqlite)? {
            let mark = Mark::read(row).map_err(from_sqlite)?;
            let times = (mark.time_min.as_deref(), mark.time_max.as_deref());
            let lost = |(field, next): (&u16, &i64)| *next > known && track.view.depends_on(*field);
            if track.may_show(row.get(4).map_err(from_sqlite)?)
                && track.view.could_see(times, mark.uncoded)
                && mark.lost.iter().any(lost)
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
