//! Ways to make a record of an item: its fields, its key, and JSON whose shape nobody promised.

pub mod distinct_keys;
pub mod fields;
pub mod lenient;
pub mod media_type;
