//! Which tables a backup holds: those of this version, or those of a released one.
//!
//! A backup of an older version goes into a store with the tables of then; opening it afterwards brings
//! both up to date in the same numbered steps.

mod v0_1_0;

use sha2::{Digest, Sha256};

use crate::transfer::{TABLES, Table};

/// The tables of one version.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The last numbered step that made them; none: all steps.
    pub(crate) schema: Option<usize>,
    pub(crate) tables: &'static [Table],
}

/// The tables of this version.
const CURRENT: Layout = Layout { schema: None, tables: TABLES };

/// The tables of released versions, where they differ.
const RELEASED: &[Layout] = &[Layout { schema: Some(11), tables: v0_1_0::TABLES }];

impl Default for Layout {
    fn default() -> Self {
        CURRENT
    }
}

impl Layout {
    /// The layout that a manifest names by its digest.
    pub(crate) fn of_digest(digest: &str) -> Option<Self> {
        let mut known = std::iter::once(&CURRENT).chain(RELEASED);
        known.find(|layout| layout.digest() == digest).copied()
    }

    /// Whether it is the one of this version.
    pub fn is_current(&self) -> bool {
        self.schema.is_none()
    }

    /// The digest of all tables and columns.
    pub(crate) fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for table in self.tables {
            hasher.update(format!("{}({})\n", table.name, table.columns));
        }
        let digest: [u8; 32] = hasher.finalize().into();
        pdpp_contract::hex(digest.get(..8).unwrap_or_default())
    }

    /// The numbered steps that lead to it.
    pub(crate) fn steps<'a>(&self, all: &'a [&'static str]) -> &'a [&'static str] {
        self.schema.and_then(|schema| all.get(..schema)).unwrap_or(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_a_release_are_known_by_the_digest_that_its_backups_carry() {
        let layout = Layout::of_digest("d8e70c8f90f64b1e").unwrap();
        assert_eq!(layout.schema, Some(11));
        assert!(Layout::of_digest(&CURRENT.digest()).unwrap().is_current());
        assert!(Layout::of_digest("another").is_none());
    }
}
