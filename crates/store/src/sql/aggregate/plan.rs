//! Which index an aggregate walks.

use super::sql::connections::collection::{Collection, Index, index_name, measures, table};
use super::sql::records::plan::Conditions;

/// `FROM …` up to the collection's number, which is the first value.
///
/// In this order: an index that an exact condition narrows; one that holds everything the walk
/// reads, so that no row is looked up; one that a range narrows; a field's own; any.
pub(crate) fn source(
    collection: &Collection,
    conditions: &Conditions<'_>,
    values: &[usize],
) -> String {
    let shape = &collection.shape;
    let indexed =
        |at: &usize| shape.columns.get(*at).is_some_and(|column| column.index != Index::None);
    let equal =
        conditions.columns.iter().find(|test| test.operator == "=" && indexed(&test.column));
    let needed: Vec<usize> =
        conditions.columns.iter().map(|test| test.column).chain(values.iter().copied()).collect();
    let covering = || {
        let mut all = values.iter().copied().chain(0..shape.columns.len()).filter(indexed);
        all.find(|at| needed.iter().all(|column| holds(collection, *at, *column)))
    };
    let ranged = || conditions.columns.iter().map(|test| test.column).find(indexed);
    let any = || values.iter().copied().chain(0..shape.columns.len()).find(indexed);
    let driver = equal.map(|test| test.column).or_else(covering).or_else(ranged).or_else(any);
    let table = table(collection.projection_no);
    match driver {
        Some(at) => {
            let index = index_name(collection.projection_no, at);
            format!("FROM {table} p INDEXED BY {index} WHERE p.collection_no = ?")
        }
        None => format!(
            "FROM record_keys k CROSS JOIN {table} p ON p.record_no = k.record_no
             WHERE k.collection_no = ?"
        ),
    }
}

/// Whether the index of one column holds another.
fn holds(collection: &Collection, index: usize, column: usize) -> bool {
    let shape = &collection.shape;
    let by_value = shape.columns.get(index).is_some_and(|column| column.index == Index::Value);
    index == column
        || (by_value && shape.cursor == Some(column))
        || (shape.main() == Some(index) && measures(shape).any(|at| at == column))
}
