//! Ranges of the keys of a time field, for several sessions to walk over.

/// Bytes of the key of an instant: a mark, the seconds and the nanoseconds.
const KEY_BYTES: usize = 13;

pub(crate) type Key = [u8; KEY_BYTES];

/// Keys above one and up to another.
#[derive(Debug, Clone)]
pub(crate) struct KeyRange {
    pub after: Vec<u8>,
    pub until: Option<Key>,
    /// Records without a time are counted here too.
    pub with_missing: bool,
}

impl KeyRange {
    /// All keys.
    pub(crate) fn whole() -> Self {
        Self { after: Vec::new(), until: None, with_missing: true }
    }

    /// So many ranges of equal length that cover every key, given the first and the last one.
    pub(crate) fn between(first: &Key, last: &Key, parts: u64) -> Vec<Self> {
        let (from, to) = (seconds(first), seconds(last));
        let step = to.saturating_sub(from) / parts.max(1);
        let mut ranges = vec![Self::whole()];
        for part in 1..parts {
            let mut bound = *first;
            let at = from.saturating_add(step.saturating_mul(part));
            bound[1..9].copy_from_slice(&at.to_be_bytes());
            bound[9..].fill(0);
            if let Some(before) = ranges.last_mut() {
                before.until = Some(bound);
            }
            ranges.push(Self { after: bound.to_vec(), until: None, with_missing: false });
        }
        ranges
    }
}

/// The seconds in a key, in the order of keys.
fn seconds(key: &Key) -> u64 {
    key.get(1..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seconds: u64, nanos: u32) -> Key {
        let bytes = [&[0x30], seconds.to_be_bytes().as_slice(), &nanos.to_be_bytes()].concat();
        bytes.try_into().unwrap()
    }

    #[test]
    fn every_key_lies_in_one_range() {
        let (first, last) = (key(1_000, 7), key(1_010, 9));
        for parts in [1, 2, 3, 7, 16, 1_000] {
            let ranges = KeyRange::between(&first, &last, parts);
            assert_eq!(ranges.len() as u64, parts);
            assert_eq!(ranges.iter().filter(|range| range.with_missing).count(), 1);
            let all = [key(0, 0), first, last, key(u64::MAX, u32::MAX)];
            let between = (1_000..=1_010).flat_map(|at| [0, 1, 999].map(|nanos| key(at, nanos)));
            for one in all.into_iter().chain(between) {
                let holds = |range: &&KeyRange| {
                    one.as_slice() > range.after.as_slice()
                        && range.until.is_none_or(|until| one <= until)
                };
                assert_eq!(ranges.iter().filter(holds).count(), 1, "{parts} {one:?}");
            }
        }
        let far = KeyRange::between(&key(0, 0), &key(u64::MAX, 0), 16);
        assert!(far.windows(2).all(|pair| pair[0].after < pair[1].after));
    }
}
