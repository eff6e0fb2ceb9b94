//! What the short texts of an object say about the rest of it.

use std::cell::OnceCell;

use super::phrases::{Kind, find_contexts, find_names};
use super::plain::plain;
use super::shapes::Candidate;
use super::ways::{WayNamed, Ways};

/// Up to this many bytes a text is a heading: what it says holds for the whole object.
const HEADING_BYTES: usize = 160;

/// The headings of an object, looked at when a number or a link asks for them.
pub(super) struct Heading<'a> {
    texts: Vec<&'a str>,
    outer: Option<&'a Heading<'a>>,
    says: OnceCell<Says>,
    /// Asked for by links only.
    way: OnceCell<WayNamed>,
}

#[derive(Default, Clone, Copy)]
struct Says {
    code: bool,
    link: bool,
    occasion: bool,
}

impl<'a> Heading<'a> {
    /// The headings among some texts, below those of the object around.
    pub(super) fn new(texts: impl Iterator<Item = &'a str>, outer: Option<&'a Self>) -> Self {
        let texts = texts.filter(|text| text.len() <= HEADING_BYTES).collect();
        Self { texts, outer, says: OnceCell::new(), way: OnceCell::new() }
    }

    /// Whether a number without a name nearby is a code because the heading announces one.
    pub(super) fn makes_code(&self, candidate: &Candidate) -> bool {
        let says = self.says();
        if says.code {
            return candidate.stands_alone || candidate.is_long();
        }
        says.link && candidate.stands_alone && candidate.is_long_number()
    }

    /// Whether the heading is about signing in, verifying or the like.
    pub(super) fn is_occasion(&self) -> bool {
        let says = self.says();
        says.code || says.link || says.occasion
    }

    /// Whether the heading speaks of a reset, a sign-in link or an address to verify.
    pub(super) fn speaks_of_links(&self) -> bool {
        self.says().link
    }

    /// What the heading says of signing in, of passwords and of addresses.
    pub(super) fn names_a_way(&self) -> WayNamed {
        *self.way.get_or_init(|| {
            let outer = self.outer.map(Self::names_a_way).unwrap_or_default();
            let own = self.texts.iter().map(|text| Ways::read(&plain(text)).named());
            own.fold(outer, WayNamed::or)
        })
    }

    fn says(&self) -> Says {
        *self.says.get_or_init(|| {
            let mut says = self.outer.map(Self::says).unwrap_or_default();
            for text in &self.texts {
                let text = plain(text);
                let phrases = find_names(&text).into_iter().chain(find_contexts(&text));
                for phrase in phrases {
                    says.code |= phrase.kind == Kind::Code;
                    says.link |= phrase.kind == Kind::Link;
                    says.occasion |= phrase.kind == Kind::Occasion;
                }
            }
            says
        })
    }
}
