//! Words that nothing in view holds, taken for beginnings of longer ones, and said in the answer.

use pdpp_contract::envelope::{Warning, WarningCode};

use super::question::Question;
use super::score::Frozen;

/// What an answer says of the words that were taken for beginnings and matched as such.
pub(super) fn warning(question: &Question, frozen: &Frozen) -> Option<Warning> {
    let matched = |place: &&usize| frozen.frequencies.get(**place).is_some_and(|held| *held > 0);
    let words = question.extended.iter().filter(matched);
    let words = words.filter_map(|place| question.typed.get(*place));
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    if words.is_empty() {
        return None;
    }
    let words = words.join(", ");
    Some(Warning {
        code: WarningCode::WordsExtended,
        message: format!("no match for {words}; matched words that begin with it"),
        param: Some("q".to_owned()),
        detail: None,
    })
}
