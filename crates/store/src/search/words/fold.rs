//! Folding and stemming: many spellings, one term.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::forms::base_form;

/// Terms are cut here; longer words differ in what nobody types.
pub const MAX_TERM_CHARS: usize = 64;

/// Lower case, without accents, compatibility forms made plain, apostrophes and digit commas gone.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        let plain = word.bytes().filter(|byte| !matches!(byte, b'\'' | b','));
        let plain = plain.map(|byte| char::from(byte.to_ascii_lowercase()));
        return plain.take(MAX_TERM_CHARS).collect();
    }
    word.nfkd()
        .filter(|char| !is_combining_mark(*char) && !matches!(char, '\'' | '\u{2019}' | ','))
        .flat_map(char::to_lowercase)
        .take(MAX_TERM_CHARS)
        .collect()
}

/// The stem of a folded word. Only words of plain letters have one; English endings are taken off,
/// which other languages survive because documents and questions lose the same endings.
pub fn stem(folded: &str) -> String {
    let plain = folded.len() > 2 && folded.bytes().all(|byte| byte.is_ascii_lowercase());
    if !plain {
        return folded.to_owned();
    }
    Stemmer::create(Algorithm::English).stem(base_form(folded)).into_owned()
}
