//! The rows of a page's records: many with one question where each question is a round trip.

use std::collections::{HashMap, VecDeque};

use super::backend::driver::{AMONG, Connection, READ_AHEAD, among, params};
use super::backend::errors::from_driver;
use super::sql::records::{RecordRow, get};
use crate::error::StoreResult;
use crate::numbers::RecordNo;

/// Rows read first; a page may be full of bytes soon.
const FIRST: usize = 16;

/// Rows of records that will be asked for in this order, if they are asked for.
pub(crate) struct RowsAhead<'a> {
    db: &'a Connection,
    next: VecDeque<RecordNo>,
    ready: HashMap<RecordNo, RecordRow>,
    most: usize,
}

impl<'a> RowsAhead<'a> {
    pub(crate) fn new(db: &'a Connection, numbers: impl Iterator<Item = RecordNo>) -> Self {
        Self { db, next: numbers.collect(), ready: HashMap::new(), most: FIRST }
    }

    /// A live record's row.
    pub(crate) fn get(&mut self, record_no: RecordNo) -> StoreResult<Option<RecordRow>> {
        if READ_AHEAD < 2 {
            return get(self.db, record_no);
        }
        if !self.ready.contains_key(&record_no) {
            self.read()?;
        }
        match self.ready.remove(&record_no) {
            Some(row) => Ok(Some(row)),
            None => get(self.db, record_no),
        }
    }

    fn read(&mut self) -> StoreResult<()> {
        let some: Vec<RecordNo> = self.next.drain(..self.most.min(self.next.len())).collect();
        self.most = (self.most * 2).min(READ_AHEAD);
        let sql = format!(
            "SELECT r.record_no, r.flags, r.emitted_at, k.key_order, r.json
               FROM records r JOIN record_keys k ON k.record_no = r.record_no
              WHERE r.record_no {AMONG}"
        );
        let mut list = self.db.prepare_cached(&sql).map_err(from_driver)?;
        let mut rows = list.query(params![among(&some)]).map_err(from_driver)?;
        while let Some(row) = rows.next().map_err(from_driver)? {
            let record_no = row.get(0).map_err(from_driver)?;
            let (flags, emitted_at) = (row.get(1), row.get(2));
            let key_order: Vec<u8> = row.get(3).map_err(from_driver)?;
            let json: String = row.get(4).map_err(from_driver)?;
            let (flags, emitted_at) =
                (flags.map_err(from_driver)?, emitted_at.map_err(from_driver)?);
            let parsed = RecordRow::parse(record_no, flags, emitted_at, &key_order, &json)?;
            self.ready.insert(record_no, parsed);
        }
        Ok(())
    }
}
