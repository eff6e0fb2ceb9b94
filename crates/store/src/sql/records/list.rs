//! Pages: each collection walks its own index, the walks are merged into one global order.

use super::backend::driver::{Connection, OptionalExtension};
use pdpp_contract::{ConnectionId, FieldName, StreamName};

use super::backend::errors::{corrupt, from_driver};
use super::prefetch::RowsAhead;
use super::sql::connections::collection::find_collection;
use super::trim;
use super::walk::{Candidate, Resume, Walker, order};
use crate::error::StoreResult;
use crate::records::scope::{CollectionScope, ReadScope};
use crate::records::{ListPage, ListQuery, PagePosition, StoredRecord};

const FIND_PLACE: &str = "
    SELECT k.key_order, n.connection_id, c.stream
      FROM record_keys k
      JOIN collections c ON c.collection_no = k.collection_no
      JOIN connections n ON n.connection_no = c.connection_no
     WHERE k.record_no = ?1";

/// One page over all collections of a scope.
pub(crate) fn page(
    db: &Connection,
    scope: &ReadScope,
    query: &ListQuery,
) -> StoreResult<Option<ListPage>> {
    let resume = match &query.after {
        None => None,
        Some(place) => match resolve(db, scope, place)? {
            Some(resume) => Some(resume),
            None => return Ok(None),
        },
    };
    let mut candidates = Vec::new();
    for (index, part) in scope.collections().iter().enumerate() {
        let Some(collection) = find_collection(db, &part.connection, &part.stream)? else {
            continue;
        };
        let walker = Walker { db, scope: part, query, index, collection: &collection };
        walker.collect(resume.as_ref(), &mut candidates)?;
    }
    candidates.sort_by(|a, b| order(a, b, query.descending));
    read_page(db, scope, query, candidates).map(Some)
}

fn resolve(
    db: &Connection,
    scope: &ReadScope,
    place: &PagePosition,
) -> StoreResult<Option<Resume>> {
    let found: Option<(Vec<u8>, String, String)> = db
        .prepare_cached(FIND_PLACE)
        .and_then(|mut find| {
            find.query_row([place.record_no], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()
        })
        .map_err(from_driver)?;
    let Some((key_order, connection, stream)) = found else {
        return Ok(None);
    };
    let connection = ConnectionId::new(connection)
        .map_err(|_| corrupt("connections", "connection_id", place.record_no))?;
    let stream =
        StreamName::new(stream).map_err(|_| corrupt("collections", "stream", place.record_no))?;
    let is_here = |part: &CollectionScope| part.connection == connection && part.stream == stream;
    let in_scope = scope.collections().iter().any(is_here);
    Ok(in_scope.then(|| Resume { key: place.key.clone(), key_order, connection, stream }))
}

fn read_page(
    db: &Connection,
    scope: &ReadScope,
    query: &ListQuery,
    candidates: Vec<Candidate<'_>>,
) -> StoreResult<ListPage> {
    let available = candidates.len();
    let mut page = ListPage { records: Vec::new(), has_more: false, reduced: false, last: None };
    let (mut bytes, mut read) = (0, 0);
    let wanted: Option<&[FieldName]> = query.fields.as_deref();
    let numbers = candidates.iter().map(|candidate| candidate.record_no).take(query.limit);
    let mut rows = RowsAhead::new(db, numbers);
    for candidate in candidates {
        if page.records.len() == query.limit {
            break;
        }
        if !page.records.is_empty() && bytes >= query.max_bytes {
            page.reduced = true;
            break;
        }
        read += 1;
        let part = scope.collections().get(candidate.collection);
        let (Some(part), Some(row)) = (part, rows.get(candidate.record_no)?) else {
            return Err(corrupt("records", "record_no", candidate.record_no));
        };
        let record = trim(db, part, row, wanted, query.preview_chars)?.place(candidate.collection);
        bytes += weight(&record);
        page.last = Some(PagePosition { key: candidate.key, record_no: candidate.record_no });
        page.records.push(record);
    }
    page.has_more = read < available;
    Ok(page)
}

/// Roughly the bytes a record takes when it is served whole.
pub(crate) fn weight(record: &StoredRecord) -> usize {
    let long: u64 = record.long.iter().map(|field| field.bytes).sum();
    let inline: usize =
        record.data.iter().map(|(name, value)| name.len() + value.to_canonical().len()).sum();
    inline + usize::try_from(long).unwrap_or(usize::MAX)
}
