//! Mail-like records: about 1.4 KB each, made from their number alone.

use jiff::Timestamp;
use pdpp_contract::SourceDeclaration;

use super::numbers::{Numbers, SEED, mixed};
use super::vocabulary::Vocabulary;
use crate::error::BenchError;

/// Connections the records are spread over.
pub const CONNECTIONS: u64 = 8;
/// Folders, each about equally full.
pub const FOLDERS: u64 = 60;
/// The oldest record, 2015-12-01, and how many seconds later the newest is: eleven years.
pub const OLDEST_SECOND: i64 = 1_448_928_000;
pub const SPAN_SECONDS: u64 = 11 * 365 * 86_400;
/// Every fifth record is a note, the others are messages.
const NOTE_EVERY: u64 = 5;

/// What the records look like.
pub fn declaration() -> Result<SourceDeclaration, BenchError> {
    SourceDeclaration::parse(include_str!("mail.json")).map_err(BenchError::declaration)
}

/// A line of an import and how many bytes of it are the record itself.
pub struct ImportLine {
    pub bytes: Vec<u8>,
    pub record_bytes: u64,
}

/// The line of record `number`.
pub fn line(number: u64, words: &Vocabulary) -> ImportLine {
    let mut numbers = Numbers::of(mixed(SEED) ^ number);
    let id = id(number);
    let sent_at = sent_at(&mut numbers);
    let folder = folder(numbers.below(FOLDERS));
    let title_words = 3 + numbers.below(6);
    let mut title = String::new();
    words.write(title_words, &mut numbers, &mut title);
    let body = body(&mut numbers, words);
    if number % NOTE_EVERY == NOTE_EVERY - 1 {
        let data = format!(
            r#"{{"id":"{id}","folder":"{folder}","title":"{title}","updated_at":"{sent_at}","body":"{body}"}}"#
        );
        return wrapped("notes", &id, &data);
    }
    let thread = mixed(number / 4);
    let (from, to) = (person(&mut numbers, words), person(&mut numbers, words));
    // Most messages are small, a few are megabytes.
    let size = 1_000 + numbers.below(1_000) * numbers.below(1_000) * numbers.below(10);
    let data = format!(
        r#"{{"id":"{id}","thread_id":"t{thread:016x}","folder":"{folder}","from":"{from}","to":["{to}"],"subject":"{title}","sent_at":"{sent_at}","size":{size},"body":"{body}"}}"#
    );
    wrapped("messages", &id, &data)
}

/// Puts a record into the envelope of an import.
pub fn wrapped(stream: &str, id: &str, data: &str) -> ImportLine {
    let line = format!(
        r#"{{"type":"RECORD","stream":"{stream}","key":"{id}","emitted_at":"2026-11-01T00:00:00Z","data":{data}}}"#
    );
    ImportLine { bytes: line.into_bytes(), record_bytes: u64::try_from(data.len()).unwrap_or(0) }
}

/// The key of record `number`: scattered like a provider's, which is the hard case for an index.
pub fn id(number: u64) -> String {
    format!("{:016x}", mixed(number))
}

/// The name of a folder.
pub fn folder(number: u64) -> String {
    format!("Folder {number:02}")
}

fn sent_at(numbers: &mut Numbers) -> String {
    let second = OLDEST_SECOND + i64::try_from(numbers.below(SPAN_SECONDS)).unwrap_or(0);
    Timestamp::from_second(second).unwrap_or_default().to_string()
}

fn person(numbers: &mut Numbers, words: &Vocabulary) -> String {
    format!("{}@{}.example", words.next(numbers), words.next(numbers))
}

/// Words with what mail has between them: numbers, links, paragraphs, and a few planted words whose
/// frequency is known.
fn body(numbers: &mut Numbers, words: &Vocabulary) -> String {
    let mut body = String::with_capacity(2_048);
    for paragraph in 0..=numbers.below(5) {
        if paragraph > 0 {
            body.push_str("\\n\\n");
        }
        let count = 20 + numbers.below(80);
        words.write(count, numbers, &mut body);
        if numbers.chance(20) {
            body.push_str(&format!(" {}.", numbers.below(1_000_000)));
        }
        if numbers.chance(10) {
            let (host, page) = (words.next(numbers), numbers.next());
            body.push_str(&format!(" https://{host}.example/view?id={page:x}"));
        }
    }
    let planted = numbers.below(100_000);
    if planted < 30_000 {
        body.push_str(" zzcommon");
    }
    if planted % 100 == 7 {
        body.push_str(" zzmiddle");
    }
    if planted % 200 == 11 {
        body.push_str(" zzgreen zzdoor");
    }
    if planted == 77_777 {
        body.push_str(" zzrare");
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_the_same_every_time_and_about_as_large_as_mail() {
        let words = Vocabulary::new();
        assert_eq!(line(7, &words).bytes, line(7, &words).bytes);
        let bytes: u64 = (0..2_000).map(|number| line(number, &words).record_bytes).sum();
        let mean = bytes / 2_000;
        assert!((1_200..1_600).contains(&mean), "{mean}");
        for number in 0..50 {
            let line: serde_json::Value =
                serde_json::from_slice(&line(number, &words).bytes).unwrap();
            assert_eq!(line["data"]["id"], line["key"]);
        }
        assert!(declaration().is_ok());
    }
}
