//! A session: one connection, driven only while somebody waits for an answer.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_util::TryStreamExt;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Statement as Prepared};

use super::Result;
use super::bulk::Bulk;
use super::translate::translate;
use super::values::Value;
use super::waiting::Patience;

/// Statements kept prepared; more than there are, unless somebody declares hundreds of shapes.
const MOST_PREPARED: usize = 600;
/// Statements sent ahead before their outcomes are looked at.
const MOST_SENT: usize = 256;
/// Bytes sent ahead: they are in memory until the server has taken them.
const MOST_SENT_BYTES: usize = 8 << 20;

type Wire = Pin<Box<dyn Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send>>;
pub(crate) type Sent =
    Pin<Box<dyn Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send>>;

/// A session.
pub(crate) struct Connection {
    /// Present until the session is dropped.
    pub(super) runtime: Option<tokio::runtime::Runtime>,
    pub(super) client: Arc<Client>,
    /// Reads and writes the socket; absent once the connection has ended.
    pub(super) wire: RefCell<Option<Wire>>,
    pub(super) sent: RefCell<Vec<Sent>>,
    pub(super) sent_bytes: Cell<usize>,
    prepared: RefCell<HashMap<String, Prepared>>,
    pub(super) patience: Box<Patience>,
    pub(super) broken: Cell<bool>,
    /// Whether the server may still be at work on something that nobody waits for.
    pub(super) unanswered: Cell<bool>,
    /// Numbers of open cursors: a name is used again, so that its statement stays prepared.
    cursors: RefCell<BTreeSet<u32>>,
    bulk: Box<RefCell<Bulk>>,
    in_transaction: Cell<bool>,
    /// Whether a statement of the transaction failed, which undid all of it.
    pub(super) undone: Cell<bool>,
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
            patience: Box::default(),
            broken: Cell::new(false),
            unanswered: Cell::new(false),
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
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A store may be dropped inside another runtime, where waiting is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
