//! Index rows in the record's transaction.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::backend::driver::{Connection, OptionalExtension, insert, params};
use pdpp_contract::FieldName;
use pdpp_contract::record::TextKind;

use super::backend::errors::from_driver;
use super::backend::index_words;
use super::sql::write::record::{RecordNumbers, put_row, run};
use crate::error::StoreResult;
use crate::insert::{Insert, insert};
use crate::numbers::{CollectionNo, RecordNo};
use crate::search::postings::{Segment, damaged, encode, visit};
use crate::search::rows::{PreparedRow, long_rows};
use crate::text::field_path::FieldPath;
use crate::writes::prepare::PreparedContent;

/// Bits of a row number that count rows of one record.
pub(crate) const PART_BITS: u32 = 16;

const ADD_ROW: Insert = insert!(search_rows(row_no, collection_no, bag));
const LIST_ROWS: &str = "
    SELECT row_no, collection_no, bag FROM search_rows WHERE row_no >= ?1 AND row_no < ?2 ORDER BY row_no";
const DROP_ROW: &str = "
    DELETE FROM search_rows WHERE row_no = ?1";
const FIND_FIELD: &str = "
    SELECT field_no FROM search_fields WHERE name = ?1";
/// Under the write lock the next number is free, and one that was rolled back is given again: there are
/// 65,535 of them.
const ADD_FIELD: &str = "
    INSERT INTO search_fields (field_no, name)
    SELECT coalesce(max(field_no), 0) + 1, ?1 FROM search_fields";

/// The record that an index row belongs to.
pub(crate) fn record_of(row_no: i64) -> RecordNo {
    RecordNo(row_no >> PART_BITS)
}

/// The first index row of a record.
pub(crate) fn first_row(record_no: RecordNo) -> i64 {
    record_no.0 << PART_BITS
}

/// Whether a row is the first of its record.
pub(crate) fn is_first_row(row_no: i64) -> bool {
    row_no & ((1 << PART_BITS) - 1) == 0
}

/// The index rows of a record: its first, and the first of the next record.
pub(crate) fn rows_of_record(record_no: RecordNo) -> [i64; 2] {
    [first_row(record_no), first_row(RecordNo(record_no.0 + 1))]
}

/// Field numbers of the index, looked up once per batch.
#[derive(Default)]
pub(crate) struct IndexFields(HashMap<String, u16>);

impl IndexFields {
    fn number(&mut self, db: &Connection, name: &str) -> StoreResult<u16> {
        if let Some(number) = self.0.get(name) {
            return Ok(*number);
        }
        let known = field_number(db, name)?;
        let number = if let Some(number) = known {
            number
        } else {
            let added = insert(db, ADD_FIELD, "field_no", [name]).map_err(from_driver)?;
            u16::try_from(added).map_err(|_| damaged(added))?
        };
        self.0.insert(name.to_owned(), number);
        Ok(number)
    }
}

/// The index's number of a field, if it has ever been indexed.
pub(super) fn field_number(db: &Connection, name: &str) -> StoreResult<Option<u16>> {
    db.prepare_cached(FIND_FIELD)
        .and_then(|mut find| find.query_row([name], |row| row.get(0)).optional())
        .map_err(from_driver)
}

/// Writes the index rows of a record that has none.
pub(crate) fn add_rows(
    db: &Connection,
    fields: &mut IndexFields,
    RecordNumbers { collection_no, record_no }: RecordNumbers,
    searched: &[FieldName],
    content: &PreparedContent,
) -> StoreResult<()> {
    let [first, end] = rows_of_record(record_no);
    for (row_no, row) in (first..end).zip(rows_of(searched, content)) {
        let postings = postings_of(db, fields, &row)?;
        let words = tokens(collection_no, &postings).ok_or_else(|| damaged(row_no))?;
        put_row(db, &ADD_ROW, params![row_no, collection_no, postings])?;
        index_words::add(db, row_no, collection_no, &words)?;
    }
    Ok(())
}

/// The rows of a record: first those of its short fields, then long field by long field.
fn rows_of<'a>(
    searched: &'a [FieldName],
    content: &'a PreparedContent,
) -> impl Iterator<Item = Cow<'a, PreparedRow>> + 'a {
    let long = content.texts.iter().filter(|text| text.kind == TextKind::String);
    let long = long.flat_map(|text| {
        let path = FieldPath::parse(&text.path).ok().filter(|path| path.nested().is_empty());
        let field = path.and_then(|path| searched.iter().find(|field| *field == path.field()));
        field.into_iter().flat_map(|field| long_rows(field, &text.text)).map(Cow::Owned)
    });
    content.search_rows.iter().map(Cow::Borrowed).chain(long)
}

