//! A question in words: phrases, beginnings, and the words that carry it.

use pdpp_contract::{ApiError, ErrorCode};
use pdpp_store::search::Term;
use pdpp_store::words::{Word, fold, is_stop_word, is_unspaced, words};

/// Longest question, in characters.
const MAX_CHARS: usize = 1_024;
/// Letters of a word that may be the beginning of a longer one.
const LEAST_EXTENDED: usize = 4;
/// Most terms that take part; a longer question is judged by its first ones.
pub(crate) const MAX_TERMS: usize = 24;

/// A question as search uses it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Question {
    /// What is looked for, each once.
    pub terms: Vec<Term>,
    /// Phrases that must occur: the places of their terms, in order.
    pub phrases: Vec<Vec<usize>>,
    /// Beginnings that must occur, as they were typed and folded: term and beginning.
    pub beginnings: Vec<(usize, String)>,
    /// Question words, which are no terms.
    pub asides: u32,
    /// How each term was typed.
    pub typed: Vec<String>,
    /// Words that nothing holds, which are taken for beginnings of longer ones.
    pub extended: Vec<usize>,
}

impl Question {
    /// Reads a question. Refuses one without a word.
    pub(crate) fn parse(text: &str) -> Result<Self, ApiError> {
        if text.chars().count() > MAX_CHARS {
            let message = format!("q has at most {MAX_CHARS} characters; ask with fewer words");
            return Err(ApiError::new(ErrorCode::InvalidArgument, message).param("q"));
        }
        let mut question = Self::default();
        let mut weak = Vec::new();
        for (at, part) in text.split('"').enumerate() {
            if at % 2 == 1 {
                question.add_phrase(part);
            } else {
                question.add_words(part, &mut weak);
            }
        }
        question.asides = u32::try_from(weak.len()).unwrap_or(u32::MAX);
        if question.terms.is_empty() {
            question.asides = 0;
            // Nothing but question words: then they are the question.
            for text in weak {
                question.add(Term { text: text.clone(), prefix: false }, &text);
            }
        }
        if question.terms.is_empty() {
            let message = "q holds no word to look for; write at least one letter or digit";
            return Err(ApiError::new(ErrorCode::InvalidArgument, message).param("q"));
        }
        Ok(question)
    }

    fn add_phrase(&mut self, text: &str) {
        let typed = |word: &Word| text.get(word.start..word.end).unwrap_or_default().to_owned();
        let terms = words(text).into_iter().map(|word| (typed(&word), word.term));
        let places: Option<Vec<usize>> =
            terms.map(|(typed, text)| self.add(Term { text, prefix: false }, &typed)).collect();
        if let Some(places) = places.filter(|places| !places.is_empty()) {
            self.phrases.push(places);
        }
    }

    fn add_words(&mut self, text: &str, weak: &mut Vec<String>) {
        for word in words(text) {
            let typed = text.get(word.start..word.end).unwrap_or_default();
            let starred = text.get(word.end..).is_some_and(|rest| rest.starts_with('*'));
            let folded = fold(typed);
            // One character of an unspaced script is the beginning of the pairs it stands in.
            let lone = typed.chars().count() == 1 && typed.chars().all(is_unspaced);
            if starred || lone {
                self.add_beginning(folded);
            } else if is_stop_word(&folded) {
                weak.push(word.term);
            } else {
                self.add(Term { text: word.term, prefix: false }, typed);
            }
        }
    }

    fn add_beginning(&mut self, folded: String) {
        // The index holds stems, which lose up to a few letters of what was typed; what is found too
        // much is left out when the text is read.
        let length = folded.chars().count();
        let text: String =
            folded.chars().take((length.saturating_sub(3)).max(length.min(3))).collect();
        if let Some(place) = self.add(Term { text, prefix: true }, &folded) {
            self.beginnings.push((place, folded));
        }
    }

    /// Adds a term, once; `None` when the question has as many as count.
    fn add(&mut self, term: Term, typed: &str) -> Option<usize> {
        if let Some(place) = self.terms.iter().position(|known| *known == term) {
            return Some(place);
        }
        if self.terms.len() == MAX_TERMS || term.text.is_empty() {
            return None;
        }
        self.terms.push(term);
        self.typed.push(typed.to_owned());
        Some(self.terms.len() - 1)
    }

    /// The terms that may be beginnings of longer words when nothing holds them, among those that
    /// `is_absent` says of.
    pub(crate) fn extensible(&self, is_absent: impl Fn(usize) -> bool) -> Vec<usize> {
        let in_phrase = |place: usize| self.phrases.iter().any(|phrase| phrase.contains(&place));
        let terms = self.terms.iter().enumerate();
        let long =
            terms.filter(|(_, term)| !term.prefix && term.text.chars().count() >= LEAST_EXTENDED);
        long.map(|(place, _)| place).filter(|at| is_absent(*at) && !in_phrase(*at)).collect()
    }

    /// Takes some terms for beginnings of longer words.
    pub(crate) fn extend(&mut self, places: Vec<usize>) {
        for place in &places {
            if let Some(term) = self.terms.get_mut(*place) {
                term.prefix = true;
            }
        }
        self.extended = places;
    }

    /// Whether texts must be read to decide what matches.
    pub(crate) fn needs_text(&self) -> bool {
        !self.phrases.is_empty() || !self.beginnings.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let question = Question::parse(text).unwrap();
        let spelled = |term: &Term| format!("{}{}", term.text, if term.prefix { "*" } else { "" });
        question.terms.iter().map(spelled).collect()
    }

    #[test]
    fn question_words_do_not_count_unless_they_are_all_there_is() {
        assert_eq!(
            terms("When does the new boiler get installed and what did it cost?"),
            ["new", "boiler", "instal", "cost"]
        );
        assert_eq!(terms("to be or not to be"), ["to", "be", "or", "not"]);
        assert!(Question::parse("?! \"\"").is_err());
    }

    #[test]
    fn phrases_keep_their_order_and_beginnings_their_spelling() {
        let question = Question::parse(r#"refund "the pasta maker" univers*"#).unwrap();
        assert_eq!(question.terms.len(), 5);
        assert_eq!(question.phrases, [vec![1, 2, 3]]);
        assert_eq!(question.beginnings, [(4, "univers".to_owned())]);
        assert_eq!(terms("東"), ["東*"]);
    }
}
