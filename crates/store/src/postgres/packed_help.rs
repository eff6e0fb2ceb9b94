//! Other sessions that walk over time fields at the same time, in the same snapshot: a server has
//! several cores, and a session uses one of them.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use super::aggregate_plan::source;
use super::declared::find_collection;
use super::driver::Connection;
use super::errors::from_driver;
use super::list_plan::Conditions;
use super::packed_keys::{KEY_BYTES, PAGE_KEYS, Told, walk_packed};
use super::pool::ReaderPool;
use crate::aggregate::TimeWalk;
use crate::error::{StoreError, StoreResult};

/// Sessions that help with one question at most.
const MOST_HELPERS: usize = 3;
/// Records below which help costs more than it saves. Few under test, so that it is always there.
const WORTH_HELP: u64 = if cfg!(feature = "conformance") { 2 } else { 20_000 };
/// Messages that may wait for whoever asked, who walks over a collection too: a third of a million keys.
const MOST_WAITING: usize = 16;
const EXPORT: &str = "SELECT pg_export_snapshot()";

/// Where other sessions come from.
pub(super) struct Helpers {
    pub pool: Arc<ReaderPool>,
    pub deadline: Duration,
}

/// A key, or none, and how many records have it.
type Counted = (Option<[u8; KEY_BYTES]>, u64);

enum Message {
    Some(Vec<Counted>),
    /// The end of a collection; `None` when it cannot be walked over this way.
    End(Option<u64>),
}

/// What others have begun, by the number of the collection.
#[derive(Default)]
pub(super) struct Help(HashMap<usize, Rc<Receiver<StoreResult<Message>>>>);

impl Help {
    /// Hands collections to sessions that are free; the first one stays here.
    pub(super) fn start(
        helpers: &Helpers,
        db: &Connection,
        jobs: Vec<TimeWalk>,
    ) -> StoreResult<Self> {
        let mut help = Self::default();
        let records: u64 = jobs.iter().map(|job| job.records).sum();
        let free = helpers.pool.free().min(MOST_HELPERS).min(jobs.len().saturating_sub(1));
        if free == 0 || records < WORTH_HELP {
            return Ok(help);
        }
        let snapshot: String = db.query_row(EXPORT, [], |row| row.get(0)).map_err(from_driver)?;
        let mut shares: Vec<Vec<TimeWalk>> = (0..=free).map(|_| Vec::new()).collect();
        for (at, job) in jobs.into_iter().enumerate() {
            if let Some(share) = shares.get_mut(at % (free + 1)) {
                share.push(job);
            }
        }
        for share in shares.into_iter().skip(1) {
            let indexes: Vec<usize> = share.iter().map(|job| job.index).collect();
            let (out, messages) = sync_channel(MOST_WAITING);
            let begin = format!(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{snapshot}'"
            );
            let work = move |session: &Connection| walk_all(session, &begin, &share, &out);
            if ReaderPool::help(&helpers.pool, helpers.deadline, work) {
                let messages = Rc::new(messages);
                help.0.extend(indexes.into_iter().map(|index| (index, Rc::clone(&messages))));
            }
        }
        Ok(help)
    }

    /// Tells what another session found in a collection; `None` when nobody walks over it, or whoever
    /// should have could not begin.
    pub(super) fn take(&self, index: usize, told: &mut Told<'_>) -> StoreResult<Option<u64>> {
        let Some(messages) = self.0.get(&index) else {
            return Ok(None);
        };
        let mut begun = false;
        loop {
            let message = messages.recv().map_err(StoreError::unavailable).flatten();
            match message {
                Ok(Message::End(count)) => return Ok(count),
                Ok(Message::Some(keys)) => {
                    begun = true;
                    for (key, records) in keys {
                        told(key.as_ref().map(<[u8; KEY_BYTES]>::as_slice), records)?;
                    }
                }
                Err(error) if begun => return Err(error),
                Err(_) => return Ok(None),
            }
        }
    }
}

/// Walks over some collections one after the other. Whoever asked may have stopped listening.
fn walk_all(
    session: &Connection,
    begin: &str,
    jobs: &[TimeWalk],
    out: &SyncSender<StoreResult<Message>>,
) {
    let walked = session.begin(begin).map_err(from_driver).and_then(|transaction| {
        jobs.iter().try_for_each(|job| {
            let count = walk_one(&transaction, job, out)?;
            out.send(Ok(Message::End(count))).map_err(StoreError::unavailable)
        })
    });
    if let Err(error) = walked {
        let _ = out.send(Err(error));
    }
}

fn walk_one(
    db: &Connection,
    job: &TimeWalk,
    out: &SyncSender<StoreResult<Message>>,
) -> StoreResult<Option<u64>> {
    let found = find_collection(db, &job.scope.connection, &job.scope.stream)?;
    let Some(collection) = found else {
        return Ok(None);
    };
    let Some((at, _)) = collection.shape.column(&job.field) else {
        return Ok(None);
    };
    let conditions = Conditions::new(&collection, &job.scope, &job.query);
    let from = source(&collection, &conditions, Some(at));
    let mut some = Vec::with_capacity(PAGE_KEYS);
    let send =
        |some: Vec<Counted>| out.send(Ok(Message::Some(some))).map_err(StoreError::unavailable);
    let mut told = |key: Option<&[u8]>, records: u64| {
        some.push((key.and_then(|key| key.try_into().ok()), records));
        if some.len() < PAGE_KEYS { Ok(()) } else { send(std::mem::take(&mut some)) }
    };
    let count = walk_packed(db, (&collection, at), &conditions, &from, &mut told)?;
    send(some)?;
    Ok(count)
}
