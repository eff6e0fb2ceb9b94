//! A session: one connection, driven only while somebody waits for an answer.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use futures_util::TryStreamExt;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Statement as Prepared};

use super::bulk::Bulk;
use super::translate::translate;
use super::values::Value;
use super::{Error, Result};

/// Statements kept prepared; more than there are, unless somebody declares hundreds of shapes.
const MOST_PREPARED: usize = 600;
/// Statements sent ahead before their outcomes are looked at.
const MOST_SENT: usize = 256;
/// Bytes sent ahead: they are in memory until the server has taken them.
const MOST_SENT_BYTES: usize = 8 << 20;

type Wire = Pin<Box<dyn Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send>>;
type Sent = Pin<Box<dyn Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send>>;

/// A session.
pub(in super::super) struct Connection {
    /// Present until the session is dropped.
    runtime: Option<tokio::runtime::Runtime>,
    client: Arc<Client>,
    /// Reads and writes the socket; absent once the connection has ended.
    wire: RefCell<Option<Wire>>,
    sent: RefCell<Vec<Sent>>,
    sent_bytes: Cell<usize>,
    prepared: RefCell<HashMap<String, Prepared>>,
    deadline: Cell<Option<Instant>>,
    broken: Cell<bool>,
    /// Numbers of open cursors: a name is used again, so that its statement stays prepared.
    cursors: RefCell<BTreeSet<u32>>,
    bulk: Box<RefCell<Bulk>>,
    in_transaction: Cell<bool>,
    /// Whether a statement of the transaction failed, which undid all of it.
    undone: Cell<bool>,
}

impl Connection {
    /// Takes over a connection that was made on this runtime.
    pub(in super::super) fn new(
        runtime: tokio::runtime::Runtime,
        client: Client,
        wire: impl Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send + 'static,
    ) -> Self {
        Self {
            runtime: Some(runtime),
            client: Arc::new(client),
            wire: RefCell::new(Some(Box::pin(wire))),
            sent: RefCell::default(),
            sent_bytes: Cell::new(0),
            prepared: RefCell::default(),
            deadline: Cell::new(None),
            broken: Cell::new(false),
            cursors: RefCell::default(),
            bulk: Box::default(),
            in_transaction: Cell::new(false),
            undone: Cell::new(false),
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// The rows that wait to be sent together.
    pub(super) fn bulk(&self) -> &RefCell<Bulk> {
        &self.bulk
    }

    pub(super) fn is_in_transaction(&self) -> bool {
        self.in_transaction.get()
    }

    /// Rows are collected from here on, or no longer.
    pub(super) fn set_in_transaction(&self, is_open: bool) {
        self.in_transaction.set(is_open);
        self.undone.set(false);
        self.forget_rows();
    }

    pub(super) fn is_undone(&self) -> bool {
        self.undone.get()
    }

    /// Until when answers are waited for.
    pub(in super::super) fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
    }

    /// Whether the session can be used again.
    pub(in super::super) fn is_sound(&self) -> bool {
        !self.broken.get() && !self.client.is_closed() && self.wire.borrow().is_some()
    }

    /// Runs statements without values and waits for them.
    pub(in super::super) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.send_rows()?;
        self.wait(self.client.batch_execute(sql))
    }

    /// Sends statements without values ahead.
    pub(in super::super) fn send_text(&self, sql: String) -> Result<()> {
        self.send_rows()?;
        let client = Arc::clone(&self.client);
        self.send(Box::pin(async move { client.batch_execute(&sql).await }))
    }

    /// Sends a statement ahead; what became of it is known with the next answer.
    pub(super) fn send_values(&self, sql: &str, values: Vec<Value>) -> Result<()> {
        self.send_rows()?;
        self.send_now(sql, values)
    }

    /// The same, before the rows that are collected.
    pub(super) fn send_now(&self, sql: &str, values: Vec<Value>) -> Result<()> {
        let (client, statement) = (Arc::clone(&self.client), self.prepare_now(sql)?);
        let bytes = values.iter().map(Value::size).sum::<usize>();
        self.sent_bytes.set(self.sent_bytes.get().saturating_add(bytes));
        self.send(Box::pin(async move { client.execute_raw(&statement, values).await.map(|_| ()) }))
    }

