//! Plain `INSERT`s as values: a table and its columns, from which each driver makes its statements.
//!
//! SQLite runs the `INSERT`; Postgres may collect the rows and copy them into the same columns.

use std::borrow::Cow;

/// The `INSERT` of one row, every value in the order of its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Insert {
    /// `table (columns)`.
    pub target: Cow<'static, str>,
    pub statement: Cow<'static, str>,
}

impl Insert {
    /// For tables and columns that are known only when the program runs.
    pub(crate) fn new(table: &str, columns: &[impl AsRef<str>]) -> Self {
        let names: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
        let target = format!("{table} ({})", names.join(", "));
        let statement =
            format!("INSERT INTO {target} VALUES ({})", vec!["?"; names.len()].join(", "));
        Self { target: target.into(), statement: statement.into() }
    }
}

/// The `INSERT` of a row that gets a number: the database gives it, or it was reserved before.
#[derive(Debug)]
pub(crate) struct NumberedInsert {
    pub table: &'static str,
    /// The column with the number.
    pub number: &'static str,
    /// Leaves the number to the database.
    pub unnumbered: Insert,
    /// Takes the number as the first value.
    pub numbered: Insert,
}

/// An [`Insert`] whose statement is written when the program is compiled:
/// `insert!(table(column, column))`.
macro_rules! insert {
    ($table:ident ($first:ident $(, $column:ident)* $(,)?)) => {
        $crate::insert::Insert {
            target: std::borrow::Cow::Borrowed(
                concat!(stringify!($table), " (", stringify!($first) $(, ", ", stringify!($column))*, ")"),
            ),
            statement: std::borrow::Cow::Borrowed(concat!(
                "INSERT INTO ", stringify!($table),
                " (", stringify!($first) $(, ", ", stringify!($column))*, ")",
                " VALUES (?" $(, $crate::insert::place!($column))*, ")",
            )),
        }
    };
}

/// A [`NumberedInsert`]: `numbered_insert!(table(number; column, column))`.
macro_rules! numbered_insert {
    ($table:ident ($number:ident; $($column:ident),+ $(,)?)) => {
        $crate::insert::NumberedInsert {
            table: stringify!($table),
            number: stringify!($number),
            unnumbered: $crate::insert::insert!($table($($column),+)),
            numbered: $crate::insert::insert!($table($number, $($column),+)),
        }
    };
}

/// The place of one more value.
macro_rules! place {
    ($column:ident) => {
        ", ?"
    };
}

pub(crate) use {insert, numbered_insert, place};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_the_same_whenever_it_is_written() {
        let written = insert!(texts(kind, path));
        assert_eq!(written.target, "texts (kind, path)");
        assert_eq!(written.statement, "INSERT INTO texts (kind, path) VALUES (?, ?)");
        assert_eq!(written, Insert::new("texts", &["kind", "path"]));
    }

    #[test]
    fn a_number_is_the_first_value_or_left_to_the_database() {
        let add = numbered_insert!(texts(text_no; kind, path));
        assert_eq!((add.table, add.number), ("texts", "text_no"));
        assert_eq!(add.unnumbered, insert!(texts(kind, path)));
        assert_eq!(add.numbered, insert!(texts(text_no, kind, path)));
    }
}
