//! Change bookmarks and the cursors between the pages of one session, sealed and bound to the
//! question. Both have one length each, whatever happened in between.

use pdpp_store::ChangeNo;
use pdpp_store::changes::{Known, Resume};

use crate::seal::{SealKind, Sealer};

const VERSION: u8 = 2;
/// Bookmarks of version 0.1, which people keep for weeks, also carry how often the log had been
/// shortened. They are read and never made.
const FIRST_VERSION: u8 = 1;

/// Stands in a cursor for a bookmark without that number.
const NEVER: i64 = -1;

/// The next page of a session: what its reader knew at the start, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Session {
    pub known: Known,
    pub resume: Resume,
}

/// Seals what a reader knows: a bookmark that was given stays the one it is.
pub(crate) fn seal(sealer: &Sealer, binding: [u8; 16], known: Known) -> Option<String> {
    let content = match known.prunings {
        None => numbers(VERSION, binding, &[known.change_no.0]),
        Some(prunings) => numbers(FIRST_VERSION, binding, &[known.change_no.0, prunings]),
    };
    sealer.seal(SealKind::Bookmark, &content)
}

/// Opens a bookmark that was made for the same question under the same constraints.
pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<Known> {
    let content = sealer.open(SealKind::Bookmark, text)?;
    if let Some([change_no]) = bound(VERSION, binding, &content) {
        return Some(Known::up_to(ChangeNo(change_no)));
    }
    let [change_no, prunings] = bound(FIRST_VERSION, binding, &content)?;
    Some(Known { change_no: ChangeNo(change_no), prunings: Some(prunings) })
}

/// Seals the place of a session.
pub(crate) fn seal_session(sealer: &Sealer, binding: [u8; 16], session: Session) -> Option<String> {
    let Session { known, resume: Resume { after, horizon } } = session;
    let prunings = known.prunings.unwrap_or(NEVER);
    let content = numbers(VERSION, binding, &[known.change_no.0, prunings, after.0, horizon.0]);
    sealer.seal(SealKind::Changes, &content)
}

/// Opens the place of a session of the same question under the same constraints.
pub(crate) fn open_session(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<Session> {
    let content = sealer.open(SealKind::Changes, text)?;
    let [change_no, prunings, after, horizon] = bound(VERSION, binding, &content)?;
    let prunings = Some(prunings).filter(|own| *own != NEVER);
    let known = Known { change_no: ChangeNo(change_no), prunings };
    let resume = Resume { after: ChangeNo(after), horizon: ChangeNo(horizon) };
    Some(Session { known, resume })
}

/// Whether a cursor continues changes rather than a list, whatever it is bound to.
pub(crate) fn is_session(sealer: &Sealer, text: &str) -> bool {
    sealer.open(SealKind::Changes, text).is_some()
}

fn numbers(version: u8, binding: [u8; 16], numbers: &[i64]) -> Vec<u8> {
    let mut content = vec![version];
    content.extend_from_slice(&binding);
    for number in numbers {
        content.extend_from_slice(&number.to_be_bytes());
    }
    content
}

fn bound<const COUNT: usize>(
    wanted: u8,
    binding: [u8; 16],
    content: &[u8],
) -> Option<[i64; COUNT]> {
    let (version, rest) = content.split_first()?;
    let (bound, rest) = rest.split_at_checked(16)?;
    if *version != wanted || bound != binding || rest.len() != COUNT * 8 {
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
        let known = Known::up_to(ChangeNo(7));
        let session =
            Session { known, resume: Resume { after: ChangeNo(5), horizon: ChangeNo::LAST } };
        let mark = seal(&sealer, [1; 16], known).unwrap();
        let cursor = seal_session(&sealer, [1; 16], session).unwrap();
        assert!(cursor.len() <= 150);
        assert_eq!(open(&sealer, [1; 16], &mark), Some(known));
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
        let lengths = [0, 1, i64::MAX].map(|change_no| {
            seal(&sealer, [1; 16], Known::up_to(ChangeNo(change_no))).unwrap().len()
        });
        assert!(lengths.iter().all(|length| *length == lengths[0] && *length <= 240));
    }

    #[test]
    fn a_bookmark_of_the_first_version_still_opens() {
        let sealer = Sealer::new([3; 32]);
        let mut content = vec![1];
        content.extend_from_slice(&[1; 16]);
        content.extend_from_slice(&7_i64.to_be_bytes());
        content.extend_from_slice(&2_i64.to_be_bytes());
        let text = sealer.seal(SealKind::Bookmark, &content).unwrap();
        let known = Known { change_no: ChangeNo(7), prunings: Some(2) };
        assert_eq!(open(&sealer, [1; 16], &text), Some(known));
        assert_eq!(seal(&sealer, [1; 16], known), Some(text));
        let session =
            Session { known, resume: Resume { after: ChangeNo(5), horizon: ChangeNo(9) } };
        let cursor = seal_session(&sealer, [1; 16], session).unwrap();
        assert_eq!(open_session(&sealer, [1; 16], &cursor), Some(session));
    }
}
