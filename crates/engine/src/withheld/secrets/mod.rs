//! Finds records that carry secrets: private keys, API keys and tokens, passwords.
//!
//! Keys and tokens are known by their shapes (`shapes`), private keys by their armour (`armour`),
//! connection strings by their user part (`addresses`), passwords by the label before them
//! (`labels`). A mask, a placeholder, a rule for passwords or a form without a value is no secret.

mod addresses;
mod armour;
mod fields;
mod labels;
mod shapes;
mod values;

#[cfg(test)]
mod tests;

use pdpp_contract::{Json, JsonObject};

use fields::is_secret_field;

/// How much of a long text is looked at together, in bytes.
const WINDOW_BYTES: usize = 64 << 10;
/// How much of it the next window sees again: no key is longer than what has to be seen of it.
const OVERLAP_BYTES: usize = 2 << 10;

/// Whether a record carries a private key, an API key or token, or a password.
///
/// Looks at all strings, however deep.
pub fn carries_secrets(data: &JsonObject) -> bool {
    data.iter().any(|(name, value)| is_secret_field(name, value) || value_carries(value))
}

fn value_carries(value: &Json) -> bool {
    match value {
        Json::String(text) => windows(text).any(text_carries),
        Json::Array(items) => items.iter().any(value_carries),
        Json::Object(members) => carries_secrets(members),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

fn text_carries(text: &str) -> bool {
    armour::holds_private_key(text)
        || shapes::holds_token(text)
        || addresses::holds_password(text)
        || labels::holds_secret(text)
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