fn postings_of(
    db: &Connection,
    fields: &mut IndexFields,
    row: &PreparedRow,
) -> StoreResult<Vec<u8>> {
    let mut segments = Vec::with_capacity(row.segments.len());
    for segment in &row.segments {
        let field_no = fields.number(db, segment.field.as_str())?;
        let (start_chars, words) = (segment.start_chars, segment.words);
        segments.push((Segment { field_no, start_chars, words }, segment.terms.as_slice()));
    }
    Ok(encode(&segments))
}

/// The postings a record should have, for the full check.
pub(super) fn expected_postings(
    db: &Connection,
    fields: &mut IndexFields,
    searched: &[FieldName],
    content: &PreparedContent,
) -> StoreResult<Vec<Vec<u8>>> {
    rows_of(searched, content).map(|row| postings_of(db, fields, &row)).collect()
}

/// The postings a record has.
pub(super) fn kept_postings(db: &Connection, record_no: RecordNo) -> StoreResult<Vec<Vec<u8>>> {
    Ok(kept_rows(db, record_no)?.into_iter().map(|(_, _, postings)| postings).collect())
}

fn kept_rows(
    db: &Connection,
    record_no: RecordNo,
) -> StoreResult<Vec<(i64, CollectionNo, Vec<u8>)>> {
    let range = rows_of_record(record_no);
    db.prepare_cached(LIST_ROWS)
        .and_then(|mut list| {
            list.query_map(range, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        })
        .map_err(from_driver)
}

/// Takes the index rows of a record away, with every word they brought.
pub(crate) fn remove_rows(db: &Connection, record_no: RecordNo) -> StoreResult<()> {
    for (row_no, collection_no, postings) in kept_rows(db, record_no)? {
        let words = tokens(collection_no, &postings).ok_or_else(|| damaged(row_no))?;
        index_words::remove(db, row_no, &words)?;
        run(db, DROP_ROW, [row_no])?;
    }
    Ok(())
}

/// The tokens of the postings of a row, as the index stores them, separated by spaces.
pub(crate) fn tokens(collection_no: CollectionNo, postings: &[u8]) -> Option<String> {
    let mut out = String::with_capacity(postings.len() * 2);
    visit(postings, |segment, term, _| {
        write_token(&mut out, (collection_no, segment.field_no), term);
        out.push(' ');
    })?;
    Some(out)
}

/// A term of a field of a collection as one word of plain letters and digits; a prefix of a term is
/// a prefix of its token.
///
/// The collection is part of the word, so that a search never walks over rows that its scope does
/// not name, however many there are.
pub(crate) fn token(place: (CollectionNo, u16), term: &[u8]) -> String {
    let mut token = String::new();
    write_token(&mut token, place, term);
    token
}

fn write_token(out: &mut String, (collection_no, field_no): (CollectionNo, u16), term: &[u8]) {
    write_number(out, collection_no.0);
    write_number(out, field_no.into());
    for byte in term {
        match byte {
            b'a'..=b'y' | b'0'..=b'9' => out.push(char::from(*byte)),
            // Writing to a String cannot fail.
            other => drop(write!(out, "z{other:02x}")),
        }
    }
}

/// How many digits, as a letter, and the digits: no number is the beginning of another.
pub(crate) fn write_number(out: &mut String, number: i64) {
    let digits = (i64::BITS - number.leading_zeros()).div_ceil(4).max(1);
    out.push(char::from(b'a' + u8::try_from(digits).unwrap_or(0)));
    for place in (0..digits).rev() {
        let digit = u32::try_from((number >> (4 * place)) & 0xf).unwrap_or(0);
        out.push(char::from_digit(digit, 16).unwrap_or('0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_plain_distinct_and_keep_prefixes() {
        let whole = token((CollectionNo(3), 7), "zürich".as_bytes());
        assert!(whole.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
        assert!(whole.starts_with(&token((CollectionNo(3), 7), "zür".as_bytes())));
        assert_ne!(token((CollectionNo(3), 7), b"a"), token((CollectionNo(3), 8), b"a"));
        assert_ne!(token((CollectionNo(3), 7), b"a"), token((CollectionNo(4), 7), b"a"));
        assert_ne!(token((CollectionNo(3), 1), b"z6"), token((CollectionNo(3), 1), "z".as_bytes()));
        assert!(
            !token((CollectionNo(0x35), 1), b"").starts_with(&token((CollectionNo(3), 5), b""))
        );
        assert!(
            !token((CollectionNo(1), 1), b"").starts_with(&token((CollectionNo(1), 0x11), b""))
        );
    }
}
