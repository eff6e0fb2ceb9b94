//! Tokens as text: `pdpp_client_…`, `pdpp_owner_…` or `pdpp_metrics_…`, 43 random characters and a
//! checksum.
//!
//! The checksum lets a mistyped or made-up token be refused without asking the store, and lets
//! scanners recognise a leaked one. It protects nothing: authority lies in the store's row alone.

use pdpp_contract::access::TokenKind;
use pdpp_contract::ports::Entropy;
use pdpp_store::tokens::TokenHash;
use zeroize::Zeroizing;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The fewest characters of the alphabet that hold 256 bits.
const BODY_CHARS: usize = 43;
/// The fewest characters of the alphabet that hold 32 bits.
const CHECK_CHARS: usize = 6;

const CLIENT_PREFIX: &str = "pdpp_client_";
const OWNER_PREFIX: &str = "pdpp_owner_";
const METRICS_PREFIX: &str = "pdpp_metrics_";

/// Secrets of the sign-in that are no access tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretKind {
    Code,
    Device,
    Refresh,
}

impl SecretKind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Code => "pdpp_code_",
            Self::Device => "pdpp_device_",
            Self::Refresh => "pdpp_refresh_",
        }
    }
}

/// A fresh secret of the sign-in, of the same make as a token.
pub(crate) struct Secret(Zeroizing<String>);

impl Secret {
    pub(crate) fn mint(kind: SecretKind, entropy: &dyn Entropy) -> Self {
        Self(minted(kind.prefix(), entropy))
    }

    /// What the store keeps of it.
    pub(crate) fn hash(&self) -> [u8; 32] {
        hash_of(&self.0)
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_text(self) -> Zeroizing<String> {
        self.0
    }

    /// Whether a text can be a secret of this kind: if not, the store is not asked.
    pub(crate) fn has_form(kind: SecretKind, text: &str) -> bool {
        text.strip_prefix(kind.prefix()).is_some_and(|rest| is_signed(text, rest))
    }
}

/// The hash by which a secret is found.
pub(crate) fn hash_of(text: &str) -> [u8; 32] {
    sha2::Digest::finalize(sha2::Digest::chain_update(<sha2::Sha256 as sha2::Digest>::new(), text))
        .into()
}

fn minted(prefix: &str, entropy: &dyn Entropy) -> Zeroizing<String> {
    let mut random = Zeroizing::new([0_u8; 32]);
    entropy.fill(random.as_mut_slice());
    let mut text = Zeroizing::new(String::with_capacity(64));
    text.push_str(prefix);
    text.push_str(&base62(&mut *random, BODY_CHARS));
    let check = checksum(&text);
    text.push_str(&check);
    text
}

/// Whether `rest`, the end of `text`, is a body with the right checksum.
fn is_signed(text: &str, rest: &str) -> bool {
    let in_alphabet = rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !in_alphabet || rest.len() != BODY_CHARS + CHECK_CHARS {
        return false;
    }
    let parts = text.split_at_checked(text.len() - CHECK_CHARS);
    parts.is_some_and(|(signed, check)| checksum(signed) == check)
}

/// A fresh token. It exists in this form only until it is handed over.
pub struct AccessToken(Zeroizing<String>);

impl AccessToken {
    /// Makes a token of this kind.
    pub(crate) fn mint(kind: TokenKind, entropy: &dyn Entropy) -> Self {
        Self(minted(prefix(kind), entropy))
    }

    /// What the store keeps of it.
    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }

    /// The token itself. The only way to see it: say it once, to the person it is for.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

/// A presented token whose form is right: what it claims to be, and what to look it up by.
pub(crate) struct Presented {
    /// What the prefix says. It may deny, never allow.
    pub(crate) claims: TokenKind,
    pub(crate) hash: TokenHash,
}

impl Presented {
    /// `None` for anything that cannot be one of our tokens.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let kinds = [TokenKind::Client, TokenKind::Owner, TokenKind::Metrics];
        let claimed = |kind| text.strip_prefix(prefix(kind)).map(|rest| (kind, rest));
        let (claims, rest) = kinds.into_iter().find_map(claimed)?;
        is_signed(text, rest).then(|| Self { claims, hash: TokenHash::of(text) })
    }
}

fn prefix(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Client => CLIENT_PREFIX,
        TokenKind::Owner => OWNER_PREFIX,
        TokenKind::Metrics => METRICS_PREFIX,
    }
}

fn checksum(signed: &str) -> String {
    base62(&mut crc32fast::hash(signed.as_bytes()).to_be_bytes(), CHECK_CHARS)
}

/// The big-endian number in `bytes` with exactly `length` digits. Uses the bytes up.
fn base62(bytes: &mut [u8], length: usize) -> String {
    let mut digits: Vec<char> = (0..length).map(|_| last_digit(bytes)).collect();
    digits.reverse();
    digits.into_iter().collect()
}

/// Divides the number by 62 in place and answers the remainder's digit.
fn last_digit(bytes: &mut [u8]) -> char {
    let mut remainder = 0_u16;
    for byte in bytes {
        let value = (remainder << 8) | u16::from(*byte);
        // The remainder stays below 62, so the quotient fits a byte.
        *byte = u8::try_from(value / 62).unwrap_or(u8::MAX);
        remainder = value % 62;
    }
    ALPHABET.get(usize::from(remainder)).map_or('0', |digit| char::from(*digit))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Bytes([u8; 32]);

    impl Entropy for Bytes {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0);
        }
    }

    fn token(kind: TokenKind, bytes: [u8; 32]) -> AccessToken {
        AccessToken::mint(kind, &Bytes(bytes))
    }

    #[test]
    fn numbers_keep_all_their_bits() {
        assert_eq!(base62(&mut [0; 32], 43), "0".repeat(43));
        assert_eq!(base62(&mut 61_u32.to_be_bytes(), 6), "00000z");
        assert_eq!(base62(&mut u32::MAX.to_be_bytes(), 6), "4gfFC3");
        assert_eq!(base62(&mut [255; 32], 43).len(), 43);
    }

    #[test]
    fn a_token_is_never_shown_by_accident() {
        let token = token(TokenKind::Owner, [9; 32]);
        assert_eq!(format!("{token:?}"), "AccessToken(…)");
        assert!(token.reveal().starts_with("pdpp_owner_"));
    }

    proptest! {
        #[test]
        fn every_fresh_token_is_recognised(bytes in any::<[u8; 32]>(), kind in 0_usize..3) {
            let kind = [TokenKind::Client, TokenKind::Owner, TokenKind::Metrics][kind];
            let token = token(kind, bytes);
            let presented = Presented::parse(token.reveal()).unwrap();
            prop_assert_eq!(presented.claims, kind);
            prop_assert_eq!(presented.hash, token.hash());
        }

        #[test]
        fn one_changed_character_is_always_noticed(
            bytes in any::<[u8; 32]>(),
            at in 0_usize..61,
            to in "[0-9A-Za-z]",
        ) {
            let good = token(TokenKind::Client, bytes);
            let mut text = good.reveal().to_owned();
            text.replace_range(at..=at, &to);
            prop_assert_eq!(Presented::parse(&text).is_some(), text == good.reveal());
        }

        #[test]
        fn no_text_makes_the_parser_stumble(text in "(pdpp_(client|owner)_)?\\PC{0,60}") {
            prop_assert!(Presented::parse(&text).is_none());
        }
    }
}
