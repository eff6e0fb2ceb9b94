//! Snippets: the best short range of a field, its matches marked.

use std::collections::BTreeSet;

use pdpp_contract::one_line::{CLOSE_MARK, OPEN_MARK, between_marks};
use pdpp_contract::search::Snippet;
use pdpp_store::words::{Word, fold, words};

use super::question::Question;
use super::span::around;

/// Characters of a snippet, marks included.
const SNIPPET_CHARS: usize = 240;
/// Characters of a snippet's text; the rest is for marks.
const TEXT_CHARS: usize = 190;
/// A text up to this long is a passage as a whole.
const WHOLE_CHARS: usize = 300;
/// How long a passage may become, step by step, until it holds most of the words.
const PASSAGE_CHARS: [usize; 7] = [180, 205, 235, 270, 320, 380, 440];
/// The share of the words that is enough.
const PASSAGE_SHARE: (usize, usize) = (5, 8);
/// A shorter title may begin a text by chance.
const LEAST_TITLE_CHARS: usize = 8;
/// Words further apart than this have nothing to do with each other.
const NEAR_WORDS: usize = 5;

/// A word of a text that answers part of the question.
#[derive(Debug, Clone, Copy)]
struct Match {
    term: usize,
    start: usize,
    end: usize,
}

/// What a text says about a question.
pub(crate) struct Reading<'a> {
    text: &'a str,
    words: Vec<Word>,
    /// Per word: the terms it answers.
    answers: Vec<Vec<usize>>,
    /// Where the text goes on behind its title.
    from: usize,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(text: &'a str, question: &Question) -> Self {
        let words = words(text);
        let answers = words.iter().map(|word| answers(text, word, question)).collect();
        Self { text, words, answers, from: 0 }
    }

    /// The words of the text, in order.
    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    /// Adds, for every two terms, how near each other they stand: 1 for neighbours, less further
    /// apart. The place of a pair is that of the smaller one times all terms, plus the other one.
    pub(crate) fn add_nearness(&self, terms: usize, nearness: &mut [f64]) {
        for (at, own) in self.answers.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
            let following = self.answers.iter().skip(at + 1).take(NEAR_WORDS);
            for (others, distance) in following.zip(1_u32..) {
                for (one, other) in own.iter().flat_map(|one| others.iter().map(move |b| (one, b)))
                {
                    if one != other
                        && let Some(near) =
                            nearness.get_mut(one.min(other) * terms + one.max(other))
                    {
                        *near += 1.0 / f64::from(distance);
                    }
                }
            }
        }
    }

    /// Whether the terms occur one after the other.
    pub(crate) fn holds_phrase(&self, terms: &[usize]) -> bool {
        !terms.is_empty()
            && self.answers.windows(terms.len()).any(|window| {
                window.iter().zip(terms).all(|(answers, term)| answers.contains(term))
            })
    }

    /// Whether a term occurs.
    pub(crate) fn holds(&self, term: usize) -> bool {
        self.answers.iter().any(|answers| answers.contains(&term))
    }

    /// Leaves a beginning out that only repeats the title of the record: the span to show is
    /// looked for behind it.
    pub(crate) fn behind(mut self, title: Option<&str>) -> Self {
        self.from = title.map_or(0, |title| repeated(self.text, title));
        self
    }

    /// The span that answers most of the question, at most `chars` long. `start_chars` is where
    /// the text begins in its field. A text without a match is shown from its beginning.
    pub(crate) fn snippet(&self, field: &str, start_chars: u64) -> Snippet {
        self.span(field, start_chars, TEXT_CHARS, true)
    }

    /// A span without marks that is as long as it takes to hold most of the words that the record
    /// has; `elsewhere` are those that stand in its title. A short text is shown whole.
    pub(crate) fn passage(&self, field: &str, start_chars: u64, elsewhere: &[usize]) -> Snippet {
        let text = self.body();
        if text.chars().nth(WHOLE_CHARS).is_none() {
            return self.span(field, start_chars, WHOLE_CHARS, false);
        }
        let matches = self.matches();
        let known = elsewhere.iter().copied().chain(matches.iter().map(|found| found.term));
        let all: BTreeSet<usize> = known.collect();
        let holds_most = |chars: &usize| {
            let inside = best_window(text, &matches, *chars)
                .map_or(&[][..], |window| matches.get(window.0..=window.1).unwrap_or_default());
            let inside = inside.iter().map(|found| found.term);
            let held: BTreeSet<usize> = elsewhere.iter().copied().chain(inside).collect();
            held.len() * PASSAGE_SHARE.1 >= all.len() * PASSAGE_SHARE.0
        };
        let longest = PASSAGE_CHARS.last().copied().unwrap_or(TEXT_CHARS);
        let chars = PASSAGE_CHARS.into_iter().find(holds_most).unwrap_or(longest);
        self.span(field, start_chars, chars, false)
    }

    /// The text without a beginning that repeats the title.
    fn body(&self) -> &'a str {
        self.text.get(self.from..).unwrap_or_default()
    }

    fn span(&self, field: &str, start_chars: u64, chars: usize, marks: bool) -> Snippet {
        let (whole, matches) = (self.body(), self.matches());
        let best = best_window(whole, &matches, chars);
        let found = best.and_then(|(first, last)| matches.get(first).zip(matches.get(last)));
        let ends = found.map_or((0, 0), |(first, last)| (first.start, last.end));
        let (from, to) = around(whole, ends, chars);
        let place = |to: usize| {
            let before = self.text.get(..self.from + to).map_or(0, |text| text.chars().count());
            start_chars + u64::try_from(before).unwrap_or(0)
        };
        let shown = if marks { matches.as_slice() } else { &[] };
        let text = marked(whole, (from, to), shown, marks);
        let unmarked = text.replace(OPEN_MARK, "").replace(CLOSE_MARK, "");
        Snippet {
            field: field.to_owned(),
            complete: start_chars == 0 && self.from == 0 && unmarked == self.text,
            text,
            start_chars: Some(place(from)),
            end_chars: Some(place(to)),
            match_start_chars: found.map(|(first, _)| place(first.start)),
            match_end_chars: found.map(|(first, _)| place(first.end)),
        }
    }

    fn matches(&self) -> Vec<Match> {
        let words = self.words.iter().zip(&self.answers);
        words
            .filter_map(|(word, answers)| {
                let term = *answers.first()?;
                let start = word.start.checked_sub(self.from)?;
                Some(Match { term, start, end: word.end - self.from })
            })
            .collect()
    }
}

