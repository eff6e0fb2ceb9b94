//! Shortening the version log, and telling later whether that took something from a reader.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::backend::driver::{Connection, OptionalExtension, Row, params, walk};

use super::backend::Backend;
use super::backend::errors::from_driver;
use super::sql::changes::track::{Track, read_version};
use super::sql::connections::collection::shape_of;
use super::sql::write::record::run;
use crate::changes::Known;
use crate::changes::lost::LostChanges;
use crate::changes::pruning::Mark;
use crate::changes::versions::Version;
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, CollectionNo, RecordNo};
use crate::opening::reserve::Reserve;
use crate::records::time_keys::{spans_from_bytes, spans_to_bytes};

const LIST_REVISED: &str = "
    SELECT v.record_no, k.collection_no
      FROM versions v JOIN record_keys k ON k.record_no = v.record_no
     WHERE v.record_no > ?1 AND v.change_no <= ?2
     GROUP BY v.record_no, k.collection_no
    HAVING count(*) > 1
     ORDER BY v.record_no
     LIMIT 200";
const FIND_PROJECTION: &str = "
    SELECT projection_no FROM collections WHERE collection_no = ?1";
const FIND_FIELD: &str = "
    SELECT field_no FROM collection_fields WHERE collection_no = ?1 AND name = ?2";
const LIST_VERSIONS: &str = "
    SELECT change_no, deleted, flags, emitted_at, time_key, field_hashes, other_times
      FROM versions
     WHERE record_no = ?1 AND change_no <= ?2
     ORDER BY change_no";
const DROP_VERSION: &str = "
    DELETE FROM versions WHERE record_no = ?1 AND change_no = ?2";
const DROP_CHANGE: &str = "
    DELETE FROM changes WHERE collection_no = ?1 AND change_no = ?2";
const FIND_MARK: &str = "
    SELECT uncoded, time_min, time_max, lost, other_times, losses FROM pruned WHERE record_no = ?1";
const PUT_MARK: &str = "
    INSERT INTO pruned
           (record_no, collection_no, change_no, uncoded, time_min, time_max, lost, other_times,
            losses)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (record_no) DO UPDATE
       SET collection_no = excluded.collection_no, change_no = excluded.change_no,
           losses = excluded.losses";
const LIST_MARKS: &str = "
    SELECT uncoded, time_min, time_max, lost, other_times, losses, record_no
      FROM pruned
     WHERE collection_no = ?1 AND change_no > ?2
     ORDER BY change_no DESC";

/// Drops what can go, a few records per transaction, so that writers are not kept waiting.
pub(crate) async fn prune(store: &Backend, through: ChangeNo) -> StoreResult<u64> {
    let (mut last, mut dropped) = (RecordNo(0), 0);
    loop {
        let (next, more) =
            store.write_reserved(Reserve::Ending, move |db| prune_some(db, last, through)).await?;
        dropped += more;
        match next {
            Some(record_no) => last = record_no,
            None => return Ok(dropped),
        }
    }
}

/// The last record looked at, if there was one, and how many versions went.
fn prune_some(
    db: &Connection,
    after: RecordNo,
    through: ChangeNo,
) -> StoreResult<(Option<RecordNo>, u64)> {
    let revised: Vec<Target> = db
        .prepare_cached(LIST_REVISED)
        .and_then(|mut list| list.query_map(params![after, through], Target::read)?.collect())
        .map_err(from_driver)?;
    let Some(last) = revised.last().map(|target| target.record_no) else {
        return Ok((None, 0));
    };
    let mut time_fields: HashMap<CollectionNo, Option<u16>> = HashMap::new();
    let mut dropped = 0;
    for target in &revised {
        let time_field = match time_fields.entry(target.collection_no) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(time_field(db, target.collection_no)?),
        };
        dropped += target.prune(db, through, time_field)?;
    }
    Ok((Some(last), dropped))
}

