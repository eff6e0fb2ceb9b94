//! Sensitivity flags of records: set when a record is written, inherited by what belongs to it, and
//! worked out again after the rules have changed.

mod classification;
pub(crate) mod flags;
pub(crate) mod inheritance;
mod members;
pub(crate) mod whole_record;

use super::{backend, sql};
