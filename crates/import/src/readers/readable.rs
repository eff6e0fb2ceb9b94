//! HTML letters as text that people and searches can read: words stay apart wherever a page would
//! keep them apart.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// What stands between two words; of several, the widest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Cell,
    Line,
    Paragraph,
}

/// Adds what a reader of this page sees. Scripts, styles, titles and comments are not seen.
pub fn push_readable(html: &str, text: &mut String) {
    let mut page =
        Page { start: text.len(), text, gap: Gap::None, kept_spaces: 0, inside: Inside::Text };
    let see = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        page.see(&event);
        None
    };
    let mut emitter = CallbackEmitter::new(see);
    // What stands in scripts and styles is not taken for tags.
    emitter.naively_switch_states(true);
    match Tokenizer::new_with_emitter(html, emitter).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

/// Where the reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Text,
    /// The tag of a picture.
    Picture,
    /// The words that stand for a picture.
    PictureWords,
    /// An element that is not shown.
    Unseen,
}

struct Page<'a> {
    text: &'a mut String,
    /// Where our own words begin.
    start: usize,
    gap: Gap,
    /// How many elements are open in which spaces and lines stay as they are.
    kept_spaces: usize,
    inside: Inside,
}

impl Page<'_> {
    fn see(&mut self, event: &CallbackEvent<'_>) {
        match (self.inside, event) {
            (Inside::Unseen, CallbackEvent::EndTag { name }) if is_unseen(name) => {
                self.inside = Inside::Text;
            }
            (Inside::Unseen, _) => {}
            (_, CallbackEvent::OpenStartTag { name }) => self.open(name),
            (_, CallbackEvent::EndTag { name }) => self.close(name),
            (_, CallbackEvent::String { value }) => self.words(&String::from_utf8_lossy(value)),
            // An empty value is not told; the next name ends it.
            (Inside::Picture | Inside::PictureWords, CallbackEvent::AttributeName { name }) => {
                self.inside = if *name == b"alt" { Inside::PictureWords } else { Inside::Picture };
            }
            (Inside::PictureWords, CallbackEvent::AttributeValue { value }) => {
                self.widen(Gap::Space);
                self.words(&String::from_utf8_lossy(value));
                self.widen(Gap::Space);
                self.inside = Inside::Picture;
            }
            _ => {}
        }
    }

    fn open(&mut self, name: &[u8]) {
        self.inside = match name {
            b"img" => Inside::Picture,
            name if is_unseen(name) => Inside::Unseen,
            _ => Inside::Text,
        };
        match name {
            // The second of two breaks makes an empty line.
            b"br" if self.gap == Gap::Line => self.gap = Gap::Paragraph,
            b"br" => self.widen(Gap::Line),
            _ => self.widen(gap_around(name)),
        }
        match name {
            b"li" => {
                self.put("-");
                self.gap = Gap::Space;
            }
            b"pre" => self.kept_spaces += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        self.inside = Inside::Text;
        if name == b"pre" {
            self.kept_spaces = self.kept_spaces.saturating_sub(1);
        }
        self.widen(gap_around(name));
    }

    fn words(&mut self, words: &str) {
        if self.kept_spaces > 0 {
            for (number, line) in words.lines().enumerate() {
                if number > 0 {
                    self.widen(Gap::Line);
                }
                if !line.trim().is_empty() {
                    self.put(line.trim_end());
                }
            }
            self.widen(match words.chars().next_back() {
                Some('\n') => Gap::Line,
                Some(end) if end.is_whitespace() => Gap::Space,
                _ => Gap::None,
            });
            return;
        }
        let is_space = |letter: char| letter.is_ascii_whitespace() || letter == '\u{a0}';
        for (number, word) in words.split(is_space).enumerate() {
            if number > 0 {
                self.widen(Gap::Space);
            }
            if !word.is_empty() {
                self.put(word);
            }
        }
    }

    fn put(&mut self, words: &str) {
        if self.text.len() > self.start {
            self.text.push_str(match self.gap {
                Gap::None => "",
                Gap::Space => " ",
                Gap::Cell => "\t",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            });
        }
        self.gap = Gap::None;
        self.text.push_str(words);
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }
}

