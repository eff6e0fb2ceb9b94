//! Order-preserving keys: comparing the bytes compares the values, on every backend.
//!
//! The first byte is the kind of value, so that different kinds never compare equal. Text and very
//! long numbers are cut; a cut key says so, and equality is then checked on the whole value.

use pdpp_contract::declaration::FieldKind;
use pdpp_contract::limits::SORT_KEY_BYTES;
use pdpp_contract::{Instant, Json};

use crate::records::number::Decimal;

pub(crate) const BOOLEAN: u8 = 0x10;
pub(crate) const NUMBER: u8 = 0x20;
pub(crate) const TIME: u8 = 0x30;
pub(crate) const TEXT: u8 = 0x40;

pub(crate) const NEGATIVE: u8 = 0x7f;
pub(crate) const ZERO: u8 = 0x80;
pub(crate) const POSITIVE: u8 = 0x81;

/// What kind of value a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// An instant.
    Time,
    /// Text.
    Text,
}

/// A value as comparable bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortKey(Vec<u8>);

impl SortKey {
    /// The key of a field's value; `None` when the value is missing, null or unreadable as its kind.
    pub fn of(kind: FieldKind, value: &Json) -> Option<Self> {
        match (kind, value) {
            (FieldKind::Boolean, Json::Bool(flag)) => Some(Self::boolean(*flag)),
            (FieldKind::Integer | FieldKind::Number, Json::Number(text)) => Self::number(text),
            (FieldKind::Date | FieldKind::DateTime, Json::String(text)) => {
                Instant::parse(text).map(Self::time)
            }
            (FieldKind::String, Json::String(text)) => Some(Self::text(text)),
            _ => None,
        }
    }

    /// The key of a value written as text, as in a URL.
    pub fn parse(kind: FieldKind, text: &str) -> Option<Self> {
        match kind {
            FieldKind::Boolean => text.parse().ok().map(Self::boolean),
            FieldKind::Integer | FieldKind::Number => Self::number(text),
            FieldKind::Date | FieldKind::DateTime => Instant::parse(text).map(Self::time),
            FieldKind::String => Some(Self::text(text)),
            FieldKind::Structured => None,
        }
    }

    /// Wraps bytes that an earlier key gave out.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Gives up its bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The bytes to compare.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The kind of value; `None` for bytes that no key ever had.
    pub fn kind(&self) -> Option<KeyKind> {
        match *self.0.first()? {
            BOOLEAN => Some(KeyKind::Boolean),
            NUMBER => Some(KeyKind::Number),
            TIME => Some(KeyKind::Time),
            TEXT => Some(KeyKind::Text),
            _ => None,
        }
    }

    /// The key may stand for more than one value, because it was cut.
    pub fn is_cut(&self) -> bool {
        self.0.len() > SORT_KEY_BYTES
    }

