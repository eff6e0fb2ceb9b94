//! Finds records that carry one-time codes, password resets or sign-in links.
//!
//! A number alone says nothing; the words around it say what it is. Each number that could be a code
//! belongs to the nearest words that name a number. If those name a one-time code, the record carries
//! one; the bare word "code" does when it hands the number over ("your code is …", "enter this code")
//! or when there is an occasion such as signing in, and nothing speaks of a discount or a door. A link
//! counts when it bears a secret and it, or the words around it, speak of a reset, of signing in or of
//! verifying an address. So does a credential of this server's owner, wherever it stands. In doubt a
//! record carries a code.
//!
//! Everything is looked at, at every depth, in windows: the cost grows with the record and the memory
//! does not.

mod apart;
mod contexts;
mod cues;
mod fields;
mod heading;
mod links;
mod names;
mod phrases;
mod plain;
mod shapes;
mod text;
mod ways;

#[cfg(test)]
mod everyday;
#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod phrasings;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use pdpp_contract::credentials::holds_owner_credential;
use pdpp_contract::{Json, JsonObject};

use fields::is_code_field;
use heading::Heading;
use text::Text;

/// How much of a long text is looked at together, in bytes.
const WINDOW_BYTES: usize = 32 << 10;
/// How much of it the next window sees again, so that words and number stay together.
const OVERLAP_BYTES: usize = 4 << 10;

/// Whether a record carries a one-time code, a password reset or a sign-in link.
///
/// Looks at all strings, however deep. A short string of an object is a heading for the object and for
/// what is inside it.
pub fn carries_codes(data: &JsonObject) -> bool {
    object_carries(data, None)
}

fn object_carries(object: &JsonObject, outer: Option<&Heading<'_>>) -> bool {
    let heading = Heading::new(object.values().flat_map(headings), outer);
    object.iter().any(|(name, value)| is_code_field(name, value) || value_carries(value, &heading))
}

fn value_carries(value: &Json, heading: &Heading<'_>) -> bool {
    match value {
        Json::String(text) => {
            // The owner's own credential opens more than any code of somebody else's.
            holds_owner_credential(text)
                || windows(text)
                    .any(|window| Text::read(window).is_some_and(|text| text.carries(heading)))
        }
        Json::Array(items) => items.iter().any(|item| value_carries(item, heading)),
        Json::Object(members) => object_carries(members, Some(heading)),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// The strings that can head an object: its own, and those of its direct lists and objects.
fn headings(value: &Json) -> Vec<&str> {
    match value {
        Json::String(text) => vec![text],
        Json::Array(items) => items.iter().filter_map(Json::as_str).collect(),
        Json::Object(members) => members.values().filter_map(Json::as_str).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
    }
}

/// A text in overlapping windows; a short one is its own only window.
fn windows(text: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let end = text.floor_char_boundary(start + WINDOW_BYTES);
        next = (end < text.len()).then(|| text.floor_char_boundary(end - OVERLAP_BYTES));
        text.get(start..end)
    })
}
