//! From a sort key back to its value, for keys that were not cut. No record has to be read for it.

use pdpp_contract::limits::SORT_KEY_BYTES;

use crate::records::sort_key::{BOOLEAN, NEGATIVE, NUMBER, POSITIVE, TEXT, TIME, ZERO};

/// The value a key stands for. Spelling is lost: 1.0 and 1 have one key, and so have two spellings
/// of one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyValue<'a> {
    Boolean(bool),
    Number(NumberKey<'a>),
    Time {
        /// Seconds since the Unix epoch.
        seconds: i64,
        /// Nanoseconds after that.
        nanos: u32,
    },
    Text(&'a str),
}

/// A number as `0.d1d2d3… × 10^exponent`, its digits in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberKey<'a> {
    pub negative: bool,
    pub exponent: i32,
    pairs: &'a [u8],
}

impl NumberKey<'_> {
    /// The digits, two at a time, 0 to 99. The last digit may be a zero that fills its pair.
    pub(crate) fn pairs(&self) -> impl ExactSizeIterator<Item = u8> {
        let turn = if self.negative { 0xff } else { 0 };
        self.pairs.iter().map(move |byte| (byte ^ turn).saturating_sub(1))
    }
}

/// Whether a key may stand for more than one value.
pub(crate) fn is_cut(key: &[u8]) -> bool {
    key.len() > SORT_KEY_BYTES
}

/// Reads a key. `None` for a cut key and for bytes that no key ever had.
pub(crate) fn value_of(key: &[u8]) -> Option<KeyValue<'_>> {
    if is_cut(key) {
        return None;
    }
    let (tag, rest) = key.split_first()?;
    match *tag {
        BOOLEAN => Some(KeyValue::Boolean(*rest.first()? == 1)),
        NUMBER => number(rest).map(KeyValue::Number),
        TIME => {
            let (seconds, nanos) = rest.split_first_chunk::<8>()?;
            Some(KeyValue::Time {
                seconds: (u64::from_be_bytes(*seconds) ^ (1 << 63)).cast_signed(),
                nanos: u32::from_be_bytes(*nanos.first_chunk::<4>()?),
            })
        }
        TEXT => std::str::from_utf8(rest).ok().map(KeyValue::Text),
        _ => None,
    }
}

fn number(key: &[u8]) -> Option<NumberKey<'_>> {
    let (sign, rest) = key.split_first()?;
    let negative = match *sign {
        ZERO => return Some(NumberKey { negative: false, exponent: 0, pairs: &[] }),
        NEGATIVE => true,
        POSITIVE => false,
        _ => return None,
    };
    let (exponent, pairs) = rest.split_first_chunk::<4>()?;
    let exponent = u32::from_be_bytes(*exponent);
    let exponent = if negative { !exponent } else { exponent } ^ (1 << 31);
    // A negative number ends in a byte that makes the shorter of two magnitudes the larger value.
    let pairs = if negative { pairs.split_last()?.1 } else { pairs };
    Some(NumberKey { negative, exponent: exponent.cast_signed(), pairs })
}

#[cfg(test)]
mod tests {
    use pdpp_contract::declaration::FieldKind;
    use proptest::prelude::*;

    use super::*;
    use crate::aggregate::decimal::Sum;
    use crate::records::sort_key::SortKey;

    fn number_text(text: &str) -> String {
        let key = SortKey::parse(FieldKind::Number, text).unwrap();
        let Some(KeyValue::Number(number)) = value_of(key.as_bytes()) else {
            panic!("{text} is no number");
        };
        let mut sum = Sum::default();
        sum.add(number);
        sum.to_text().unwrap()
    }

    #[test]
    fn a_number_comes_back_by_its_value() {
        for (text, expected) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("1.50", "1.5"),
            ("-12.5", "-12.5"),
            ("100", "100"),
            ("12345678901234567890", "12345678901234567890"),
            ("1e-30", "0.000000000000000000000000000001"),
            ("-1e400", "-1e400"),
        ] {
            assert_eq!(number_text(text), expected);
        }
    }

    #[test]
    fn times_booleans_and_short_text_come_back() {
        let key = |kind, text| SortKey::parse(kind, text).unwrap();
        let time = key(FieldKind::DateTime, "1969-12-31T23:59:59.5Z");
        let expected = KeyValue::Time { seconds: -1, nanos: 500_000_000 };
        assert_eq!(value_of(time.as_bytes()), Some(expected));
        let flag = key(FieldKind::Boolean, "true");
        assert_eq!(value_of(flag.as_bytes()), Some(KeyValue::Boolean(true)));
        let text = key(FieldKind::String, "😀 é");
        assert_eq!(value_of(text.as_bytes()), Some(KeyValue::Text("😀 é")));
        let long = "x".repeat(65);
        assert_eq!(value_of(key(FieldKind::String, &long).as_bytes()), None);
    }

    proptest! {
        #[test]
        fn every_integer_comes_back(number in any::<i64>()) {
            prop_assert_eq!(number_text(&number.to_string()), number.to_string());
        }
    }
}
