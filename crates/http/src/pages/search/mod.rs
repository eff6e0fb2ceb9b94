//! The owner's search: one box over everything, with the ranking that agents get.

mod facets;
pub mod show;