/// Bytes at the beginning of a text that repeat a title, when something follows them.
fn repeated(text: &str, title: &str) -> usize {
    let title = title.trim_end_matches('…').trim();
    let mut wanted = title.chars().filter(|c| !c.is_whitespace()).peekable();
    if title.chars().count() < LEAST_TITLE_CHARS {
        return 0;
    }
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            continue;
        }
        match wanted.next() {
            None => return at,
            Some(next) if next == c || next.to_lowercase().eq(c.to_lowercase()) => {}
            Some(_) => return 0,
        }
    }
    0
}

fn answers(text: &str, word: &Word, question: &Question) -> Vec<usize> {
    let mut answers = Vec::new();
    for (at, term) in question.terms.iter().enumerate() {
        let answered = if question.extended.contains(&at) {
            word.term.starts_with(&term.text)
        } else if term.prefix {
            let typed = text.get(word.start..word.end).unwrap_or_default();
            question.beginnings.iter().any(|(place, folded)| {
                *place == at && (fold(typed).starts_with(folded) || word.term.starts_with(folded))
            })
        } else {
            word.term == term.text
        };
        if answered {
            answers.push(at);
        }
    }
    answers
}

/// First and last match of the window with the most different terms; the densest, then the earliest
/// of equals.
fn best_window(text: &str, matches: &[Match], chars: usize) -> Option<(usize, usize)> {
    let mut best: Option<((usize, usize), (usize, usize))> = None;
    for (at, first) in matches.iter().enumerate() {
        let mut terms: Vec<usize> = Vec::new();
        let (mut last, mut inside) = (at, 0);
        for (next, found) in matches.iter().enumerate().skip(at) {
            let span = text.get(first.start..found.end).unwrap_or_default();
            if span.len() > chars * 4 || span.len() > chars && span.chars().count() > chars {
                break;
            }
            inside += 1;
            if !terms.contains(&found.term) {
                terms.push(found.term);
                last = next;
            }
        }
        let worth = (terms.len(), inside);
        if best.as_ref().is_none_or(|(known, _)| worth > *known) {
            best = Some((worth, (at, last)));
        }
    }
    best.map(|(_, window)| window)
}

