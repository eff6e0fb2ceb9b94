//! Cursors of groups: where a page of groups ended, sealed and bound to the question.

use pdpp_store::aggregate::GroupPlace;

use crate::sealed::seal::{SealKind, Sealer};

const VERSION: u8 = 1;
/// version, binding, position, hash of the last group: always as long as this.
const LENGTH: usize = 1 + 16 + 8 + 16;

/// Seals a place. All cursors have the same length.
pub(crate) fn seal(sealer: &Sealer, binding: [u8; 16], place: GroupPlace) -> Option<String> {
    let mut content = Vec::with_capacity(LENGTH);
    content.push(VERSION);
    content.extend_from_slice(&binding);
    content.extend_from_slice(&place.position.to_be_bytes());
    content.extend_from_slice(&place.last.to_be_bytes());
    sealer.seal(SealKind::Groups, &content)
}

/// Opens a cursor that was made for the same question under the same constraints.
pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<GroupPlace> {
    let content = sealer.open(SealKind::Groups, text)?;
    let content: &[u8; LENGTH] = content.as_slice().try_into().ok()?;
    let (version, rest) = content.split_first()?;
    let (bound, rest) = rest.split_at_checked(16)?;
    if *version != VERSION || bound != binding {
        return None;
    }
    let (position, last) = rest.split_first_chunk::<8>()?;
    Some(GroupPlace {
        position: u64::from_be_bytes(*position),
        last: u128::from_be_bytes(last.try_into().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_keeps_its_place_and_its_length() {
        let sealer = Sealer::new([1; 32]);
        for place in [
            GroupPlace { position: 1, last: 0 },
            GroupPlace { position: u64::MAX, last: u128::MAX },
        ] {
            let cursor = seal(&sealer, [9; 16], place).unwrap();
            assert_eq!(cursor.len(), 76);
            assert_eq!(open(&sealer, [9; 16], &cursor), Some(place));
            assert_eq!(open(&sealer, [8; 16], &cursor), None, "another grant or question");
        }
    }
}
