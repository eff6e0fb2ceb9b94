//! A whole store on its way to another one: the one that is read and the one that is written.

pub(crate) mod source;
pub(crate) mod target;

use super::{backend, sql};
