//! What the store knows of a stream: its collection number and the table of its typed copies.

use super::backend::driver::{Connection, OptionalExtension, params};
use pdpp_contract::declaration::{FieldKind, SourceDeclaration, StreamDeclaration};
use pdpp_contract::{ConnectionId, FieldName, StreamName};
use serde::{Deserialize, Serialize};

use super::backend::errors::{corrupt, from_driver};
use crate::error::StoreResult;
use crate::numbers::CollectionNo;

/// Most measured columns in an index: Postgres takes 32 columns into one, and four are its own.
const CARRIED: usize = 28;

/// The columns of a typed copy, in order, and which of them have an index.
///
/// Stored as JSON; two declarations with the same shape share one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub columns: Vec<Column>,
    /// The column that orders the stream, for indexes that filter and sort at once.
    pub cursor: Option<usize>,
    /// The column that time limits of grants refer to.
    pub time: Option<usize>,
    /// The fields whose words are in the index.
    #[serde(default)]
    pub searched: Vec<FieldName>,
}

/// One typed column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub field: FieldName,
    pub kind: StoredKind,
    pub index: Index,
}

/// A field's kind, in the store's own spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredKind {
    String,
    Integer,
    Number,
    Boolean,
    Date,
    DateTime,
    Structured,
}

/// How a column is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Index {
    /// Not at all; it is only read along.
    None,
    /// In its own order: sorts and ranges.
    Order,
    /// By its value, then in the stream's order: filters with the usual sort.
    Value,
}

impl Shape {
    /// The shape of a stream's typed copy.
    pub(crate) fn of(source: &SourceDeclaration, declaration: &StreamDeclaration) -> Self {
        let sortable = declaration.sortable_fields();
        let fields = source.projected_fields(declaration);
        let position = |field: &Option<FieldName>| {
            field.as_ref().and_then(|wanted| fields.iter().position(|field| field == wanted))
        };
        let ordered = |field: &FieldName| {
            sortable.contains(field) || declaration.consent_time_field.as_ref() == Some(field)
        };
        let aggregations = &declaration.query.aggregations;
        let measured = |field: &FieldName| {
            [&aggregations.sum, &aggregations.min, &aggregations.max]
                .iter()
                .any(|f| f.contains(field))
                && !aggregations.group_by.contains(field)
        };
        let column = |field: &FieldName| Column {
            field: field.clone(),
            kind: declaration
                .field_kind(field.as_str())
                .map_or(StoredKind::Structured, into_stored),
            index: match (ordered(field), measured(field)) {
                (true, _) => Index::Order,
                (false, true) => Index::None,
                (false, false) => Index::Value,
            },
        };
        Self {
            columns: fields.iter().map(column).collect(),
            cursor: position(&declaration.cursor_field),
            time: position(&declaration.consent_time_field),
            searched: declaration.query.search.lexical_fields.clone(),
        }
    }

    /// The column whose index also carries the measured columns: the one that orders the stream, else
    /// the one that time limits refer to.
    pub(crate) fn main(&self) -> Option<usize> {
        self.cursor.or(self.time)
    }

    /// The column of a field.
    pub(crate) fn column(&self, field: &FieldName) -> Option<(usize, &Column)> {
        self.columns.iter().enumerate().find(|(_, column)| column.field == *field)
    }
}

/// The columns that are measured and have no index of their own, as far as the index of the main column
/// carries them; the rest of a wide stream is looked up row by row.
pub(crate) fn measures(shape: &Shape) -> impl Iterator<Item = usize> {
    let measured = |(_, column): &(usize, &Column)| column.index == Index::None;
    shape.columns.iter().enumerate().filter(measured).map(|(at, _)| at).take(CARRIED)
}

fn into_stored(kind: FieldKind) -> StoredKind {
    match kind {
        FieldKind::String => StoredKind::String,
        FieldKind::Integer => StoredKind::Integer,
        FieldKind::Number => StoredKind::Number,
        FieldKind::Boolean => StoredKind::Boolean,
        FieldKind::Date => StoredKind::Date,
        FieldKind::DateTime => StoredKind::DateTime,
        FieldKind::Structured => StoredKind::Structured,
    }
}

/// A collection that exists.
#[derive(Debug, Clone)]
pub(crate) struct Collection {
    pub no: CollectionNo,
    pub projection_no: i64,
    pub record_count: u64,
    pub shape: Shape,
}

const FIND_COLLECTION: &str = "
    SELECT c.collection_no, c.projection_no, c.record_count, p.shape
      FROM connections n
      JOIN collections c ON c.connection_no = n.connection_no
      JOIN projections p ON p.projection_no = c.projection_no
     WHERE n.connection_id = ?1 AND c.stream = ?2";

/// The collection of a stream, if the connection carries it.
pub(crate) fn find_collection(
    db: &Connection,
    connection: &ConnectionId,
    stream: &StreamName,
) -> StoreResult<Option<Collection>> {
    let row = db
        .prepare_cached(FIND_COLLECTION)
        .map_err(from_driver)?
        .query_row(params![connection.as_str(), stream.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?, row.get::<_, String>(3)?))
        })
        .optional()
        .map_err(from_driver)?;
    let Some((no, projection_no, record_count, shape)) = row else {
        return Ok(None);
    };
    let shape =
        serde_json::from_str(&shape).map_err(|_| corrupt("projections", "shape", projection_no))?;
    let record_count = u64::try_from(record_count).unwrap_or(0);
    Ok(Some(Collection { no, projection_no, record_count, shape }))
}

/// The shape of a projection.
pub(crate) fn shape_of(db: &Connection, projection_no: i64) -> StoreResult<Shape> {
    let shape: String = db
        .query_row("SELECT shape FROM projections WHERE projection_no = ?1", [projection_no], |r| {
            r.get(0)
        })
        .map_err(from_driver)?;
    serde_json::from_str(&shape).map_err(|_| corrupt("projections", "shape", projection_no))
}

/// The table of a projection.
pub(crate) fn table(projection_no: i64) -> String {
    format!("projection_{projection_no}")
}

/// The index of one column of a projection.
pub(crate) fn index_name(projection_no: i64, column: usize) -> String {
    format!("projection_{projection_no}_by_{column}")
}
