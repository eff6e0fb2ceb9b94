//! How much of an unknown shape is kept in memory while it is looked at. Each cap is named where it
//! rejects.

use pdpp_contract::declaration::{MAX_FIELDS_PER_STREAM, MAX_STREAMS};

/// Key values that are compared to find out whether a field names its records, over all tables of
/// one export together.
const MAX_KEYS_COMPARED: usize = 1_000_000;

/// What was met that is too much to be kept, in words for the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooMuch(pub String);

/// What looking at one export has used up.
pub struct Caps {
    keys_left: usize,
    /// The first cap that was reached.
    pub reached: Option<TooMuch>,
}

impl Default for Caps {
    fn default() -> Self {
        Self { keys_left: MAX_KEYS_COMPARED, reached: None }
    }
}

impl Caps {
    /// Whether so many tables can be kept.
    pub fn allow_tables(&mut self, tables: usize) -> bool {
        self.allow(tables <= MAX_STREAMS, || {
            format!("it holds more than {MAX_STREAMS} tables; import them in parts")
        })
    }

    /// Whether a table can have so many fields.
    pub fn allow_fields(&mut self, stream: &str, fields: usize) -> bool {
        self.allow(fields <= MAX_FIELDS_PER_STREAM, || {
            format!(
                "{stream} has more than {MAX_FIELDS_PER_STREAM} fields; split it into several files"
            )
        })
    }

    /// Whether one more key value can be compared.
    pub fn take_key(&mut self) -> bool {
        self.keys_left.checked_sub(1).is_some_and(|left| {
            self.keys_left = left;
            true
        })
    }

    fn allow(&mut self, allowed: bool, why: impl FnOnce() -> String) -> bool {
        if !allowed && self.reached.is_none() {
            self.reached = Some(TooMuch(why()));
        }
        allowed
    }
}

/// Why a table with this many columns is not read; `None` when it is.
pub fn too_many_columns(columns: usize) -> Option<String> {
    let what = || {
        format!(
            "the table has {columns} columns; at most {MAX_FIELDS_PER_STREAM} can be kept, \
             so it is not read: split it into several files"
        )
    };
    (columns > MAX_FIELDS_PER_STREAM).then(what)
}
