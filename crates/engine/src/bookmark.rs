//! Change bookmarks and the cursors between the pages of one session, sealed and bound to the
//! question. Both have one length each, whatever happened in between.

use pdpp_store::changes::Resume;

use crate::seal::{SealKind, Sealer};

const VERSION: u8 = 1;
/// version, binding, since, after, horizon.
const CURSOR_LENGTH: usize = 1 + 16 + 3 * 8;
/// version, binding, number.
const BOOKMARK_LENGTH: usize = 1 + 16 + 8;

/// The next page of a session: what its reader knew at the start, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Session {
    pub since: i64,
    pub resume: Resume,
}

/// Seals the number up to which a reader knows everything it may see.
pub(crate) fn seal(sealer: &Sealer, binding: [u8; 16], since: i64) -> Option<String> {
    let content = numbers::<BOOKMARK_LENGTH>(binding, &[since]);
    sealer.seal(SealKind::Bookmark, &content)
}

/// Opens a bookmark that was made for the same question under the same constraints.
pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<i64> {
    let content = sealer.open(SealKind::Bookmark, text)?;
    let [since] = bound::<1>(binding, &content)?;
    Some(since)
}

/// Seals the place of a session.
pub(crate) fn seal_session(sealer: &Sealer, binding: [u8; 16], session: Session) -> Option<String> {
    let Session { since, resume: Resume { after, horizon } } = session;
    let content = numbers::<CURSOR_LENGTH>(binding, &[since, after, horizon]);
    sealer.seal(SealKind::Changes, &content)
}

/// Opens the place of a session of the same question under the same constraints.
pub(crate) fn open_session(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<Session> {
    let content = sealer.open(SealKind::Changes, text)?;
    let [since, after, horizon] = bound::<3>(binding, &content)?;
    Some(Session { since, resume: Resume { after, horizon } })
}

/// Whether a cursor continues changes rather than a list, whatever it is bound to.
pub(crate) fn is_session(sealer: &Sealer, text: &str) -> bool {
    sealer.open(SealKind::Changes, text).is_some()
}

fn numbers<const LENGTH: usize>(binding: [u8; 16], numbers: &[i64]) -> Vec<u8> {
    let mut content = Vec::with_capacity(LENGTH);
    content.push(VERSION);
    content.extend_from_slice(&binding);
    for number in numbers {
        content.extend_from_slice(&number.to_be_bytes());
    }
    content
}

fn bound<const COUNT: usize>(binding: [u8; 16], content: &[u8]) -> Option<[i64; COUNT]> {
    let (version, rest) = content.split_first()?;
    let (bound, rest) = rest.split_at_checked(16)?;
    if *version != VERSION || bound != binding || rest.len() != COUNT * 8 {
        return None;
    }
    let mut numbers = [0; COUNT];
    for (number, bytes) in numbers.iter_mut().zip(rest.chunks_exact(8)) {
        *number = i64::from_be_bytes(bytes.try_into().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bookmark_is_no_cursor_and_neither_belongs_to_another_question() {
        let sealer = Sealer::new([3; 32]);
        let session = Session { since: 4, resume: Resume { after: 5, horizon: i64::MAX } };
        let (mark, cursor) =
            (seal(&sealer, [1; 16], 7).unwrap(), seal_session(&sealer, [1; 16], session).unwrap());
        assert_eq!(open(&sealer, [1; 16], &mark), Some(7));
        assert_eq!(open_session(&sealer, [1; 16], &cursor), Some(session));
        assert_eq!(open(&sealer, [2; 16], &mark), None);
        assert_eq!(open_session(&sealer, [2; 16], &cursor), None);
        assert_eq!(open(&sealer, [1; 16], &cursor), None);
        assert_eq!(open_session(&sealer, [1; 16], &mark), None);
        assert!(is_session(&sealer, &cursor) && !is_session(&sealer, &mark));
    }

    #[test]
    fn the_length_tells_nothing() {
        let sealer = Sealer::new([3; 32]);
        let lengths = [0, 1, i64::MAX].map(|since| seal(&sealer, [1; 16], since).unwrap().len());
        assert!(lengths.iter().all(|length| *length == lengths[0] && *length <= 240));
    }
}