    fn send(&self, mut sent: Sent) -> Result<()> {
        // The first step writes the message into the connection's queue.
        match sent.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => return outcome.map_err(|error| self.failed(error)),
            Poll::Pending => self.sent.borrow_mut().push(sent),
        }
        let is_much = self.sent_bytes.get() >= MOST_SENT_BYTES;
        if is_much || self.sent.borrow().len() >= MOST_SENT { self.settle() } else { Ok(()) }
    }

    /// How many statements went ahead whose outcomes nobody has looked at.
    #[cfg(test)]
    pub(in super::super) fn sent_ahead(&self) -> usize {
        self.sent.borrow().len()
    }

    /// Waits for everything that was sent ahead.
    pub(super) fn settle(&self) -> Result<()> {
        self.wait(async { Ok(()) })
    }

    /// Runs a statement and returns all its rows.
    pub(super) fn ask(&self, sql: &str, values: Vec<Value>) -> Result<Vec<tokio_postgres::Row>> {
        self.send_rows()?;
        self.ask_now(sql, values)
    }

    /// The same, before the rows that are collected.
    pub(super) fn ask_now(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<Vec<tokio_postgres::Row>> {
        let statement = self.prepare_now(sql)?;
        self.wait(async { self.client.query_raw(&statement, values).await?.try_collect().await })
    }

    /// Runs a statement and returns how many rows it changed.
    pub(super) fn change(&self, sql: &str, values: Vec<Value>) -> Result<u64> {
        self.send_rows()?;
        let statement = self.prepare_now(sql)?;
        self.wait(self.client.execute_raw(&statement, values))
    }

    /// The lowest number that no open cursor of this session has.
    pub(super) fn open_cursor(&self) -> u32 {
        let mut open = self.cursors.borrow_mut();
        let free = (0..u32::MAX).find(|number| !open.contains(number)).unwrap_or(u32::MAX);
        open.insert(free);
        free
    }

    /// A cursor's number is free again.
    pub(super) fn close_cursor(&self, number: u32) {
        self.cursors.borrow_mut().remove(&number);
    }

    /// Runs a statement without values that nobody will run again.
    pub(super) fn ask_once(&self, sql: &str) -> Result<Vec<tokio_postgres::Row>> {
        self.send_rows()?;
        let none = Vec::<(Value, Type)>::new();
        self.wait(async { self.client.query_typed_raw(sql, none).await?.try_collect().await })
    }

    pub(super) fn prepare_now(&self, sql: &str) -> Result<Prepared> {
        if let Some(statement) = self.prepared.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(self.client.prepare(&translate(sql)))?;
        let mut prepared = self.prepared.borrow_mut();
        if prepared.len() >= MOST_PREPARED {
            prepared.clear();
        }
        prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Drives the connection until the work is done, after everything that was sent before it.
    pub(super) fn wait<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        let Some(runtime) = &self.runtime else {
            return Err(Error::Closed);
        };
        if self.broken.get() {
            return Err(Error::Closed);
        }
        let sent = self.sent.take();
        self.sent_bytes.set(0);
        let mut wire = self.wire.borrow_mut();
        let deadline = self.deadline.get();
        let outcome = runtime.block_on(async {
            let mut work = pin!(in_order(sent, work));
            let both = poll_fn(|context| {
                let ended = wire.as_mut().map(|wire| wire.as_mut().poll(context).is_ready());
                if ended == Some(true) {
                    *wire = None;
                }
                work.as_mut().poll(context)
            });
            match deadline {
                None => Some(both.await),
                Some(at) => tokio::time::timeout_at(at.into(), both).await.ok(),
            }
        });
        match outcome {
            Some(done) => done.map_err(|error| self.failed(error)),
            None => {
                // Its answer may still come; nobody could tell it from the next one's.
                self.broken.set(true);
                Err(Error::Late)
            }
        }
    }

    fn failed(&self, error: tokio_postgres::Error) -> Error {
        self.undone.set(true);
        // A server that takes no writes any more has lost that part to another one.
        let is_replica = error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION);
        if error.as_db_error().is_none() || is_replica {
            self.broken.set(true);
        }
        Error::Server(error)
    }
}

/// What was sent ahead first: the first failure is the cause of all later ones.
async fn in_order<T>(
    sent: Vec<Sent>,
    work: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
) -> std::result::Result<T, tokio_postgres::Error> {
    let mut work = pin!(work);
    let mut early = None;
    // One step, so that the question goes out before the earlier answers are waited for.
    poll_fn(|context| {
        if let Poll::Ready(done) = work.as_mut().poll(context) {
            early = Some(done);
        }
        Poll::Ready(())
    })
    .await;
    for one in sent {
        one.await?;
    }
    match early {
        Some(done) => done,
        None => work.await,
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A store may be dropped inside another runtime, where waiting is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
