//! The shapes of keys and tokens, one line each: what they begin with, what follows, how much of it.
//!
//! The services publish these shapes so that leaked keys can be found. All beginnings are searched in
//! one pass; the rest is looked at where one is found.

use std::sync::LazyLock;

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

/// What follows a beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Capitals and digits.
    Capitals,
    /// Hexadecimal digits.
    Hex,
    /// Letters and digits.
    Letters,
    /// Letters, digits, `_` and `-`.
    Words,
    /// The same and `.`, `/`, `+`, `=`, `~`, `:`.
    Wide,
}

use Body::{Capitals, Hex, Letters, Wide, Words};

/// So much of a token is looked at.
const LONGEST_BODY: usize = 256;
/// The shortest JSON Web Token.
const LEAST_SIGNED: usize = 12 + 1 + 1 + 1 + 16;

/// A beginning, what follows, and how many of these at least.
const SHAPES: &[(&str, Body, usize)] = &[
    // Amazon Web Services
    ("AKIA", Capitals, 16),
    ("ASIA", Capitals, 16),
    ("ABIA", Capitals, 16),
    ("ACCA", Capitals, 16),
    // GitHub
    ("ghp_", Letters, 36),
    ("gho_", Letters, 36),
    ("ghu_", Letters, 36),
    ("ghs_", Letters, 36),
    ("ghr_", Letters, 36),
    ("github_pat_", Words, 36),
    // GitLab
    ("glpat-", Words, 20),
    ("gldt-", Words, 20),
    ("glrt-", Words, 20),
    ("glptt-", Words, 20),
    ("glcbt-", Words, 20),
    ("glsoat-", Words, 20),
    ("glft-", Words, 20),
    // Slack
    ("xoxa-", Words, 10),
    ("xoxb-", Words, 10),
    ("xoxe-", Words, 10),
    ("xoxo-", Words, 10),
    ("xoxp-", Words, 10),
    ("xoxr-", Words, 10),
    ("xoxs-", Words, 10),
    ("xoxe.xoxp-", Words, 10),
    ("xapp-", Words, 20),
    ("hooks.slack.com/services/T", Wide, 20),
    // Payments
    ("sk_live_", Letters, 16),
    ("sk_test_", Letters, 16),
    ("rk_live_", Letters, 16),
    ("rk_test_", Letters, 16),
    ("whsec_", Wide, 24),
    ("sq0atp-", Words, 22),
    ("sq0csp-", Words, 40),
    ("access_token$production$", Letters, 20),
    // Google
    ("AIza", Words, 35),
    ("ya29.", Words, 20),
    ("GOCSPX-", Words, 24),
    ("1//0", Words, 40),
    // Models
    ("sk-proj-", Words, 20),
    ("sk-svcacct-", Words, 20),
    ("sk-admin-", Words, 20),
    ("sk-ant-", Words, 20),
    ("sk-or-", Words, 20),
    ("sk-", Letters, 32),
    ("hf_", Letters, 30),
    ("gsk_", Letters, 40),
    ("xai-", Letters, 40),
    ("pplx-", Letters, 40),
    ("r8_", Letters, 30),
    // Packages
    ("npm_", Letters, 36),
    ("pypi-", Words, 50),
    ("rubygems_", Hex, 48),
    ("dckr_pat_", Words, 20),
    ("dckr_oat_", Words, 20),
    ("cio", Letters, 32),
    ("CLOJARS_", Letters, 40),
    // Clouds and tools
    ("dop_v1_", Hex, 64),
    ("doo_v1_", Hex, 64),
    ("dor_v1_", Hex, 64),
    ("SK", Hex, 32),
    ("SG.", Wide, 40),
    ("key-", Hex, 32),
    ("shpat_", Hex, 32),
    ("shpss_", Hex, 32),
    ("shpca_", Hex, 32),
    ("shppa_", Hex, 32),
    ("lin_api_", Letters, 32),
    ("lin_oauth_", Letters, 32),
    ("secret_", Letters, 40),
    ("ntn_", Letters, 40),
    ("figd_", Words, 30),
    ("PMAK-", Words, 40),
    ("ATATT3", Wide, 60),
    ("ATBB", Letters, 28),
    ("dapi", Hex, 32),
    ("glsa_", Words, 32),
    ("glc_", Wide, 40),
    ("hvs.", Words, 24),
    ("hvb.", Words, 24),
    ("pscale_tkn_", Words, 32),
    ("pscale_pw_", Words, 32),
    ("pul-", Hex, 40),
    ("sl.", Words, 80),
    ("NRAK-", Capitals, 27),
    ("sntrys_", Wide, 40),
    ("sntryu_", Hex, 40),
    ("sbp_", Hex, 40),
    ("tskey-", Words, 20),
    ("dp.pt.", Letters, 40),
    ("EAAC", Letters, 60),
    ("EAAG", Letters, 60),
    ("FlyV1 fm2_", Wide, 40),
    ("AccountKey=", Wide, 40),
    ("SharedAccessKey=", Wide, 30),
    // Headers of requests
    ("Bearer ", Wide, 20),
    ("bearer ", Wide, 20),
    ("Basic ", Wide, 20),
    // Ours
    ("pdpp_", Words, 43),
];

static BEGINNINGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // The longest first: of two that begin at the same place the earlier one wins.
    let patterns: Vec<String> = SHAPES.iter().map(|(start, ..)| escaped(start)).collect();
    Regex::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build_many(&patterns)
        .ok()
});

/// Whether a text holds a key or a token of a known shape.
pub(super) fn holds_token(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(beginnings) = &*BEGINNINGS else {
        return false;
    };
    let is_token = |found: regex_automata::Match| {
        let at = found.start();
        starts_free(bytes, at)
            && SHAPES.iter().any(|(start, body, least)| {
                bytes.get(at..).is_some_and(|rest| rest.starts_with(start.as_bytes()))
                    && is_body(
                        bytes.get(at + start.len()..).unwrap_or_default(),
                        *body,
                        *least,
                        start,
                    )
            })
    };
    beginnings.find_iter(bytes).any(is_token) || holds_signed_token(text) || holds_bot_token(text)
}

fn escaped(start: &str) -> String {
    start
        .chars()
        .map(
            |char| {
                if char.is_ascii_alphanumeric() { char.to_string() } else { format!("\\{char}") }
            },
        )
        .collect()
}

/// Not in the middle of a longer word.
fn starts_free(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

fn is_body(rest: &[u8], body: Body, least: usize, start: &str) -> bool {
    let passes = |byte: u8| match body {
        Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        Hex => byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase(),
        Letters => byte.is_ascii_alphanumeric(),
        Words => byte.is_ascii_alphanumeric() || b"_-".contains(&byte),
        Wide => byte.is_ascii_alphanumeric() || b"_-./+=~:".contains(&byte),
    };
    // What is longer is looked at so far: a text of nothing but beginnings costs no more than another.
    let rest = rest.get(..LONGEST_BODY.min(rest.len())).unwrap_or_default();
    let length = super::armour::run(rest, passes);
    let found = rest.get(..length).unwrap_or_default();
    let ends = match body {
        // What has a fixed length is longer only if it is something else.
        Capitals | Hex => length == least,
        Letters | Words | Wide => length >= least,
    };
    // Sixteen capitals behind such a beginning are drawn, with a digit among them or without.
    let is_drawn = is_random(found) || body == Capitals && kinds(found) >= 7;
    ends && is_drawn && !is_example(found) && start.len() + length >= 16
}

/// Drawn, and not written: digits and letters mixed, few repetitions.
fn is_random(body: &[u8]) -> bool {
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = body.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    digits >= 1 && letters >= 1 && kinds(body) >= 7
}

/// How many different bytes there are.
fn kinds(body: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in body {
        if let Some(seen) = seen.get_mut(usize::from(*byte)) {
            *seen = true;
        }
    }
    seen.iter().filter(|seen| **seen).count()
}

/// `xxxxxxxx`, `your-key-here` and the like.
fn is_example(body: &[u8]) -> bool {
    let lower = body.to_ascii_lowercase();
    let holds = |words: &[u8]| lower.windows(words.len()).any(|window| window == words);
    holds(b"xxxxxx") || holds(b"your") || holds(b"......") || holds(b"example")
}

/// A JSON Web Token: three parts, the first two of which are objects.
fn holds_signed_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.=".contains(&byte);
    let runs = text.as_bytes().split(|byte| !is_part(*byte));
    runs.filter(|run| run.len() >= LEAST_SIGNED).any(|run| {
        let parts: Vec<&[u8]> = run.split(|byte| *byte == b'.').collect();
        parts.windows(3).enumerate().any(|(at, found)| {
            let [first, second, third] = found else { return false };
            let is_signed = second.len() >= 12 && second.starts_with(b"eyJ");
            // An encrypted one has five parts, the second of which is a key.
            (is_signed || at + 5 == parts.len()) && third.len() >= 16 && ends_in_object(first)
        })
    })
}

/// Whether a part is an object in base64, or ends with one behind a character that joins words.
fn ends_in_object(part: &[u8]) -> bool {
    let mut starts = part.windows(3).enumerate().filter(|(_, window)| *window == b"eyJ");
    let first = starts.find(|(at, _)| starts_free(part, *at));
    first.is_some_and(|(at, _)| part.len() - at >= 12)
}

/// A bot's token: its number, a colon, 35 characters.
fn holds_bot_token(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices(":AA").any(|(at, _)| {
        let before = bytes.get(..at).unwrap_or_default();
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let length =
            super::armour::run(rest, |byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        (8..=10).contains(&digits) && length == 35
    })
}

#[cfg(test)]
mod tests {
    use super::BEGINNINGS;

    #[test]
    fn the_beginnings_compile() {
        assert!(BEGINNINGS.is_some());
    }
}
