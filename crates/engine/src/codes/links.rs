//! Links that bear something only their receiver should know.

use std::ops::Range;
use std::sync::LazyLock;

use regex_automata::meta::Regex;

const LINK: &str = r#"(?i)https?://[^\s<>"')\]]{4,2000}"#;
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

static LINKS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(LINK).ok());

/// A link that bears a secret.
pub(super) struct SecretLink {
    pub start: usize,
    pub end: usize,
    /// The link itself says that it signs in, resets or verifies.
    pub is_door: bool,
}

/// All links of a text that bear a secret.
pub(super) fn secret_links(text: &str) -> Vec<SecretLink> {
    if !text.contains("://") {
        return Vec::new();
    }
    let Some(links) = &*LINKS else {
        return Vec::new();
    };
    links.find_iter(text).filter_map(|found| secret_link(text, found.range())).collect()
}

fn secret_link(text: &str, at: Range<usize>) -> Option<SecretLink> {
    let (_, rest) = text.get(at.clone())?.split_once("://")?;
    let (host, path) = rest.split_once(['/', '?'])?;
    let is_page = |part: &str| PAGES.contains(&part.to_ascii_lowercase().as_str());
    if host.split('.').any(is_page) || path.split('/').take(2).any(is_page) {
        return None;
    }
    let is_door = path.split(['/', '?', '&', '#']).any(is_door);
    let bears_secret =
        path.split(['/', '?', '&', '#', ';']).any(|part| match part.split_once('=') {
            Some((name, value)) => is_secret_parameter(name, value),
            None => part.split('.').any(is_secret),
        });
    bears_secret.then_some(SecretLink { start: at.start, end: at.end, is_door })
}

fn is_door(part: &str) -> bool {
    let bare: String = part.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    DOORS.contains(&bare.to_ascii_lowercase().as_str())
}

fn is_secret_parameter(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    if name.starts_with("utm") || HARMLESS.iter().any(|harmless| name.starts_with(harmless)) {
        return false;
    }
    let named =
        SECRETS.contains(&name.as_str()) || name.ends_with("token") || name.ends_with("code");
    (named && value.len() >= 8) || value.split(['.', '=']).any(is_secret)
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
