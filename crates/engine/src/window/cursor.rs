//! Window cursors: where a field continues, sealed and bound to record, field and content.

use crate::sealed::seal::{SealKind, Sealer};

const VERSION: u8 = 1;
const LENGTH: usize = 1 + 16 + 8 + 8 + 1 + 8 + 4;

/// Where a field continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowCursor {
    /// The record's number in the store.
    pub record_no: i64,
    /// The first bytes of the field's digest.
    pub content: [u8; 8],
    /// Text before `at` instead of after it.
    pub backwards: bool,
    /// The border between what was read and what follows.
    pub at: u64,
    /// Longest window.
    pub limit: u32,
}

impl WindowCursor {
    /// Seals the cursor for one grant, record and field.
    pub(crate) fn seal(&self, sealer: &Sealer, binding: [u8; 16]) -> Option<String> {
        let mut content = Vec::with_capacity(LENGTH);
        content.push(VERSION);
        content.extend_from_slice(&binding);
        content.extend_from_slice(&self.record_no.to_be_bytes());
        content.extend_from_slice(&self.content);
        content.push(u8::from(self.backwards));
        content.extend_from_slice(&self.at.to_be_bytes());
        content.extend_from_slice(&self.limit.to_be_bytes());
        sealer.seal(SealKind::Window, &content)
    }

    /// Opens a cursor that was made for the same grant, record and field.
    pub(crate) fn open(sealer: &Sealer, binding: [u8; 16], text: &str) -> Option<Self> {
        let content = sealer.open(SealKind::Window, text)?;
        if content.len() != LENGTH {
            return None;
        }
        let (version, rest) = content.split_first()?;
        let (bound, rest) = rest.split_at_checked(16)?;
        if *version != VERSION || bound != binding {
            return None;
        }
        let (record_no, rest) = rest.split_first_chunk::<8>()?;
        let (content, rest) = rest.split_first_chunk::<8>()?;
        let (backwards, rest) = rest.split_first()?;
        let (at, rest) = rest.split_first_chunk::<8>()?;
        let (limit, _) = rest.split_first_chunk::<4>()?;
        Some(Self {
            record_no: i64::from_be_bytes(*record_no),
            content: *content,
            backwards: *backwards == 1,
            at: u64::from_be_bytes(*at),
            limit: u32::from_be_bytes(*limit),
        })
    }

    /// The range this cursor stands for, with another limit if one is given.
    pub(crate) fn range(&self, limit: Option<u32>) -> (u64, u32) {
        let limit = limit.unwrap_or(self.limit);
        if !self.backwards {
            return (self.at, limit);
        }
        let start = self.at.saturating_sub(limit.into());
        let length = u32::try_from(self.at - start).unwrap_or(limit);
        (start, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_and_is_bound() {
        let sealer = Sealer::new([1; 32]);
        let cursor = WindowCursor {
            record_no: 7,
            content: [3; 8],
            backwards: true,
            at: 5_000,
            limit: 4_096,
        };
        let text = cursor.seal(&sealer, [2; 16]).unwrap();
        assert!(text.len() <= 150);
        assert_eq!(WindowCursor::open(&sealer, [2; 16], &text), Some(cursor));
        assert_eq!(WindowCursor::open(&sealer, [3; 16], &text), None);
    }

    #[test]
    fn going_back_never_overlaps_what_was_read() {
        let back =
            |at| WindowCursor { record_no: 1, content: [0; 8], backwards: true, at, limit: 100 };
        assert_eq!(back(250).range(None), (150, 100));
        assert_eq!(back(30).range(None), (0, 30));
        assert_eq!(back(250).range(Some(10)), (240, 10));
    }
}
