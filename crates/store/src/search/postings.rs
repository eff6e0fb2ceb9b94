//! Postings: which terms an index row holds, how often and in which field, in few bytes.
//!
//! Terms are sorted and share their beginnings with the term before (front coding).

use crate::error::StoreError;

/// One span of one field that an index row covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The field's number.
    pub field_no: u16,
    /// The first character of the span in the field.
    pub start_chars: u64,
    /// Words in the span.
    pub words: u32,
}

/// The terms of a segment, sorted, and how often each occurs.
pub(crate) fn encode_terms(terms: &[(&str, u32)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(terms.len() * 10);
    write_number(&mut out, len(terms.len()));
    let mut before: &[u8] = &[];
    for (term, count) in terms {
        let bytes = term.as_bytes();
        let shared = bytes.iter().zip(before).take_while(|(a, b)| a == b).count().min(255);
        let rest = bytes.get(shared..).unwrap_or_default();
        write_number(&mut out, len(shared));
        write_number(&mut out, len(rest.len()));
        out.extend_from_slice(rest);
        write_number(&mut out, (*count).into());
        before = bytes;
    }
    out
}

/// The postings of an index row: its segments, each with its [`encode_terms`].
pub(crate) fn encode(segments: &[(Segment, &[u8])]) -> Vec<u8> {
    let terms: usize = segments.iter().map(|(_, terms)| terms.len()).sum();
    let mut out = Vec::with_capacity(terms + 16 * segments.len());
    write_number(&mut out, len(segments.len()));
    for (segment, terms) in segments {
        write_number(&mut out, segment.field_no.into());
        write_number(&mut out, segment.start_chars);
        write_number(&mut out, segment.words.into());
        out.extend_from_slice(terms);
    }
    out
}

/// Calls `each` for every term of every segment, without building anything. `None` when damaged.
pub(crate) fn visit(bytes: &[u8], mut each: impl FnMut(&Segment, &[u8], u32)) -> Option<()> {
    let mut rest = bytes;
    let segments = read_number(&mut rest)?;
    let mut term = Vec::with_capacity(64);
    for _ in 0..segments {
        let segment = Segment {
            field_no: u16::try_from(read_number(&mut rest)?).ok()?,
            start_chars: read_number(&mut rest)?,
            words: u32::try_from(read_number(&mut rest)?).ok()?,
        };
        let terms = read_number(&mut rest)?;
        term.clear();
        for _ in 0..terms {
            let shared = usize::try_from(read_number(&mut rest)?).ok()?;
            let length = usize::try_from(read_number(&mut rest)?).ok()?;
            let (own, after) = rest.split_at_checked(length)?;
            rest = after;
            term.truncate(shared);
            term.extend_from_slice(own);
            let count = u32::try_from(read_number(&mut rest)?).ok()?;
            each(&segment, &term, count);
        }
    }
    Some(())
}

/// The damage as the store reports it.
pub(crate) fn damaged(row: i64) -> StoreError {
    StoreError::Corrupt { table: "search_rows", column: "bag", row }
}

fn len(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Seven bits a byte, the lowest first.
fn write_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(u8::try_from(number & 0x7f).unwrap_or(0) | 0x80);
        number >>= 7;
    }
    out.push(u8::try_from(number).unwrap_or(0));
}

fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// A segment of the postings of a row, and each of its terms with its count.
#[cfg(test)]
type Decoded = (Segment, Vec<(String, u32)>);

/// The segments of the postings of a row and their terms.
#[cfg(test)]
pub(crate) fn decode(postings: &[u8]) -> Option<Vec<Decoded>> {
    let mut segments: Vec<Decoded> = Vec::new();
    visit(postings, |segment, term, count| {
        if segments.last().is_none_or(|(last, _)| last != segment) {
            segments.push((*segment, Vec::new()));
        }
        if let (Some((_, terms)), Ok(term)) = (segments.last_mut(), std::str::from_utf8(term)) {
            terms.push((term.to_owned(), count));
        }
    })?;
    Some(segments)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_postings_survive(terms in proptest::collection::btree_map("[a-zäß東京]{1,12}", 1u32..500, 1..50), start in any::<u32>()) {
            let terms: Vec<_> = terms.into_iter().collect();
            let segment = Segment { field_no: 3, start_chars: start.into(), words: 99 };
            let lent: Vec<_> = terms.iter().map(|(term, count)| (term.as_str(), *count)).collect();
            let postings = encode(&[(segment, &encode_terms(&lent))]);
            prop_assert_eq!(decode(&postings), Some(vec![(segment, terms)]));
        }

        #[test]
        fn damaged_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }
    }
}
