//! Pages of changes: each collection walks its own log, the walks are merged by change number.

pub(crate) mod emitted;
pub(crate) mod steps;
pub(crate) mod track;

use super::{backend, sql};

use std::collections::VecDeque;

use async_trait::async_trait;
use backend::driver::Connection;
use pdpp_contract::RecordId;

use crate::changes::{ChangeLog, ChangePage, Changes, ChangesQuery, Departed, RecordChange};
use crate::error::StoreResult;
use crate::numbers::{ChangeNo, RecordNo};
use crate::records::CollectionQuery;
use crate::records::scope::ReadScope;
use crate::writes::hashing::HashKey;
use backend::Backend;
use backend::errors::{corrupt, from_driver};
use sql::records::list::weight;
use sql::records::prefetch::RowsAhead;
use sql::records::trim;
use sql::retention::prune;
use steps::{Direction, Step, next_length};
use track::{Track, Verdict};

const NEWEST: &str = "
    SELECT change_no FROM change_counter WHERE only_row = 1";
const FIND_KEY: &str = "
    SELECT key_order FROM record_keys WHERE record_no = ?1";

#[async_trait]
impl ChangeLog for Backend {
    async fn changes(&self, scope: &ReadScope, query: ChangesQuery) -> StoreResult<Changes> {
        let (scope, hashing) = (scope.clone(), self.secrets.hashing.clone());
        self.read(move |db| page(db, &hashing, &scope, &query)).await
    }

    async fn newest_change(&self) -> StoreResult<ChangeNo> {
        self.read(newest).await
    }
}

/// The newest change of all.
pub(crate) fn newest(db: &Connection) -> StoreResult<ChangeNo> {
    db.query_row(NEWEST, [], |row| row.get(0)).map_err(from_driver)
}

fn page(
    db: &Connection,
    hashing: &HashKey,
    scope: &ReadScope,
    query: &ChangesQuery,
) -> StoreResult<Changes> {
    let none = CollectionQuery::default();
    let mut tracks = Vec::new();
    for (index, part) in scope.collections().iter().enumerate() {
        tracks.extend(Track::open(db, hashing, index, part, query, &none)?);
    }
    let newest = newest(db)?;
    let known = query.known;
    // A reader who knows nothing yet can miss nothing.
    let knows_something = known.change_no > ChangeNo::NONE;
    if known.change_no > newest || (knows_something && prune::took_something(db, &tracks, known)?) {
        return Ok(Changes::Expired);
    }
    let (after, horizon) = match query.resume {
        Some(resume) => (resume.after, resume.horizon),
        None => {
            let change_no = last_visible(db, &tracks, known.change_no, newest)?;
            (known.change_no, prune::lost_through(db, &tracks, change_no)?)
        }
    };
    let found = collect(db, &tracks, query, after, horizon)?;
    read_page(db, &tracks, query, found, horizon).map(Changes::Page)
}

/// The last visible change, or `since` when there is none after it.
///
/// The newest change of all would tell a reader that something hidden has happened.
fn last_visible(
    db: &Connection,
    tracks: &[Track<'_>],
    since: ChangeNo,
    newest: ChangeNo,
) -> StoreResult<ChangeNo> {
    let mut last = since;
    for track in tracks {
        let (mut below, mut length) = (newest, None);
        'track: loop {
            let most = next_length(length);
            let steps = track.steps.read(db, Direction::Down, last, below, most)?;
            for step in &steps {
                if track.is_visible(step)? {
                    last = step.version.change_no;
                    break 'track;
                }
            }
            match steps.last() {
                Some(step) => below = step.version.change_no.before(),
                None => break,
            }
            length = Some(most);
        }
    }
    Ok(last)
}

/// A change that shows, before its record is read.
struct Found {
    track: usize,
    change_no: ChangeNo,
    record_no: RecordNo,
    left_at: Option<String>,
}

/// The walk over one track: what was read ahead, and where the next steps begin.
struct Walk {
    ahead: VecDeque<Step>,
    above: ChangeNo,
    length: Option<i64>,
}

