//! What the program says: answers on standard output, everything else on standard error.
//!
//! A reader that goes away (`pdpp audit | head -1`) ends the writing, not the command.

pub mod logging;
pub mod prompt;
pub mod table;
pub mod words;

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use pdpp_contract::one_line::is_unsafe;
use serde::Serialize;
use serde_json::Value;

use crate::failure::{Exit, Failure};

/// How this run speaks.
#[derive(Debug)]
pub struct Output {
    json: bool,
    colour: bool,
    /// Whether complaints may be coloured: they go another way than answers.
    colour_complaints: bool,
}

/// How a piece of text stands out on a terminal.
#[derive(Debug, Clone, Copy)]
pub enum Style {
    /// What the eye should find first.
    Strong,
    /// What matters less.
    Faint,
    /// Something is as it should be, or new.
    Good,
    /// Something went wrong.
    Wrong,
}

impl Output {
    /// Speaks JSON or words; with colours when a person reads along and has not refused them.
    pub fn new(json: bool, no_colour: bool) -> Self {
        let colour = !json && !no_colour && io::stdout().is_terminal();
        let colour_complaints = !json && !no_colour && io::stderr().is_terminal();
        Self { json, colour, colour_complaints }
    }

    /// Whether the answer is to be one JSON document.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Writes the answer: the document with `--json`, else the words.
    pub fn answer(
        &self,
        document: &impl Serialize,
        words: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { write_document(document) } else { text(&words()) }
    }

    /// Says why the command failed.
    pub fn failure(&self, failure: &Failure) {
        if self.json {
            note(&failure.to_json().to_string());
            return;
        }
        let speaker = coloured(self.colour_complaints, Style::Wrong, "pdpp:");
        note(&format!("{speaker} {}", plain(&failure.sentence())));
        for fault in &failure.faults {
            let path = if fault.path.is_empty() { "(document)" } else { &fault.path };
            note(&format!("  {}\n      {} [{}]", plain(path), plain(&fault.message), fault.code));
        }
    }

    /// The text in a style, when colours are on.
    pub fn styled(&self, style: Style, text: &str) -> String {
        coloured(self.colour, style, text)
    }
}

fn coloured(on: bool, style: Style, text: &str) -> String {
    let code = match style {
        Style::Strong => 1,
        Style::Faint => 2,
        Style::Good => 32,
        Style::Wrong => 31,
    };
    // A line break inside stays outside of the colour: terminals paint to the end of the line.
    let lead = text.len() - text.trim_start_matches('\n').len();
    let (breaks, text) = text.split_at(lead);
    if on { format!("{breaks}\u{1b}[{code}m{text}\u{1b}[0m") } else { format!("{breaks}{text}") }
}

/// Writes words to standard output; a line break is added where none is.
pub fn text(words: &str) -> Result<(), Failure> {
    let end = if words.is_empty() || words.ends_with('\n') { "" } else { "\n" };
    to_stdout(&format!("{}{end}", visible(words)))
}

/// Says something that is no part of the answer. Nobody may be listening.
pub fn note(words: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(words));
}

/// Writes one JSON document, on one line.
fn write_document(document: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(document).map_err(|error| {
        Failure::new(Exit::Other, "output", format!("cannot write the output: {error}"))
    })?;
    to_stdout(&format!("{}\n", escaped(&text)))
}

/// Writes words or one JSON document that must arrive: here a reader who went away is a failure.
pub fn received(words: &str) -> Result<(), Failure> {
    let end = if words.ends_with('\n') { "" } else { "\n" };
    write_all(&format!("{words}{end}")).map_err(|error| unwritten(&error))
}

/// Writes all of `text`. A closed pipe is a reader who has seen enough.
fn to_stdout(text: &str) -> Result<(), Failure> {
    match write_all(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritten(&error)),
        _ => Ok(()),
    }
}

fn write_all(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::new(Exit::Other, "output", format!("cannot write the output: {error}"))
}

/// One line that cannot move the cursor, hide text or turn it around, whatever it was made from.
pub fn plain(text: &str) -> String {
    text.replace(is_unsafe, "\u{fffd}")
}

/// Words of ours on their way to a terminal: their lines and colours stay, and whatever slipped into
/// them unchecked cannot hide or turn text around.
fn visible(words: &str) -> Cow<'_, str> {
    let hides = |c: char| is_unsafe(c) && !matches!(c, '\n' | '\r' | '\t' | '\u{1b}');
    if words.contains(hides) { words.replace(hides, "\u{fffd}").into() } else { words.into() }
}

/// The same JSON, in which no character hides or turns text around.
fn escaped(json: &str) -> Cow<'_, str> {
    if !json.contains(is_unsafe) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unsafe(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out.into()
}

/// A word for a shell to read back as one, whatever it holds.
pub fn quoted(word: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-_./:@,=+%".contains(c);
    if !word.is_empty() && word.chars().all(harmless) {
        return word.to_owned();
    }
    format!("'{}'", plain(word).replace('\'', "'\\''"))
}

/// An object without its absent members.
pub fn without_nulls(mut document: Value) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_a_line_or_a_colour() {
        assert_eq!(plain("a\nb\u{1b}[31mc\u{202e}d"), "a\u{fffd}b\u{fffd}[31mc\u{fffd}d");
        assert_eq!(plain("Ärger 日記 🎙"), "Ärger 日記 🎙");
    }

    #[test]
    fn nothing_that_turns_or_hides_text_reaches_a_terminal_unseen() {
        let odd = "red\u{1b}[31m \u{202e}evil\u{200b}\u{e0041}\n\tnext";
        assert_eq!(visible(odd), "red\u{1b}[31m \u{fffd}evil\u{fffd}\u{fffd}\n\tnext");
        let json = serde_json::json!({"stream": "a\u{202e}b\u{e0041}"}).to_string();
        assert!(escaped(&json).is_ascii(), "{}", escaped(&json));
        let read: Value = serde_json::from_str(&escaped(&json)).unwrap();
        assert_eq!(read["stream"], "a\u{202e}b\u{e0041}");
    }

    #[test]
    fn a_word_for_the_shell_stays_one_word() {
        assert_eq!(quoted("/home/ada/pdpp"), "/home/ada/pdpp");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn without_a_terminal_there_are_no_colours() {
        let output = Output { json: false, colour: false, colour_complaints: false };
        assert_eq!(output.styled(Style::Strong, "x"), "x");
        let output = Output { json: false, colour: true, colour_complaints: false };
        assert_eq!(output.styled(Style::Wrong, "x"), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(output.styled(Style::Good, "\nx"), "\n\u{1b}[32mx\u{1b}[0m");
    }

    #[test]
    fn absent_members_are_left_out() {
        let document = serde_json::json!({"a": null, "b": 1});
        assert_eq!(without_nulls(document).to_string(), r#"{"b":1}"#);
    }
}
