//! Whether a row shows its record: enough of a short one, or a passage of a long one that holds the
//! words of the question.

use std::collections::HashSet;

use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK, flat};
use pdpp_store::words::words;

use super::set::JudgedText;

/// A record of at most so many characters is short.
const SHORT_CHARS: usize = 300;
/// The characters of a long one that stand in a row, in one piece.
const PASSAGE_CHARS: usize = 160;
/// The share of words that is enough, in hundredths.
const ENOUGH: usize = 60;

/// Whether a row shows enough of a record to answer a question from it.
pub fn is_readable(row: &str, record: &JudgedText, question: &str) -> bool {
    let row = plain(row);
    let shown = terms(&row);
    let all = terms(&format!("{} {}", record.title, record.body));
    if record.title.chars().count() + record.body.chars().count() <= SHORT_CHARS {
        return is_enough(&shown, &all);
    }
    let asked: HashSet<String> = terms(question).intersection(&all).cloned().collect();
    holds_passage(&row, &plain(&record.body)) && is_enough(&shown, &asked)
}

fn is_enough(shown: &HashSet<String>, wanted: &HashSet<String>) -> bool {
    shown.intersection(wanted).count() * 100 >= wanted.len() * ENOUGH
}

/// Whether a row holds so much of a text in one piece; of a shorter text, all of it.
fn holds_passage(row: &str, body: &str) -> bool {
    let chars = body.chars().count().min(PASSAGE_CHARS);
    let starts: Vec<usize> = row.char_indices().map(|(at, _)| at).collect();
    starts.iter().enumerate().any(|(at, start)| {
        let end = match starts.get(at + chars) {
            Some(end) => *end,
            None if starts.len() == at + chars => row.len(),
            None => return false,
        };
        row.get(*start..end).is_some_and(|piece| body.contains(piece))
    })
}

fn terms(text: &str) -> HashSet<String> {
    words(text).into_iter().map(|word| word.term).collect()
}

/// A text on one line, as rows show it: without highlights, and with single quotes.
fn plain(text: &str) -> String {
    let text = text.replace(OPEN_MARK, "").replace(CLOSE_MARK, "").replace("\\\"", "'");
    let line: String = flat(&text).collect();
    line.replace('"', "'").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(title: &str, body: &str) -> JudgedText {
        JudgedText { title: title.to_owned(), body: body.to_owned() }
    }

    #[test]
    fn most_words_of_a_short_record_must_stand_in_its_row() {
        let record = record("Tiles", "The kitchen tiles arrive on Monday morning.");
        let asked = "when do the tiles arrive";
        assert!(is_readable(
            "1. id=x title=\"Tiles\" body=\"The kitchen tiles arrive on…\"",
            &record,
            asked
        ));
        assert!(!is_readable("1. id=x title=\"Tiles\" body=\"The kitchen…\"", &record, asked));
    }

    #[test]
    fn a_long_record_needs_a_piece_of_its_text_with_the_words_of_the_question() {
        let body = format!(
            "{}The boiler is mended on Thursday. {}",
            "Nothing here. ".repeat(30),
            "Nor there. ".repeat(40)
        );
        let record = record("News", &body);
        let at = body.find("The boiler").unwrap();
        let piece =
            |from: usize, chars: usize| format!("1. id=x body=\"…{}…\"", &body[from..from + chars]);
        let asked = "when is the boiler mended";
        assert!(is_readable(&piece(at - 40, 170), &record, asked));
        assert!(!is_readable(&piece(at - 40, 120), &record, asked), "too short");
        assert!(!is_readable(&piece(0, 170), &record, asked), "without the words");
    }
}