impl Walk {
    /// The number of the next change; reads on when nothing is left.
    fn next(
        &mut self,
        db: &Connection,
        track: &Track<'_>,
        horizon: ChangeNo,
    ) -> StoreResult<Option<ChangeNo>> {
        if self.ahead.is_empty() && self.above < horizon {
            let most = next_length(self.length);
            let steps = track.steps.read(db, Direction::Up, self.above, horizon, most)?;
            self.above = steps.last().map_or(horizon, |step| step.version.change_no);
            self.length = Some(most);
            self.ahead = steps.into();
        }
        Ok(self.ahead.front().map(|step| step.version.change_no))
    }
}

/// As many changes as a page holds and one more, in the order of their numbers.
fn collect(
    db: &Connection,
    tracks: &[Track<'_>],
    query: &ChangesQuery,
    after: ChangeNo,
    horizon: ChangeNo,
) -> StoreResult<Vec<Found>> {
    let begin = |_| Walk { ahead: VecDeque::new(), above: after, length: None };
    let mut walks: Vec<Walk> = tracks.iter().map(begin).collect();
    let mut found = Vec::new();
    while found.len() <= query.limit {
        let mut next: Option<(ChangeNo, usize)> = None;
        for (index, (walk, track)) in walks.iter_mut().zip(tracks).enumerate() {
            if let Some(change_no) = walk.next(db, track, horizon)?
                && next.is_none_or(|(lowest, _)| change_no < lowest)
            {
                next = Some((change_no, index));
            }
        }
        let Some((change_no, index)) = next else {
            break;
        };
        let step = walks.get_mut(index).and_then(|walk| walk.ahead.pop_front());
        let (Some(step), Some(track)) = (step, tracks.get(index)) else {
            break;
        };
        let left_at = match track.judge(&step, query.known.change_no, horizon)? {
            Verdict::Silent => continue,
            Verdict::Present => None,
            Verdict::Gone { left_at } => Some(left_at),
        };
        found.push(Found { track: index, change_no, record_no: step.record_no, left_at });
    }
    Ok(found)
}

fn read_page(
    db: &Connection,
    tracks: &[Track<'_>],
    query: &ChangesQuery,
    found: Vec<Found>,
    horizon: ChangeNo,
) -> StoreResult<ChangePage> {
    let available = found.len();
    let mut page =
        ChangePage { changes: Vec::new(), horizon, last: None, has_more: false, reduced: false };
    let mut bytes = 0;
    let present = found.iter().filter(|entry| entry.left_at.is_none());
    let mut rows = RowsAhead::new(db, present.map(|entry| entry.record_no).take(query.limit));
    for entry in found {
        if page.changes.len() == query.limit {
            break;
        }
        if !page.changes.is_empty() && bytes >= query.max_bytes {
            page.reduced = true;
            break;
        }
        let track = tracks
            .get(entry.track)
            .ok_or_else(|| corrupt("changes", "collection_no", entry.change_no))?;
        page.last = Some(entry.change_no);
        page.changes.push(match entry.left_at {
            Some(left_at) => gone(db, track, entry.record_no, left_at)?,
            None => {
                let row = rows
                    .get(entry.record_no)?
                    .ok_or_else(|| corrupt("records", "record_no", entry.record_no))?;
                let fields = query.fields.as_deref();
                let record = trim(db, track.scope, row, fields, query.preview_chars)?;
                let record = record.place(track.index);
                bytes += weight(&record);
                RecordChange::Present(Box::new(record))
            }
        });
    }
    page.has_more = page.changes.len() < available;
    Ok(page)
}

fn gone(
    db: &Connection,
    track: &Track<'_>,
    record_no: RecordNo,
    left_at: String,
) -> StoreResult<RecordChange> {
    let key: Vec<u8> = db
        .prepare_cached(FIND_KEY)
        .and_then(|mut find| find.query_row([record_no], |row| row.get(0)))
        .map_err(from_driver)?;
    let id = RecordId::from_sort_bytes(&key)
        .ok_or_else(|| corrupt("record_keys", "key_order", record_no))?;
    Ok(RecordChange::Gone(Departed {
        collection: track.index,
        connection: track.scope.connection.clone(),
        stream: track.scope.stream.clone(),
        id,
        record_no,
        left_at,
    }))
}
