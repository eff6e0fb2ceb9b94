//! The numbers that rows are known by inside a store: a type per table, so that none is taken for another.

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
            pub struct $name(pub i64);

            impl From<$name> for i64 {
                fn from(number: $name) -> Self {
                    number.0
                }
            }

            impl From<i64> for $name {
                fn from(number: i64) -> Self {
                    Self(number)
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

numbers!(
    /// The number of a connection.
    ConnectionNo,
    /// The number of a collection: one stream of one connection.
    CollectionNo,
    /// The number of a record's key, given once and for ever.
    RecordNo,
    /// The number of a change, larger than that of every earlier one.
    ChangeNo,
);

impl ChangeNo {
    /// Before every change.
    pub const NONE: Self = Self(0);
    /// After every change.
    pub const LAST: Self = Self(i64::MAX);

    /// The number so many changes before this one.
    #[must_use]
    pub fn back(self, changes: u32) -> Self {
        Self(self.0.saturating_sub(i64::from(changes)))
    }

    /// The next number.
    #[must_use]
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The number before this one.
    #[must_use]
    pub(crate) const fn before(self) -> Self {
        Self(self.0 - 1)
    }
}