fn is_unseen(name: &[u8]) -> bool {
    matches!(name, b"script" | b"style" | b"title")
}

/// How far an element keeps its neighbours away.
fn gap_around(name: &[u8]) -> Gap {
    match name {
        b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"ul" | b"ol" | b"dl"
        | b"blockquote" | b"pre" | b"hr" => Gap::Paragraph,
        b"td" | b"th" => Gap::Cell,
        // Everything that flows inside a line keeps nobody away; what we do not know ends the line.
        b"a" | b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code"
        | b"data" | b"del" | b"dfn" | b"em" | b"font" | b"i" | b"img" | b"ins" | b"kbd"
        | b"label" | b"mark" | b"nobr" | b"q" | b"rp" | b"rt" | b"ruby" | b"s" | b"samp"
        | b"small" | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"time" | b"tt" | b"u"
        | b"var" | b"wbr" | b"o:p" => Gap::None,
        b"button" | b"input" | b"select" | b"svg" => Gap::Space,
        _ => Gap::Line,
    }
}

#[cfg(test)]
mod tests {
    use super::push_readable;

    fn readable(html: &str) -> String {
        let mut text = String::new();
        push_readable(html, &mut text);
        text
    }

    #[test]
    fn words_stay_apart_where_a_page_keeps_them_apart() {
        for (html, text) in [
            (
                "<table><tr><td>Invoice</td><td>4711</td></tr><tr><th>Total</th><td>9</td></tr></table>",
                "Invoice\t4711\nTotal\t9",
            ),
            ("<div>Friday?</div><div>Gruß</div><div>Ana</div>", "Friday?\nGruß\nAna"),
            ("<h1>Offer</h1><p>Boiler</p>", "Offer\n\nBoiler"),
            ("<ul><li>one<li>two</ul>after", "- one\n- two\n\nafter"),
            ("a<br>b<br><br>c<br/>d", "a\nb\n\nc\nd"),
            ("<p>in<b>si</b>de &amp; <i>out</i>&nbsp;&nbsp;side</p>", "inside & out side"),
            (
                "<style>p { color: red }</style><title>no</title><script>if (a < b) {}</script>yes",
                "yes",
            ),
            ("x<!-- <p>hidden</p> -->y<![CDATA[z]]>", "xy"),
            (
                "<p>Look: <img src=x alt=\"two cats\"> here<img alt='' src=y></p>",
                "Look: two cats here",
            ),
            ("<pre>a  b\n  c</pre>d", "a  b\n  c\n\nd"),
            ("<pre>a <b>b</b>\n<i>c</i></pre>", "a b\nc"),
            ("<unknown-box>one</unknown-box><unknown-box>two</unknown-box>", "one\ntwo"),
            ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
            ("", ""),
        ] {
            assert_eq!(readable(html), text, "{html}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_word_of_every_box_can_be_found(words in proptest::collection::vec("[a-z0-9]{1,8}", 1..20), boxes in proptest::collection::vec(0_usize..6, 20)) {
            let page: String = words.iter().zip(&boxes).map(|(word, number)| {
                let name = ["p", "div", "td", "li", "h2", "section"][*number];
                format!("<{name} class=x>{word}</{name}>")
            }).collect();
            let text = readable(&page);
            let found: Vec<&str> = text.split_whitespace().filter(|word| *word != "-").collect();
            proptest::prop_assert_eq!(found, words);
        }

        #[test]
        fn no_page_is_too_broken(page in "(<[a-z/!-]{0,5}|>|&[a-z#0-9]{0,4};?|[ -~é\u{0}]{0,5}){0,40}") {
            readable(&page);
        }
    }
}
