//! The index as a whole: the trait's doors, deriving rows from stored records, rebuilding.

use super::backend::driver::{Connection, OptionalExtension};
use async_trait::async_trait;
use pdpp_contract::record::TextKind;
use pdpp_contract::{FieldName, Json};

use super::backend::Backend;
use super::backend::errors::{corrupt, from_driver};
use super::backend::index_words;
use super::sql::connections::collection::find_collection;
use super::sql::connections::declarations::Declarations;
use super::sql::connections::reproject::{StoredRow, next_rows};
use super::sql::records::by_id;
use super::sql::records::plan::Conditions;
use super::sql::records::{get, trim};
use super::sql::text::find_text;
use super::sql::write::record::RecordNumbers;
use super::write::{IndexFields, add_rows, remove_rows};
use crate::error::StoreResult;
use crate::numbers::{CollectionNo, RecordNo};
use crate::records::scope::ReadScope;
use crate::records::{CollectionQuery, StoredRecord};
use crate::search::rows::short_rows;
use crate::search::{NeighbourQuery, Neighbourhood, SearchMatches, SearchQuery, Searcher};
use crate::text::field_path::push_segment;
use crate::text::window::Span;
use crate::writes::prepare::{FLAG_TEXTS, PreparedContent, PreparedText, StreamShape};

const COLLECTION_OF: &str = "
    SELECT collection_no FROM record_keys WHERE record_no = ?1";
const LIST_COLLECTIONS: &str = "
    SELECT c.collection_no, c.stream, c.declaration_no
      FROM collections c
      JOIN declarations d ON d.declaration_no = c.declaration_no";

#[async_trait]
impl Searcher for Backend {
    async fn search(&self, scope: &ReadScope, query: SearchQuery) -> StoreResult<SearchMatches> {
        let scope = scope.clone();
        self.read(move |db| super::search(db, &scope, &query)).await
    }

    async fn neighbours(
        &self,
        scope: &ReadScope,
        query: NeighbourQuery,
    ) -> StoreResult<Neighbourhood> {
        let scope = scope.clone();
        self.read(move |db| super::neighbours::neighbours(db, &scope, &query)).await
    }

    async fn records_by_number(
        &self,
        scope: &ReadScope,
        numbers: Vec<RecordNo>,
        preview_chars: u32,
    ) -> StoreResult<Vec<StoredRecord>> {
        let scope = scope.clone();
        self.read(move |db| by_number(db, &scope, &numbers, preview_chars)).await
    }

    async fn rebuild_index(&self) -> StoreResult<u64> {
        self.write(|db| rebuild(db)).await
    }
}

fn by_number(
    db: &Connection,
    scope: &ReadScope,
    numbers: &[RecordNo],
    preview_chars: u32,
) -> StoreResult<Vec<StoredRecord>> {
    let none = CollectionQuery::default();
    let mut collections = Vec::new();
    for (index, part) in scope.collections().iter().enumerate() {
        if let Some(found) = find_collection(db, &part.connection, &part.stream)? {
            collections.push((index, part, found));
        }
    }
    let mut records = Vec::with_capacity(numbers.len());
    for number in numbers {
        // Keys stay when their records go: what is deleted costs what is hidden costs.
        let own: Option<CollectionNo> = db
            .prepare_cached(COLLECTION_OF)
            .and_then(|mut find| find.query_row([number], |row| row.get(0)).optional())
            .map_err(from_driver)?;
        let owner = collections.iter().find(|(_, _, collection)| Some(collection.no) == own);
        let Some((index, part, collection)) = owner else { continue };
        let conditions = Conditions::new(collection, part, &none);
        if !by_id::holds_in_sql(db, collection, &conditions, *number)? {
            continue;
        }
        if let Some(row) = get(db, *number)?
            && row.is_shown_by(part)
        {
            records.push(trim(db, part, row, None, preview_chars)?.place(*index));
        }
    }
    Ok(records)
}

/// Writes the index rows of a stored record anew.
pub(crate) fn index_stored(
    db: &Connection,
    fields: &mut IndexFields,
    collection_no: CollectionNo,
    shape: &StreamShape,
    row: &StoredRow,
) -> StoreResult<()> {
    remove_rows(db, row.record_no)?;
    let content = stored_content(db, shape, row)?;
    let record = RecordNumbers { collection_no, record_no: row.record_no };
    add_rows(db, fields, record, shape.searched(), &content)
}

/// What of a stored record its index rows are made of.
pub(super) fn stored_content(
    db: &Connection,
    shape: &StreamShape,
    row: &StoredRow,
) -> StoreResult<PreparedContent> {
    let Ok(Json::Object(data)) = Json::parse(&row.json) else {
        return Err(corrupt("records", "json", row.record_no));
    };
    let mut texts = Vec::new();
    if row.flags & FLAG_TEXTS != 0 {
        for field in shape.searched() {
            texts.extend(long_text(db, row.record_no, field)?);
        }
    }
    Ok(PreparedContent {
        json: String::new(),
        flags: row.flags,
        texts,
        projected: Vec::new(),
        time_key: None,
        blob_refs: Vec::new(),
        field_hashes: Vec::new(),
        ties: Vec::new(),
        search_rows: short_rows(shape.searched(), &data),
    })
}

fn long_text(
    db: &Connection,
    record_no: RecordNo,
    field: &FieldName,
) -> StoreResult<Option<PreparedText>> {
    let mut path = String::new();
    push_segment(&mut path, field.as_str());
    let Some(found) = find_text(db, record_no, &path)? else {
        return Ok(None);
    };
    if found.kind != TextKind::String {
        return Ok(None);
    }
    let whole = Span { start: 0, length: found.chars };
    let text = super::sql::text::read_span(db, found.text_no, whole)?;
    Ok(Some(PreparedText {
        path,
        kind: found.kind,
        chars: found.chars,
        digest: found.digest,
        text,
    }))
}

fn rebuild(db: &Connection) -> StoreResult<u64> {
    index_words::clear(db)?;
    db.execute("DELETE FROM search_rows", []).map_err(from_driver)?;
    let mut fields = IndexFields::default();
    let mut records = 0;
    for (collection_no, shape) in shapes(db)? {
        let mut last = RecordNo(0);
        loop {
            let rows = next_rows(db, collection_no, last)?;
            for row in &rows {
                last = row.record_no;
                let content = stored_content(db, &shape, row)?;
                let record = RecordNumbers { collection_no, record_no: row.record_no };
                add_rows(db, &mut fields, record, shape.searched(), &content)?;
                records += 1;
            }
            if rows.is_empty() {
                break;
            }
        }
    }
    index_words::settle(db)?;
    Ok(records)
}

/// Every collection by its number, with its shape.
pub(crate) fn shapes(db: &Connection) -> StoreResult<Vec<(CollectionNo, StreamShape)>> {
    let rows: Vec<(CollectionNo, String, i64)> = db
        .prepare_cached(LIST_COLLECTIONS)
        .and_then(|mut list| {
            list.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        })
        .map_err(from_driver)?;
    let (mut shapes, mut declarations) = (Vec::new(), Declarations::default());
    for (collection_no, stream, declaration_no) in rows {
        let known = declarations
            .find(db, declaration_no)?
            .ok_or_else(|| corrupt("declarations", "json", collection_no))?;
        let stream = known
            .declaration
            .stream(&stream)
            .ok_or_else(|| corrupt("collections", "declaration_no", collection_no))?;
        shapes.push((collection_no, StreamShape::new(&known.declaration, stream)));
    }
    Ok(shapes)
}