/// The range on one line with its matches marked, as far as there is room for marks. Marks in the
/// text itself are broken up, so that every mark is ours and every mark is closed.
fn marked(text: &str, (from, to): (usize, usize), matches: &[Match], bounded: bool) -> String {
    let tags = OPEN_MARK.len() + CLOSE_MARK.len();
    let plain = count(&between_marks(text.get(from..to).unwrap_or_default()));
    let most = (SNIPPET_CHARS - 2).saturating_sub(plain) / tags;
    let mut out = String::new();
    if from > 0 {
        out.push('…');
    }
    let mut at = from;
    let inside = matches.iter().filter(|found| found.start >= from && found.end <= to);
    for found in inside.take(most.max(1)) {
        if found.start < at {
            continue;
        }
        out.push_str(&between_marks(text.get(at..found.start).unwrap_or_default()));
        out.push_str(OPEN_MARK);
        out.push_str(&between_marks(text.get(found.start..found.end).unwrap_or_default()));
        out.push_str(CLOSE_MARK);
        at = found.end;
    }
    let tail = between_marks(text.get(at..to).unwrap_or_default());
    let room = if bounded { (SNIPPET_CHARS - 1).saturating_sub(count(&out)) } else { usize::MAX };
    let kept: String = tail.chars().take(room).collect();
    let cut = kept.len() < tail.len() || to < text.len();
    out.push_str(if cut { kept.trim_end() } else { &kept });
    if cut {
        out.push('…');
    }
    out
}

