//! Records with one very long field, in plain and in multi-byte letters.

use super::mail::{ImportLine, folder, wrapped};
use super::numbers::{Numbers, SEED};
use super::vocabulary::Vocabulary;

/// What a search through a long field looks for; it stands once, near the end.
pub const NEEDLE: &str = "Zzneedle in the Zzstack";
/// Characters of text after the needle.
const AFTER_NEEDLE: usize = 40;
const WORDS_PER_PARAGRAPH: u64 = 90;

/// One of the long records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// One byte each.
    Plain,
    /// Two bytes for most, three and four for some.
    MultiByte,
}

/// A long record: its key, its letters and the bytes of its body.
#[derive(Debug, Clone, Copy)]
pub struct LongRecord {
    pub id: &'static str,
    pub letters: Letters,
    pub body_bytes: u64,
}

/// The line of a long record, and how many characters its body has.
pub fn line(record: LongRecord, words: &Vocabulary) -> (ImportLine, u64) {
    let wanted = usize::try_from(record.body_bytes).unwrap_or(usize::MAX);
    let mut numbers = Numbers::of(SEED ^ record.body_bytes);
    let mut body = String::with_capacity(wanted + 4_096);
    let mut breaks = 0;
    while body.len() < wanted {
        for _ in 0..WORDS_PER_PARAGRAPH {
            write_word(record.letters, words.next(&mut numbers), &mut numbers, &mut body);
            body.push(' ');
        }
        body.push_str("\\n");
        breaks += 1;
    }
    body.push_str(NEEDLE);
    body.push_str(&" end".repeat(AFTER_NEEDLE / 4));
    // A line break is written with two characters and read as one.
    let chars = u64::try_from(body.chars().count()).unwrap_or(u64::MAX) - breaks;
    let (id, folder) = (record.id, folder(0));
    let data = format!(
        r#"{{"id":"{id}","thread_id":"t{id}","folder":"{folder}","from":"a@b.example","to":[],"subject":"{id}","sent_at":"2020-06-01T12:00:00Z","size":1,"body":"{body}"}}"#
    );
    drop(body);
    (wrapped("messages", id, &data), chars)
}

fn write_word(letters: Letters, word: &str, numbers: &mut Numbers, out: &mut String) {
    match letters {
        Letters::Plain => out.push_str(word),
        Letters::MultiByte => {
            let greek = |letter: char| {
                let place = u32::from(letter).saturating_sub(u32::from('a')) % 24;
                char::from_u32(0x3b1 + place).unwrap_or('α')
            };
            out.extend(word.chars().map(greek));
            match numbers.below(40) {
                0 => out.push('語'),
                1 => out.push('🎈'),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_needle_stands_once_near_the_end() {
        let words = Vocabulary::new();
        for letters in [Letters::Plain, Letters::MultiByte] {
            let (line, chars) = line(LongRecord { id: "x", letters, body_bytes: 50_000 }, &words);
            let line: serde_json::Value = serde_json::from_slice(&line.bytes).unwrap();
            let body = line["data"]["body"].as_str().unwrap();
            assert_eq!(u64::try_from(body.chars().count()).unwrap(), chars);
            assert_eq!(body.matches(NEEDLE).count(), 1);
            assert!(body.len() - body.find(NEEDLE).unwrap() < 100);
            assert_eq!(body.is_ascii(), letters == Letters::Plain);
        }
    }
}
