//! Related records: every group in one snapshot, each by the index of its key field.

use super::backend::driver::Connection;

use super::by_id::find_visible;
use super::list;
use super::trim;
use crate::error::StoreResult;
use crate::records::related::{FindRelated, RelatedGroup, RelatedPage, RelatedQuery};
use crate::records::scope::ReadScope;
use crate::records::{CollectionQuery, ListQuery, StoredRecord};

/// What is left of an answer's room.
struct Room {
    records: usize,
    bytes: usize,
}

/// One page per group, in the order of the groups.
pub(crate) fn pages(
    db: &Connection,
    scope: &ReadScope,
    query: &RelatedQuery,
) -> StoreResult<Vec<RelatedPage>> {
    let mut room = Room { records: query.max_records, bytes: query.max_bytes };
    query.groups.iter().map(|group| page(db, scope, query, group, &mut room)).collect()
}

fn page(
    db: &Connection,
    scope: &ReadScope,
    query: &RelatedQuery,
    group: &RelatedGroup,
    room: &mut Room,
) -> StoreResult<RelatedPage> {
    let mut page = RelatedPage { records: Vec::new(), has_more: false, reduced: false };
    let Some(part) = scope.collections().get(group.collection) else {
        return Ok(page);
    };
    match &group.find {
        FindRelated::ById(id) => {
            if let Some(row) = find_visible(db, part, id)? {
                let record = trim(db, part, row, None, query.preview_chars)?;
                page.records.push(record.place(group.collection));
            }
        }
        FindRelated::ByKey { condition, order_field, limit } => {
            // One is always read, to tell an empty list from one that found no room.
            let limit_left = (*limit).min(room.records).max(1);
            let list = ListQuery {
                collections: vec![CollectionQuery {
                    order_field: order_field.clone(),
                    conditions: vec![condition.clone()],
                }],
                descending: true,
                after: None,
                limit: limit_left,
                max_bytes: usize::MAX,
                preview_chars: query.preview_chars,
                fields: None,
            };
            let own = ReadScope::new(vec![part.clone()]);
            let Some(found) = list::page(db, &own, &list)? else {
                return Ok(page);
            };
            page.has_more = found.has_more;
            for mut record in found.records {
                if room.records == 0 || room.bytes == 0 {
                    page.has_more = true;
                    break;
                }
                record.collection = group.collection;
                room.records -= 1;
                room.bytes = room.bytes.saturating_sub(weight(&record));
                page.records.push(record);
            }
            page.reduced = page.has_more && page.records.len() < *limit;
        }
    }
    Ok(page)
}

/// Roughly the bytes a related record takes in an answer: long fields appear as beginnings.
fn weight(record: &StoredRecord) -> usize {
    let inline: usize =
        record.data.iter().map(|(name, value)| name.len() + value.to_canonical().len()).sum();
    inline + record.long.iter().map(|field| field.preview.len()).sum::<usize>()
}
