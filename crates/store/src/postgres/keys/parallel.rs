//! Other sessions that walk over time fields at the same time, in the same snapshot: a server has
//! several cores, and a session uses one of them.

use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::packed::{Packed, is_packed};
use super::spans::KeyRange;
use crate::aggregate::{TimeWalk, Walked};
use crate::error::StoreResult;
use crate::postgres::connection::pool::ReaderPool;
use crate::postgres::driver::Connection;
use crate::postgres::errors::from_driver;
use crate::postgres::sql::aggregate::plan::source;
use crate::postgres::sql::connections::collection::{Collection, find_collection};
use crate::postgres::sql::records::plan::Conditions;

/// Sessions that help with one question at most.
const MOST_HELPERS: usize = 3;
/// Records below which help costs more than it saves. Few under test, so that it is always there.
const WORTH_HELP: u64 = if cfg!(feature = "small-pages") { 2 } else { 20_000 };
/// Records that are walked over at once, roughly, and the most parts of a collection: small parts keep
/// every session busy to the end.
const PART_RECORDS: u64 = if cfg!(feature = "small-pages") { 4 } else { 12_500 };
const MOST_PARTS: u64 = 16;
const EXPORT: &str = "SELECT pg_export_snapshot()";

/// Where other sessions come from.
pub(crate) struct Helpers {
    pub pool: Arc<ReaderPool>,
    pub deadline: Duration,
}

/// What was found together with others, by the number of the collection.
#[derive(Default)]
pub(crate) struct Help(HashMap<usize, Found>);

struct Found {
    /// Parts that nobody has answered for.
    wanting: usize,
    walked: Walked,
}

impl Help {
    /// Walks over collections together with sessions that are free: whoever is done takes the next part.
    pub(crate) fn walk(
        helpers: &Helpers,
        db: &Connection,
        jobs: Vec<TimeWalk>,
    ) -> StoreResult<Self> {
        let mut help = Self::default();
        let records: u64 = jobs.iter().map(|job| job.records).sum();
        if helpers.pool.free() == 0 || records < WORTH_HELP {
            return Ok(help);
        }
        let parts = help.plan(db, jobs)?;
        let mut waited_for = parts.len();
        let free = helpers.pool.free().min(MOST_HELPERS).min(parts.len().saturating_sub(1));
        let snapshot: String = db.query_row(EXPORT, [], |row| row.get(0)).map_err(from_driver)?;
        let queue = Arc::new(Queue(Mutex::new(parts)));
        let (out, found) = channel();
        for _ in 0..free {
            let (queue, out) = (Arc::clone(&queue), out.clone());
            let begin = format!(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{snapshot}'"
            );
            let work = move |session: &Connection| walk_on(session, &begin, &queue, &out);
            ReaderPool::help(&helpers.pool, helpers.deadline, work);
        }
        drop(out);
        while let Some(part) = queue.next() {
            waited_for -= 1;
            let walked = part.walk(db).inspect_err(|_| queue.clear())?;
            help.add(part.whole.job.index, Some(walked));
        }
        for (index, walked) in found.iter().take(waited_for) {
            help.add(index, walked);
        }
        Ok(help)
    }

    /// The parts of what is walked over this way.
    fn plan(&mut self, db: &Connection, jobs: Vec<TimeWalk>) -> StoreResult<Vec<Part>> {
        let mut parts = Vec::new();
        for job in jobs {
            let Some(whole) = Whole::find(db, job)? else { continue };
            let ranges = whole.ranges(db)?;
            let walked = Walked { records: 0, counts: whole.job.counts.emptied() };
            self.0.insert(whole.job.index, Found { wanting: ranges.len(), walked });
            let whole = Arc::new(whole);
            let part = |range| Part { whole: Arc::clone(&whole), range };
            parts.extend(ranges.into_iter().map(part));
        }
        Ok(parts)
    }

    fn add(&mut self, index: usize, walked: Option<Walked>) {
        if let (Some(found), Some(walked)) = (self.0.get_mut(&index), walked) {
            found.wanting -= 1;
            found.walked.records += walked.records;
            found.walked.counts.merge(walked.counts);
        }
    }

    /// What was found in a collection; `None` when not all of it was walked over: nobody was free, or
    /// somebody failed.
    pub(crate) fn take(&mut self, index: usize) -> Option<Walked> {
        self.0.remove(&index).filter(|found| found.wanting == 0).map(|found| found.walked)
    }
}

/// Parts that nobody has begun with.
struct Queue(Mutex<Vec<Part>>);

impl Queue {
    fn next(&self) -> Option<Part> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Walks over one part after the other; each that is begun is answered for.
fn walk_on(
    session: &Connection,
    begin: &str,
    queue: &Queue,
    out: &Sender<(usize, Option<Walked>)>,
) {
    let transaction = match session.begin(begin) {
        Ok(transaction) => transaction,
        // Too late, mostly: the others were done before.
        Err(error) => return tracing::debug!("no help with a walk: {error}"),
    };
    while let Some(part) = queue.next() {
        let walked = part.walk(&transaction).ok();
        let failed = walked.is_none();
        // Whoever asked may have stopped listening.
        if out.send((part.whole.job.index, walked)).is_err() || failed {
            return;
        }
    }
}

/// A collection that is walked over.
struct Whole {
    job: TimeWalk,
    collection: Collection,
    at: usize,
}

impl Whole {
    fn find(db: &Connection, job: TimeWalk) -> StoreResult<Option<Self>> {
        let found = find_collection(db, &job.scope.connection, &job.scope.stream)?;
        let Some(collection) = found else {
            return Ok(None);
        };
        let Some((at, _)) = collection.shape.column(&job.field) else {
            return Ok(None);
        };
        let conditions = Conditions::new(&collection, &job.scope, &job.query);
        let is_packed = is_packed(&collection, at, &conditions);
        Ok(is_packed.then_some(Self { job, collection, at }))
    }

    fn ranges(&self, db: &Connection) -> StoreResult<Vec<KeyRange>> {
        let parts = (self.collection.record_count / PART_RECORDS).clamp(1, MOST_PARTS);
        self.with(db, |packed| packed.ranges(parts))
    }

    fn with<T>(&self, db: &Connection, ask: impl FnOnce(&Packed<'_>) -> T) -> T {
        let Self { job, collection, at } = self;
        let conditions = &Conditions::new(collection, &job.scope, &job.query);
        let from = &source(collection, conditions, &[*at]);
        ask(&Packed { db, collection, conditions, from, at: *at })
    }
}

/// A part of a collection.
struct Part {
    whole: Arc<Whole>,
    range: KeyRange,
}

impl Part {
    fn walk(&self, db: &Connection) -> StoreResult<Walked> {
        let mut counts = self.whole.job.counts.emptied();
        let count = |packed: &Packed<'_>| packed.count_in(&self.range, &mut counts);
        let records = self.whole.with(db, count)?;
        Ok(Walked { records, counts })
    }
}