fn count(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use pdpp_contract::one_line::is_unsafe;
    use proptest::prelude::*;

    use super::*;

    fn snippet(text: &str, q: &str) -> Option<Snippet> {
        let question = Question::parse(q).unwrap();
        let found = Reading::new(text, &question).snippet("body", 0);
        found.match_start_chars.is_some().then_some(found)
    }

    #[test]
    fn a_snippet_that_is_the_whole_field_says_so() {
        assert!(snippet("the new boiler", "boiler").unwrap().complete);
        let long = format!("the new boiler {}", "hums ".repeat(80));
        for text in [long.as_str(), "the <mark> boiler", "a\nboiler", "the\u{200b} boiler"] {
            assert!(!snippet(text, "boiler").unwrap().complete, "{text:?}");
        }
        let question = Question::parse("boiler").unwrap();
        let later = Reading::new("the new boiler", &question).snippet("body", 64_000);
        assert!(!later.complete, "the end of a long field");
    }

    #[test]
    fn a_text_that_begins_with_its_title_is_shown_from_behind_it() {
        let title = "the new boiler of the house";
        let text = format!(
            "The new  boiler of the house. {}",
            "It hums, and the cellar is warm. ".repeat(20)
        );
        let question = Question::parse("new boiler house").unwrap();
        let found = Reading::new(&text, &question).behind(Some(title)).passage("body", 0, &[]);
        assert!(!found.text.contains("boiler") && found.text.contains("cellar"), "{}", found.text);
        assert_eq!(found.start_chars, Some(28), "{}", found.text);
        let same = Reading::new(title, &question).behind(Some(title)).passage("body", 0, &[]);
        assert_eq!((same.text.as_str(), same.complete), (title, true), "nothing follows it");
        let other = Reading::new(&text, &question).behind(Some("Another")).passage("body", 0, &[]);
        assert!(
            other.text.starts_with("The new boiler") || other.text.starts_with("The new  boiler")
        );
    }

    #[test]
    fn a_short_text_is_a_passage_as_a_whole() {
        let text = format!("the boiler. {}", "It hums at night. ".repeat(15));
        let text = text.trim_end();
        assert!((270..300).contains(&text.len()), "{}", text.len());
        let question = Question::parse("boiler").unwrap();
        assert!(Reading::new(text, &question).passage("body", 0, &[]).complete);
    }

    #[test]
    fn the_best_span_is_shown_with_its_place() {
        let text = format!(
            "boiler {} the new boiler is installed on Thursday {}",
            "x ".repeat(300),
            "y ".repeat(300)
        );
        let found = snippet(&text, "boiler installed").unwrap();
        assert!(
            found.text.contains("<mark>boiler</mark> is <mark>installed</mark>"),
            "{}",
            found.text
        );
        let place = usize::try_from(found.match_start_chars.unwrap()).unwrap();
        assert_eq!(text.chars().skip(place).take(6).collect::<String>(), "boiler");
        assert!(found.text.chars().count() <= SNIPPET_CHARS);
    }

    #[test]
    fn marks_in_the_text_are_not_ours() {
        let found = snippet("a <mark>fake</mark> boiler", "boiler").unwrap();
        assert_eq!(found.text.matches("<mark>").count(), 1);
        assert_eq!(found.text.matches("</mark>").count(), 1);
    }

    #[test]
    fn nothing_hides_in_a_snippet_and_its_place_is_the_field_s() {
        let text = "\u{202e}one\u{200b} <ma\u{2060}rk>\r\nboiler\u{e0041} </m\u{ad}ark>";
        let found = snippet(text, "boiler").unwrap();
        assert_eq!(found.text, "one <\u{200a}mark>  <mark>boiler</mark> <\u{200a}/mark>");
        let (start, end) = (found.match_start_chars.unwrap(), found.match_end_chars.unwrap());
        let matched = text.chars().skip(usize::try_from(start).unwrap());
        let matched = matched.take(usize::try_from(end - start).unwrap());
        assert_eq!(matched.collect::<String>(), "boiler");
    }

    #[test]
    fn neighbours_are_near_and_strangers_are_not() {
        let question = Question::parse("pasta maker refund").unwrap();
        let near = |text: &str| {
            let mut nearness = vec![0.0; 9];
            Reading::new(text, &question).add_nearness(3, &mut nearness);
            nearness
        };
        let [together, apart] = ["the pasta maker", "pasta from a bread maker"].map(near);
        assert!(together[1] > apart[1] && apart[1] > 0.0);
        assert!(together[2] < 0.001, "a refund is not mentioned");
        let far = format!("pasta {} maker", "x ".repeat(20));
        assert!(near(&far)[1] < 0.001);
    }

    #[test]
    fn phrases_are_sequences_of_words() {
        let question = Question::parse(r#""pasta maker""#).unwrap();
        assert!(Reading::new("the Pasta-Makers", &question).holds_phrase(&[0, 1]));
        assert!(!Reading::new("pasta or a maker", &question).holds_phrase(&[0, 1]));
    }

    proptest! {
        #[test]
        fn a_snippet_is_bounded_and_balanced(text in "(boiler|<mark>|</mark>|</?ma\u{200b}rk>|[a-zé👍\u{202e}\n ]{0,30}){0,60}") {
            if let Some(found) = snippet(&text, "boiler") {
                prop_assert!(found.text.chars().count() <= SNIPPET_CHARS);
                prop_assert_eq!(found.text.matches(OPEN_MARK).count(), found.text.matches(CLOSE_MARK).count());
                prop_assert!(found.text.contains(OPEN_MARK));
                prop_assert!(!found.text.contains(is_unsafe), "{:?}", found.text);
            }
        }
    }
}
