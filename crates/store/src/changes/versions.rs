//! Versions of a record without its content: keyed hashes per field, and what differs between two.

use std::collections::BTreeMap;

use crate::numbers::ChangeNo;
use crate::records::time_keys::TimeKeys;
use crate::writes::prepare::{FLAG_CODES, FLAG_FROM_CODES, FLAG_FROM_SECRETS, FLAG_SECRETS};

/// Stands for the record's existence among the fields that changed.
pub(crate) const EXISTENCE: u16 = u16::MAX;
/// Stands for the codes flag among the fields that changed.
pub(crate) const CODES: u16 = u16::MAX - 1;
/// Stands for the secrets flag among the fields that changed.
pub(crate) const SECRETS: u16 = u16::MAX - 2;

/// One version of one record.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub change_no: ChangeNo,
    pub deleted: bool,
    pub flags: i64,
    pub emitted_at: String,
    pub time_key: Option<Vec<u8>>,
    /// Keys of fields that were the time field once.
    pub other_times: TimeKeys,
    /// Field number and hash, ten bytes each, by number.
    pub field_hashes: Vec<u8>,
}

impl Version {
    pub(crate) fn carries_codes(&self) -> bool {
        self.flags & (FLAG_CODES | FLAG_FROM_CODES) != 0
    }

    pub(crate) fn carries_secrets(&self) -> bool {
        self.flags & (FLAG_SECRETS | FLAG_FROM_SECRETS) != 0
    }

    /// The hash of a field, if the record had it.
    pub(crate) fn hash(&self, field_no: u16) -> Option<u64> {
        entries(&self.field_hashes).find(|(no, _)| *no == field_no).map(|(_, hash)| hash)
    }
}

/// The fields of a version with their hashes.
pub(crate) fn entries(field_hashes: &[u8]) -> impl Iterator<Item = (u16, u64)> {
    field_hashes.chunks_exact(10).filter_map(|entry| {
        let (number, hash) = entry.split_first_chunk::<2>()?;
        Some((u16::from_be_bytes(*number), u64::from_be_bytes(hash.try_into().ok()?)))
    })
}

/// What a version changed: its fields by number, [`EXISTENCE`], [`CODES`] and [`SECRETS`].
pub(crate) fn changed(before: Option<&Version>, after: &Version) -> Vec<u16> {
    let old: BTreeMap<u16, u64> =
        before.into_iter().flat_map(|before| entries(&before.field_hashes)).collect();
    let new: BTreeMap<u16, u64> = entries(&after.field_hashes).collect();
    let mut changed: Vec<u16> = old
        .keys()
        .chain(new.keys().filter(|number| !old.contains_key(number)))
        .copied()
        .filter(|number| old.get(number) != new.get(number))
        .collect();
    if before.is_none_or(|before| before.deleted) != after.deleted {
        changed.push(EXISTENCE);
    }
    if before.is_some_and(Version::carries_codes) != after.carries_codes() {
        changed.push(CODES);
    }
    if before.is_some_and(Version::carries_secrets) != after.carries_secrets() {
        changed.push(SECRETS);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(deleted: bool, flags: i64, hashes: &[(u16, u64)]) -> Version {
        let bytes = |(number, hash): &(u16, u64)| {
            number.to_be_bytes().into_iter().chain(hash.to_be_bytes()).collect::<Vec<u8>>()
        };
        Version {
            change_no: ChangeNo(1),
            deleted,
            flags,
            emitted_at: String::new(),
            time_key: None,
            other_times: TimeKeys::new(),
            field_hashes: hashes.iter().flat_map(bytes).collect(),
        }
    }

    #[test]
    fn a_version_names_what_it_changed() {
        let first = version(false, 0, &[(0, 1), (1, 2)]);
        let second = version(false, FLAG_CODES, &[(0, 1), (2, 3)]);
        let gone = version(true, 0, &[]);
        assert_eq!(changed(None, &first), [0, 1, EXISTENCE]);
        assert_eq!(changed(Some(&first), &second), [1, 2, CODES]);
        assert_eq!(changed(Some(&second), &gone), [0, 2, EXISTENCE, CODES]);
        assert_eq!(changed(Some(&gone), &first), [0, 1, EXISTENCE]);
        assert_eq!(changed(Some(&first), &first.clone()), [0_u16; 0]);
        let keyed = version(false, FLAG_FROM_SECRETS, &[(0, 1), (1, 2)]);
        assert_eq!(changed(Some(&first), &keyed), [SECRETS]);
    }
}
