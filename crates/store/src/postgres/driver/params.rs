//! The values of one call.

use super::values::{ToSql, Value};

/// The values of one call, in order.
pub(crate) trait Params {
    fn into_values(self) -> Vec<Value>;
}

/// Not for every length at once: `[]` would have no type then.
macro_rules! of_length {
    ($($length:literal),*) => {
        $(impl<T: ToSql> Params for [T; $length] {
            fn into_values(self) -> Vec<Value> {
                self.iter().map(ToSql::value).collect()
            }
        })*
    };
}

of_length!(1, 2, 3, 4);

impl Params for [&(dyn ToSql + Send + Sync); 0] {
    fn into_values(self) -> Vec<Value> {
        Vec::new()
    }
}

impl Params for &[&dyn ToSql] {
    fn into_values(self) -> Vec<Value> {
        self.iter().copied().map(ToSql::value).collect()
    }
}

/// Values from an iterator.
pub(crate) struct FromIter(Vec<Value>);

impl Params for FromIter {
    fn into_values(self) -> Vec<Value> {
        self.0
    }
}

/// Values from an iterator.
pub(in super::super) fn params_from_iter<T: ToSql>(
    values: impl IntoIterator<Item = T>,
) -> FromIter {
    FromIter(values.into_iter().map(|value| value.value()).collect())
}

/// Values of several types.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::postgres::driver::ToSql),*]
            as &[&dyn $crate::postgres::driver::ToSql]
    };
}
pub(in super::super) use params;
