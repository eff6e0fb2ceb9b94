//! Values on their way to the server and back, by the types that the server names.
//!
//! A text may stand in a `bytea` column: there it may hold U+0000, and its order is that of its bytes.

use bytes::{BufMut, BytesMut};
use tokio_postgres::types::{FromSql, IsNull, ToSql as Encode, Type, to_sql_checked};

use super::Error;
use super::Result;
use crate::numbers::{ChangeNo, CollectionNo, ConnectionNo, RecordNo};

/// A value of any type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Text(String),
    Blob(Vec<u8>),
}

impl Value {
    /// Roughly the bytes that it takes.
    pub(super) fn size(&self) -> usize {
        let own = match self {
            Self::Null | Self::Integer(_) => 0,
            Self::Text(text) => text.len(),
            Self::Blob(bytes) => bytes.len(),
        };
        own + size_of::<Self>()
    }
}

/// A value in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ValueRef<'a> {
    Null,
    Integer(i64),
    Text(&'a [u8]),
    Blob(&'a [u8]),
}

impl<'a> ValueRef<'a> {
    pub(in super::super) fn as_bytes(self) -> Result<&'a [u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Ok(bytes),
            Self::Null | Self::Integer(_) => Err(Error::WrongType(0)),
        }
    }

    pub(in super::super) fn as_str(self) -> Result<&'a str> {
        self.as_bytes().and_then(|bytes| str::from_utf8(bytes).map_err(|_| Error::WrongType(0)))
    }
}

/// A column as it came: its type and its bytes.
pub(crate) struct Cell<'a> {
    kind: Type,
    bytes: Option<&'a [u8]>,
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(
        kind: &Type,
        raw: &'a [u8],
    ) -> std::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self { kind: kind.clone(), bytes: Some(raw) })
    }

    fn from_sql_null(
        kind: &Type,
    ) -> std::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self { kind: kind.clone(), bytes: None })
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

impl<'a> Cell<'a> {
    /// The value; `None` when the server sent a type that no column of ours has.
    pub(super) fn value(&self) -> Option<ValueRef<'a>> {
        let Some(bytes) = self.bytes else {
            return Some(ValueRef::Null);
        };
        let number = match self.kind {
            Type::INT8 => i64::from_be_bytes(bytes.try_into().ok()?),
            Type::INT4 => i32::from_be_bytes(bytes.try_into().ok()?).into(),
            Type::INT2 => i16::from_be_bytes(bytes.try_into().ok()?).into(),
            Type::BOOL => i64::from(bytes == [1]),
            Type::BYTEA => return Some(ValueRef::Blob(bytes)),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => {
                return Some(ValueRef::Text(bytes));
            }
            _ => return None,
        };
        Some(ValueRef::Integer(number))
    }
}

/// What a column can become.
pub(crate) trait FromColumn: Sized {
    fn from_column(value: ValueRef<'_>) -> Option<Self>;
}

macro_rules! from_number {
    ($($number:ty),*) => {
        $(impl FromColumn for $number {
            fn from_column(value: ValueRef<'_>) -> Option<Self> {
                match value {
                    ValueRef::Integer(number) => number.try_into().ok(),
                    ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => None,
                }
            }
        })*
    };
}

from_number!(i64, i32, u16, u32, ConnectionNo, CollectionNo, RecordNo, ChangeNo);

impl FromColumn for bool {
    fn from_column(value: ValueRef<'_>) -> Option<Self> {
        i64::from_column(value).map(|number| number != 0)
    }
}

impl FromColumn for String {
    fn from_column(value: ValueRef<'_>) -> Option<Self> {
        value.as_str().ok().map(str::to_owned)
    }
}

impl FromColumn for Vec<u8> {
    fn from_column(value: ValueRef<'_>) -> Option<Self> {
        value.as_bytes().ok().map(<[u8]>::to_vec)
    }
}

impl<const N: usize> FromColumn for [u8; N] {
    fn from_column(value: ValueRef<'_>) -> Option<Self> {
        value.as_bytes().ok()?.try_into().ok()
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(None),
            other => T::from_column(other).map(Some),
        }
    }
}

/// What can be bound to a statement.
pub(crate) trait ToSql {
    fn value(&self) -> Value;
}

macro_rules! number_to_sql {
    ($($number:ty),*) => {
        $(impl ToSql for $number {
            fn value(&self) -> Value {
                Value::Integer(i64::from(*self))
            }
        })*
    };
}

number_to_sql!(i64, i32, u16, u32, bool, ConnectionNo, CollectionNo, RecordNo, ChangeNo);

impl ToSql for str {
    fn value(&self) -> Value {
        Value::Text(self.to_owned())
    }
}

impl ToSql for String {
    fn value(&self) -> Value {
        Value::Text(self.clone())
    }
}

impl ToSql for [u8] {
    fn value(&self) -> Value {
        Value::Blob(self.to_vec())
    }
}

impl ToSql for Vec<u8> {
    fn value(&self) -> Value {
        Value::Blob(self.clone())
    }
}

impl<const N: usize> ToSql for [u8; N] {
    fn value(&self) -> Value {
        Value::Blob(self.to_vec())
    }
}

impl<T: ToSql> ToSql for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Null, ToSql::value)
    }
}

impl<T: ToSql + ?Sized> ToSql for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

impl ToSql for Value {
    fn value(&self) -> Value {
        self.clone()
    }
}

/// A value that the server's type cannot take.
#[derive(Debug, thiserror::Error)]
#[error("a value of another type than {0}")]
struct Misfit(Type);

/// Distinct words, separated by spaces, as a vector without positions.
fn put_words(words: &str, out: &mut BytesMut) {
    let words = words.split(' ').filter(|word| !word.is_empty());
    out.put_u32(u32::try_from(words.clone().count()).unwrap_or(u32::MAX));
    for word in words {
        out.put_slice(word.as_bytes());
        out.put_u8(0);
        out.put_u16(0);
    }
}

impl Encode for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        let misfit = || Box::new(Misfit(kind.clone()));
        match (self, kind.clone()) {
            (Self::Null, _) => return Ok(IsNull::Yes),
            (Self::Integer(number), Type::INT8) => out.put_i64(*number),
            (Self::Integer(number), Type::INT4) => {
                out.put_i32(i32::try_from(*number).map_err(|_| misfit())?);
            }
            (Self::Integer(number), Type::INT2) => {
                out.put_i16(i16::try_from(*number).map_err(|_| misfit())?);
            }
            (Self::Integer(number), Type::BOOL) => out.put_u8(u8::from(*number != 0)),
            (Self::Text(text), Type::TEXT | Type::VARCHAR | Type::BYTEA) => {
                out.put_slice(text.as_bytes());
            }
            (Self::Blob(bytes), Type::BYTEA) => out.put_slice(bytes),
            (Self::Text(words), Type::TS_VECTOR) => put_words(words, out),
            _ => return Err(misfit()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
