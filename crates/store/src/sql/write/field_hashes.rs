//! The hashes of a version's fields as they are stored, each under the number of its field.

use super::backend::driver::{Connection, params};
use super::backend::errors::corrupt;
use super::record::{OpenCollection, run};
use crate::error::StoreResult;

const ADD_FIELD: &str = "
    INSERT INTO collection_fields (collection_no, field_no, name) VALUES (?1, ?2, ?3)";

/// The field hashes as stored: field number and hash, ten bytes each, by number.
pub(super) fn field_hashes(
    db: &Connection,
    open: &mut OpenCollection,
    hashes: &[(String, u64)],
) -> StoreResult<Vec<u8>> {
    let mut numbered = Vec::with_capacity(hashes.len());
    for (name, hash) in hashes {
        let number = match open.field_numbers.get(name) {
            Some(number) => *number,
            None => number_field(db, open, name)?,
        };
        numbered.push((number, *hash));
    }
    numbered.sort_unstable();
    let mut bytes = Vec::with_capacity(numbered.len() * 10);
    for (number, hash) in numbered {
        bytes.extend_from_slice(&number.to_be_bytes());
        bytes.extend_from_slice(&hash.to_be_bytes());
    }
    Ok(bytes)
}

fn number_field(db: &Connection, open: &mut OpenCollection, name: &str) -> StoreResult<u16> {
    let number = u16::try_from(open.field_numbers.len())
        .map_err(|_| corrupt("collection_fields", "field_no", open.collection.no))?;
    run(db, ADD_FIELD, params![open.collection.no, number, name])?;
    open.field_numbers.insert(name.to_owned(), number);
    Ok(number)
}
