//! Links that bear something only their receiver should know.

use std::ops::Range;

/// What follows of a longer link is not looked at.
const LINK_BYTES: usize = 2_000;
/// Names of pages that explain and let nobody in.
const PAGES: [&str; 7] = ["help", "support", "docs", "blog", "news", "wiki", "faq"];
/// Paths that say by themselves what the link is for, without dashes.
const DOORS: [&str; 15] = [
    "magic",
    "magiclink",
    "loginwithemail",
    "emaillogin",
    "loginlink",
    "signinlink",
    "passwordless",
    "resetpassword",
    "passwordreset",
    "passwordrecovery",
    "recoverpassword",
    "forgotpassword",
    "verifyemail",
    "confirmemail",
    "onetimelogin",
];
/// Paths that say it together with a parameter that is named as a secret.
const WAYS: [&str; 9] =
    ["login", "signin", "auth", "callback", "verify", "activate", "reset", "session", "password"];
/// Names of parameters that hold secrets, whatever these look like.
const SECRETS: [&str; 16] = [
    "token",
    "state",
    "code",
    "key",
    "otp",
    "ticket",
    "nonce",
    "sig",
    "signature",
    "secret",
    "hash",
    "oobcode",
    "ott",
    "challenge",
    "jwt",
    "t",
];
/// Names of parameters that hold addresses and campaigns.
const HARMLESS: [&str; 7] = ["next", "redirect", "return", "continue", "ref", "source", "lang"];

/// A link that bears a secret.
pub(super) struct SecretLink {
    pub start: usize,
    pub end: usize,
    /// The link itself says that it signs in, resets or verifies.
    pub is_door: bool,
}

/// All links of a text that bear a secret.
pub(super) fn secret_links(text: &str) -> Vec<SecretLink> {
    let colons = text.match_indices("://").map(|(at, _)| at);
    colons.filter_map(|colon| secret_link(text, link_at(text, colon)?)).collect()
}

/// The web link whose colon stands here.
fn link_at(text: &str, colon: usize) -> Option<Range<usize>> {
    let before = text.as_bytes().get(..colon)?;
    let scheme = ["https", "http"].into_iter().find(|scheme| {
        let from = colon.checked_sub(scheme.len());
        let written = from.and_then(|from| before.get(from..));
        written.is_some_and(|written| written.eq_ignore_ascii_case(scheme.as_bytes()))
    })?;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"<>\"')]".contains(byte);
    let rest = text.as_bytes().get(colon..)?.iter().take(LINK_BYTES);
    let length = rest.take_while(|byte| !ends(byte)).count();
    Some(colon - scheme.len()..text.floor_char_boundary(colon + length))
}

fn secret_link(text: &str, at: Range<usize>) -> Option<SecretLink> {
    let (_, rest) = text.get(at.clone())?.split_once("://")?;
    let (host, path) = rest.split_once(['/', '?'])?;
    let is_page = |part: &str| PAGES.contains(&part.to_ascii_lowercase().as_str());
    if host.split('.').any(is_page) || path.split('/').take(2).any(is_page) {
        return None;
    }
    let parts = || path.split(['/', '?', '&', '#', ';']);
    let named = parts().any(|part| part.split_once('=').is_some_and(is_named_secret));
    let is_door = parts().any(|part| is_one_of(&DOORS, part) || (named && is_one_of(&WAYS, part)));
    let bears_secret = named
        || parts().any(|part| match part.split_once('=') {
            Some((name, value)) => !is_harmless(name) && value.split(['.', '=']).any(is_secret),
            None => part.split('.').any(is_secret),
        });
    bears_secret.then_some(SecretLink { start: at.start, end: at.end, is_door })
}

/// Whether a part of a path is one of some words, whatever its case and dashes.
fn is_one_of(words: &[&str], part: &str) -> bool {
    let bare: String = part.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    words.contains(&bare.to_ascii_lowercase().as_str())
}

fn is_harmless(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm") || HARMLESS.iter().any(|harmless| name.starts_with(harmless))
}

fn is_named_secret((name, value): (&str, &str)) -> bool {
    let name = name.to_ascii_lowercase();
    let named =
        SECRETS.contains(&name.as_str()) || name.ends_with("token") || name.ends_with("code");
    named && value.len() >= 8
}

/// Letters and digits mixed, or a long number: nobody types such a part.
fn is_secret(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
    // Words with a number, as in `10-tips-for-spring`, read as words.
    let wordy = part.split(['-', '_']).filter(|word| word.len() > 2).all(|word| {
        word.bytes().all(|byte| byte.is_ascii_lowercase())
            || word.bytes().all(|byte| byte.is_ascii_digit())
    });
    match (digits, letters) {
        (1.., 1..) => part.len() >= 7 && (!wordy || digits >= 4),
        (6.., 0) => true,
        (0, 20..) => !part.contains(['-', '_']),
        _ => false,
    }
}
