//! Page cursors: the place of a page's last record, sealed and bound to the question.

use pdpp_contract::limits::SORT_KEY_BYTES;
use pdpp_store::records::PagePosition;
use pdpp_store::{RecordNo, SortKey};

use crate::seal::{SealKind, Sealer};

const VERSION: u8 = 1;
/// A key and its tag byte.
const KEY_BYTES: usize = SORT_KEY_BYTES + 1;
/// version, binding, has a key, key length, key, record number: always as long as this.
const LENGTH: usize = 1 + 16 + 1 + 1 + KEY_BYTES + 8;

/// Seals a place. All cursors have the same length, whatever they point at.
pub(crate) fn seal(sealer: &Sealer, binding: [u8; 16], place: &PagePosition) -> Option<String> {
    let key = place.key.as_ref().map(SortKey::as_bytes).unwrap_or_default();
    let mut content = Vec::with_capacity(LENGTH);
    content.push(VERSION);
    content.extend_from_slice(&binding);
    content.push(u8::from(place.key.is_some()));
    content.push(u8::try_from(key.len()).ok()?);
    content.extend_from_slice(key);
    content.resize(LENGTH - 8, 0);
    content.extend_from_slice(&place.record_no.0.to_be_bytes());
    sealer.seal(SealKind::Page, &content)
}

/// Opens a cursor that was made for the same question under the same constraints.
pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<PagePosition> {
    let content = sealer.open(SealKind::Page, text)?;
    let content: &[u8; LENGTH] = content.as_slice().try_into().ok()?;
    let (version, rest) = content.split_first()?;
    let (bound, rest) = rest.split_at_checked(16)?;
    if *version != VERSION || bound != binding {
        return None;
    }
    let (has_key, rest) = rest.split_first()?;
    let (length, rest) = rest.split_first()?;
    let (key, number) = rest.split_at_checked(KEY_BYTES)?;
    let key = key.get(..usize::from(*length))?;
    Some(PagePosition {
        key: (*has_key == 1).then(|| SortKey::from_bytes(key.to_vec())),
        record_no: RecordNo(i64::from_be_bytes(number.try_into().ok()?)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_keeps_its_place_and_its_length() {
        let sealer = Sealer::new([1; 32]);
        let places = [
            PagePosition { key: None, record_no: RecordNo(1) },
            PagePosition {
                key: Some(SortKey::from_bytes(vec![0x40; 65])),
                record_no: RecordNo(i64::MAX),
            },
        ];
        let cursors: Vec<_> =
            places.iter().map(|place| seal(&sealer, [9; 16], place).unwrap()).collect();
        assert_eq!(cursors[0].len(), cursors[1].len());
        assert!(cursors[0].len() <= 150, "{} characters", cursors[0].len());
        for (place, cursor) in places.iter().zip(&cursors) {
            assert_eq!(open(&sealer, [9; 16], cursor).as_ref(), Some(place));
            assert_eq!(open(&sealer, [8; 16], cursor), None, "another grant or question");
        }
    }
}
