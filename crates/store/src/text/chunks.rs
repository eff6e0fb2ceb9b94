//! How long text lies in numbered chunks: the same numbers on every backend.

use pdpp_contract::limits::CHUNK_CHARS;
use pdpp_contract::record::TextKind;

use crate::text::window::{Span, cut};
use crate::writes::hashing::TextDigest;

/// Bits of a chunk number that count chunks inside one text.
pub(crate) const CHUNK_BITS: u32 = 24;

/// A text that lives in chunks.
pub(crate) struct ChunkedText {
    pub text_no: i64,
    pub kind: TextKind,
    pub chars: u64,
    pub digest: TextDigest,
}

/// All chunks of a text: its first, and the first of the next text.
pub(crate) fn chunks_of(text_no: i64) -> (i64, i64) {
    (text_no << CHUNK_BITS, (text_no + 1) << CHUNK_BITS)
}

/// The chunks that hold a span which is not empty: the first and the last.
pub(crate) fn chunks_holding(text_no: i64, span: Span) -> (i64, i64) {
    let (base, _) = chunks_of(text_no);
    let place = |char: u64| i64::try_from(char / CHUNK_CHARS).unwrap_or(i64::MAX);
    let last_char = span.start + span.length.saturating_sub(1);
    (base + place(span.start), base + place(last_char))
}

/// The span out of the chunks that hold it, joined.
pub(crate) fn cut_joined(joined: &str, span: Span) -> String {
    cut(joined, span.start % CHUNK_CHARS, span.length).to_owned()
}

/// How a text's kind is stored.
pub(crate) fn kind_number(kind: TextKind) -> i64 {
    match kind {
        TextKind::String => 0,
        TextKind::Json => 1,
    }
}

/// The kind a stored number stands for.
pub(crate) fn kind_of(number: i64) -> TextKind {
    if number == 0 { TextKind::String } else { TextKind::Json }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_needs_only_the_chunks_it_lies_in() {
        let holding = |start, length| chunks_holding(1, Span { start, length });
        let base = 1 << CHUNK_BITS;
        assert_eq!(holding(0, 1), (base, base));
        assert_eq!(holding(0, CHUNK_CHARS), (base, base));
        assert_eq!(holding(CHUNK_CHARS - 1, 2), (base, base + 1));
        assert_eq!(holding(CHUNK_CHARS - 1, CHUNK_CHARS + 2), (base, base + 2));
    }
}