    /// Whether a stored value is the one this key was made of; `text` is that value as written.
    ///
    /// The same answer as comparing keys, and exact where keys are cut. A value of another kind is
    /// never equal.
    pub(crate) fn is_of(&self, value: &Json, text: &str) -> bool {
        match (self.kind(), value) {
            (Some(KeyKind::Text), Json::String(own)) => own == text,
            (Some(KeyKind::Time), Json::String(own)) => {
                Instant::parse(own).map(Self::time).as_ref() == Some(self)
            }
            (Some(KeyKind::Boolean), Json::Bool(flag)) => Self::boolean(*flag) == *self,
            (Some(KeyKind::Number), Json::Number(own)) => {
                match (Decimal::parse(own), Decimal::parse(text)) {
                    (Some(own), Some(wanted)) => own == wanted,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn boolean(flag: bool) -> Self {
        Self(vec![BOOLEAN, u8::from(flag)])
    }

    /// The key of an instant.
    pub fn time(instant: Instant) -> Self {
        let mut bytes = vec![TIME];
        // Flipping the sign bit makes negative numbers compare below positive ones.
        let seconds = instant.unix_seconds().cast_unsigned() ^ (1 << 63);
        bytes.extend_from_slice(&seconds.to_be_bytes());
        bytes.extend_from_slice(&instant.nanos().to_be_bytes());
        Self(bytes)
    }

    /// The seconds since the Unix epoch in the key of an instant; `None` for other keys.
    pub fn unix_seconds(&self) -> Option<i64> {
        let (tag, rest) = self.0.split_first()?;
        let seconds = rest.first_chunk::<8>().filter(|_| *tag == TIME)?;
        Some((u64::from_be_bytes(*seconds) ^ (1 << 63)).cast_signed())
    }

    fn text(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len().min(SORT_KEY_BYTES) + 1);
        bytes.push(TEXT);
        bytes.extend_from_slice(text.as_bytes());
        Self::cut(bytes)
    }

    fn number(text: &str) -> Option<Self> {
        let decimal = Decimal::parse(text)?;
        let mut bytes = vec![NUMBER];
        if decimal.digits.is_empty() {
            bytes.push(ZERO);
            return Some(Self(bytes));
        }
        bytes.push(if decimal.negative { NEGATIVE } else { POSITIVE });
        let magnitude_from = bytes.len();
        let exponent = decimal.exponent.cast_unsigned() ^ (1 << 31);
        bytes.extend_from_slice(&exponent.to_be_bytes());
        for pair in decimal.digits.chunks(2) {
            let tens = pair.first().copied().unwrap_or(0);
            let ones = pair.get(1).copied().unwrap_or(0);
            bytes.push(tens * 10 + ones + 1);
        }
        if decimal.negative {
            // Of two negative numbers the larger magnitude is the smaller value.
            bytes.iter_mut().skip(magnitude_from).for_each(|byte| *byte = !*byte);
            bytes.push(0xff);
        }
        Some(Self::cut(bytes))
    }

    fn cut(mut bytes: Vec<u8>) -> Self {
        bytes.truncate(SORT_KEY_BYTES + 1);
        Self(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> SortKey {
        SortKey::number(text).unwrap_or_else(|| panic!("{text} has no key"))
    }

    #[test]
    fn numbers_compare_by_value_at_any_size() {
        let ascending = [
            "-1e400",
            "-12345678901234567890123",
            "-1000",
            "-12.5",
            "-12",
            "-1.10",
            "-1e-400",
            "0",
            "1e-400",
            "0.001",
            "1",
            "1.09",
            "1.1",
            "2",
            "9",
            "10",
            "99",
            "100",
            "12345678901234567890",
            "12345678901234567891",
            "1e400",
        ];
        for pair in ascending.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{} < {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn spellings_of_one_number_share_a_key() {
        for (one, other) in [("1", "1.0"), ("100", "1e2"), ("-0", "0.000"), ("0.5", "5E-1")] {
            assert_eq!(number(one), number(other));
        }
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        let exact = SortKey::text(&"a".repeat(63));
        assert!(!exact.is_cut());
        assert!(SortKey::text(&"a".repeat(65)).is_cut());
        assert!(SortKey::text(&"a".repeat(200)).as_bytes().len() <= SORT_KEY_BYTES + 1);
    }

    #[test]
    fn what_is_not_of_its_kind_has_no_key() {
        assert_eq!(SortKey::of(FieldKind::DateTime, &Json::String("soon".into())), None);
        assert_eq!(SortKey::of(FieldKind::String, &Json::Null), None);
        for bad in ["", "-", "1.", ".5", "1e", "0x10", "NaN", "１"] {
            assert_eq!(SortKey::parse(FieldKind::Number, bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn integers_keep_their_order(a in any::<i64>(), b in any::<i64>()) {
            let (ka, kb) = (number(&a.to_string()), number(&b.to_string()));
            prop_assert_eq!(a.cmp(&b), ka.cmp(&kb));
        }

        #[test]
        fn times_keep_their_order(a in -60_000_000_000_i64..250_000_000_000, b in -60_000_000_000_i64..250_000_000_000) {
            let time = |s: i64| Instant::from(jiff::Timestamp::from_second(s).unwrap());
            prop_assert_eq!(a.cmp(&b), SortKey::time(time(a)).cmp(&SortKey::time(time(b))));
        }

        #[test]
        fn text_keeps_its_order(a in ".{0,20}", b in ".{0,20}") {
            let (ka, kb) = (SortKey::text(&a), SortKey::text(&b));
            if !ka.is_cut() && !kb.is_cut() {
                prop_assert_eq!(a.as_bytes().cmp(b.as_bytes()), ka.cmp(&kb));
            }
        }
    }
}