/// The number of the field whose times the log of a collection keeps.
fn time_field(db: &Connection, collection_no: CollectionNo) -> StoreResult<Option<u16>> {
    let projection_no: i64 = db
        .prepare_cached(FIND_PROJECTION)
        .and_then(|mut find| find.query_row([collection_no], |row| row.get(0)))
        .map_err(from_driver)?;
    let shape = shape_of(db, projection_no)?;
    let Some(column) = shape.time.and_then(|at| shape.columns.get(at)) else {
        return Ok(None);
    };
    db.prepare_cached(FIND_FIELD)
        .and_then(|mut find| {
            let asked = params![collection_no, column.field.as_str()];
            find.query_row(asked, |row| row.get(0)).optional()
        })
        .map_err(from_driver)
}

/// A record whose log is shortened.
struct Target {
    record_no: RecordNo,
    collection_no: CollectionNo,
}

impl Target {
    fn read(row: &Row<'_>) -> super::backend::driver::Result<Self> {
        Ok(Self { record_no: row.get(0)?, collection_no: row.get(1)? })
    }

    fn prune(
        &self,
        db: &Connection,
        through: ChangeNo,
        time_field: Option<u16>,
    ) -> StoreResult<u64> {
        let versions: Vec<Version> = db
            .prepare_cached(LIST_VERSIONS)
            .and_then(|mut list| {
                list.query_map(params![self.record_no, through], |row| read_version(row, 0))?
                    .collect()
            })
            .map_err(from_driver)?;
        let mut mark = Mark::default();
        let superfluous = mark.choose(&versions, time_field);
        if superfluous.is_empty() {
            return Ok(0);
        }
        let earlier = db
            .prepare_cached(FIND_MARK)
            .and_then(|mut find| find.query_row([self.record_no], read_mark).optional())
            .map_err(from_driver)?;
        if let Some(earlier) = earlier {
            mark.merge(earlier);
        }
        let Self { record_no, collection_no } = self;
        let (highest, lost) = (mark.highest(), mark.lost_bytes());
        run(
            db,
            PUT_MARK,
            params![
                record_no,
                collection_no,
                highest,
                mark.seen.0,
                mark.time_min,
                mark.time_max,
                lost,
                spans_to_bytes(&mark.other_times),
                mark.losses.to_bytes()
            ],
        )?;
        for change_no in &superfluous {
            run(db, DROP_VERSION, params![record_no, change_no])?;
            run(db, DROP_CHANGE, params![collection_no, change_no])?;
        }
        Ok(u64::try_from(superfluous.len()).unwrap_or(u64::MAX))
    }
}

fn read_mark(row: &Row<'_>) -> super::backend::driver::Result<Mark> {
    let mut mark = Mark::default();
    mark.seen.0 = row.get(0)?;
    mark.time_min = row.get(1)?;
    mark.time_max = row.get(2)?;
    mark.set_lost(&row.get::<_, Vec<u8>>(3)?);
    mark.other_times = spans_from_bytes(row.get::<_, Option<Vec<u8>>>(4)?.as_deref());
    mark.losses = LostChanges::from_bytes(row.get::<_, Option<Vec<u8>>>(5)?.as_deref());
    Ok(mark)
}

/// Whether a change that one of the tracks could see was taken from a reader.
pub(crate) fn took_something(
    db: &Connection,
    tracks: &[Track<'_>],
    known: Known,
) -> StoreResult<bool> {
    for track in tracks {
        let mut list = db.prepare_cached(LIST_MARKS).map_err(from_driver)?;
        let mut rows =
            walk(&mut list, params![track.collection.no, known.change_no]).map_err(from_driver)?;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let mark = read_mark(row).map_err(from_driver)?;
            if track.may_show(row.get(6).map_err(from_driver)?)
                && mark.is_missed(&track.view, known)
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The last of the changes beyond `after` at which a reader no longer misses what was dropped and one of
/// the tracks could see; `after` when there is none. A bookmark that is made now stands there.
pub(crate) fn lost_through(
    db: &Connection,
    tracks: &[Track<'_>],
    after: ChangeNo,
) -> StoreResult<ChangeNo> {
    let mut last = after;
    for track in tracks {
        let mut list = db.prepare_cached(LIST_MARKS).map_err(from_driver)?;
        let mut rows = walk(&mut list, params![track.collection.no, last]).map_err(from_driver)?;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let mark = read_mark(row).map_err(from_driver)?;
            if track.may_show(row.get(6).map_err(from_driver)?) {
                last = last.max(mark.losses.highest_seen(&track.view));
            }
        }
    }
    Ok(last)
}
