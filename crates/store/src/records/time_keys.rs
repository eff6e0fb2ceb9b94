//! Time keys by field number: those of fields that a collection was limited by before it declared
//! the present one. Grants stay bound to the field they were issued with.

use std::collections::BTreeMap;

/// Bytes of a time key.
const KEY: usize = 13;

/// Field number to time key.
pub(crate) type TimeKeys = BTreeMap<u16, Vec<u8>>;

/// Field number to first and last time key.
pub(crate) type TimeSpans = BTreeMap<u16, (Vec<u8>, Vec<u8>)>;

/// The keys as stored; `None` when there are none.
pub(crate) fn keys_to_bytes(keys: &TimeKeys) -> Option<Vec<u8>> {
    let entry = |(field, key): (&u16, &Vec<u8>)| [&field.to_be_bytes(), key.as_slice()].concat();
    (!keys.is_empty()).then(|| keys.iter().flat_map(entry).collect())
}

/// Reads stored keys.
pub(crate) fn keys_from_bytes(bytes: Option<&[u8]>) -> TimeKeys {
    let entry = |entry: &[u8]| {
        let (field, key) = entry.split_first_chunk::<2>()?;
        Some((u16::from_be_bytes(*field), key.to_vec()))
    };
    bytes.unwrap_or_default().chunks_exact(2 + KEY).filter_map(entry).collect()
}

/// The spans as stored; `None` when there are none.
pub(crate) fn spans_to_bytes(spans: &TimeSpans) -> Option<Vec<u8>> {
    let entry = |(field, (first, last)): (&u16, &(Vec<u8>, Vec<u8>))| {
        [&field.to_be_bytes(), first.as_slice(), last.as_slice()].concat()
    };
    (!spans.is_empty()).then(|| spans.iter().flat_map(entry).collect())
}

/// Reads stored spans.
pub(crate) fn spans_from_bytes(bytes: Option<&[u8]>) -> TimeSpans {
    let entry = |entry: &[u8]| {
        let (field, rest) = entry.split_first_chunk::<2>()?;
        let (first, last) = rest.split_at_checked(KEY)?;
        Some((u16::from_be_bytes(*field), (first.to_vec(), last.to_vec())))
    };
    bytes.unwrap_or_default().chunks_exact(2 + 2 * KEY).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_spans_read_back() {
        let keys = TimeKeys::from([(3, vec![1; KEY]), (700, vec![9; KEY])]);
        assert_eq!(keys_from_bytes(keys_to_bytes(&keys).as_deref()), keys);
        assert_eq!(keys_to_bytes(&TimeKeys::new()), None);
        let spans = TimeSpans::from([(5, (vec![2; KEY], vec![7; KEY]))]);
        assert_eq!(spans_from_bytes(spans_to_bytes(&spans).as_deref()), spans);
    }
}
