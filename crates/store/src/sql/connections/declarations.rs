//! Declarations, each read and parsed once: one may describe a thousand streams.

use std::collections::HashMap;
use std::rc::Rc;

use pdpp_contract::SourceDeclaration;
use sha2::{Digest, Sha256};

use super::backend::driver::Connection;
use super::backend::errors::from_driver;
use crate::error::StoreResult;

const FIND: &str = "
    SELECT json, digest FROM declarations WHERE declaration_no = ?1";

/// A declaration that can be read.
pub(crate) struct Known {
    pub(crate) declaration: SourceDeclaration,
    /// Whether it has the digest of the one that was given.
    pub(crate) is_as_given: bool,
}

/// Those that were asked for, by their numbers.
#[derive(Default)]
pub(crate) struct Declarations(HashMap<i64, Option<Rc<Known>>>);

impl Declarations {
    /// The declaration with this number; `None` when it cannot be read.
    pub(crate) fn find(&mut self, db: &Connection, number: i64) -> StoreResult<Option<Rc<Known>>> {
        if let Some(known) = self.0.get(&number) {
            return Ok(known.clone());
        }
        let found = read(db, number)?.map(Rc::new);
        self.0.insert(number, found.clone());
        Ok(found)
    }
}

fn read(db: &Connection, number: i64) -> StoreResult<Option<Known>> {
    let (json, digest): (String, Vec<u8>) = db
        .prepare_cached(FIND)
        .and_then(|mut find| find.query_row([number], |row| Ok((row.get(0)?, row.get(1)?))))
        .map_err(from_driver)?;
    let Ok(declaration) = SourceDeclaration::parse(&json) else { return Ok(None) };
    let canonical = declaration.to_canonical_json();
    let is_as_given = Sha256::digest(canonical.as_bytes()).as_slice() == digest;
    Ok(Some(Known { declaration, is_as_given }))
}
