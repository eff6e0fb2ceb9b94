//! The note that is generated: the transcript of a three-day meeting, over two million characters long,
//! with one sentence near its end that a reader has to find.

use std::fmt::Write as _;

use serde_json::json;

use super::dice::Dice;

/// The key of the note.
const PATH: &str = "work/harbor/retrospective, raw transcript 🎙️.md";
/// Said once, about here.
const CONFESSION_AT: usize = 1_900_000;
const CONFESSION: &str = "For the record, because nobody will ever read this far: the spare key to \
    the Harbor demo rig is taped under the third drawer of the blue cabinet.";
const END_AT: usize = 2_150_000;

const SPEAKERS: &[&str] =
    &["Maya", "Tove", "Sana", "Priya", "Oskar", "Ben", "Elif", "陽斗", "Unknown voice"];
const OPENERS: &[&str] = &[
    "What I noticed was that",
    "To be fair,",
    "If I may add,",
    "Back to the board:",
    "I wrote down that",
    "Honestly,",
    "The way I remember it,",
    "Let us not forget that",
    "From the ports' side,",
    "In the second week",
];
const SUBJECTS: &[&str] = &[
    "the booking page",
    "the tide table",
    "our release checklist",
    "the print list at seven",
    "the payment step",
    "the map of the quays",
    "the pilot agreement",
    "the waiting queue",
    "the night rota",
    "the Portuguese text",
    "the poster with the wrong date",
    "the harbour master's phone call",
];
const VERBS: &[&str] = &[
    "needed one more pair of eyes",
    "was simpler than we feared",
    "took longer than the estimate",
    "made the skippers smile",
    "hid a question we had not asked",
    "worked on the first try, which worried me",
    "broke exactly where the test was missing",
    "got better after we cut it in half",
    "should have had an owner from day one",
    "was saved by somebody reading it aloud",
];
const ENDINGS: &[&str] = &[
    "and I would do it the same way again.",
    "and next time I would ask a port first.",
    "so let us write that on the yellow card.",
    "but nobody outside this room noticed.",
    "which is why I moved it to the keep column.",
    "and the fix took one afternoon.",
    "though the coffee helped.",
    "and that is a habit worth keeping.",
    "so please, one decision and one name.",
    "ですよね (right?).",
];
const ASIDES: &[&str] =
    &["[laughter]", "[crosstalk]", "[a tram passes]", "[pause]", "[marker squeaks]", "[door]"];

/// The note as a RECORD line; the same on every call.
pub fn line() -> String {
    let body = text();
    let words = body.split_whitespace().count();
    json!({
        "type": "RECORD",
        "stream": "notes",
        "key": PATH,
        "data": {
            "path": PATH,
            "title": "Harbor retrospective, 28 to 30 October 2026, raw transcript",
            "folder": "work/harbor",
            "body": body,
            "tags": ["harbor", "transcript"],
            "pinned": false,
            "word_count": words,
            "created_at": "2026-10-28T09:00:00+01:00",
            "updated_at": "2026-10-30T16:05:12+01:00",
        },
        "emitted_at": "2026-11-16T06:35:00Z",
    })
    .to_string()
}

fn text() -> String {
    let mut dice = Dice::new(28_102_026);
    let mut text = String::with_capacity(END_AT + END_AT / 50);
    let mut length = 0;
    let mut second = 0;
    let mut said = false;
    push(
        &mut text,
        &mut length,
        "# Harbor retrospective, 28 to 30 October 2026, raw transcript\n\n",
    );
    push(
        &mut text,
        &mut length,
        "Written by a machine from three room microphones, not corrected.\n\n",
    );
    while length < END_AT {
        second += 3 + dice.roll(9);
        let mut line = format!(
            "[{:02}:{:02}:{:02}] {}: ",
            second / 3_600,
            second / 60 % 60,
            second % 60,
            dice.pick(SPEAKERS)
        );
        if !said && length >= CONFESSION_AT {
            said = true;
            line.push_str(CONFESSION);
        } else {
            sentence(&mut line, &mut dice);
        }
        line.push('\n');
        push(&mut text, &mut length, &line);
    }
    text
}

fn sentence(line: &mut String, dice: &mut Dice) {
    let opener = dice.pick(OPENERS);
    let subject = dice.pick(SUBJECTS);
    let verb = dice.pick(VERBS);
    // Writing to a string cannot fail.
    let _ = write!(line, "{opener} {subject} {verb}, {}", dice.pick(ENDINGS));
    match dice.roll(8) {
        0 => {
            let _ = write!(line, " {}", dice.pick(ASIDES));
        }
        1 => {
            let _ = write!(line, " That was card {}.", 1 + dice.roll(240));
        }
        _ => {}
    }
}

fn push(text: &mut String, length: &mut usize, part: &str) {
    *length += part.chars().count();
    text.push_str(part);
}
