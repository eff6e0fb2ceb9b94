//! Private keys in their armour (PEM, `OpenSSH`, PGP, `PuTTY`), and those of age.

/// How far behind its armour a key begins.
const HEADER_BYTES: usize = 600;
/// So much in one piece is the key itself and not a word about it.
const KEY_BYTES: usize = 40;

/// Whether a text holds a private key.
pub(super) fn holds_private_key(text: &str) -> bool {
    text.match_indices("PRIVATE KEY").any(|(at, _)| is_armoured(text, at))
        || text
            .match_indices("PuTTY-User-Key-File-")
            .any(|(at, _)| text.get(at..).unwrap_or_default().contains("Private-Lines"))
        || text.match_indices("AGE-SECRET-KEY-1").any(|(at, prefix)| {
            let key = text.as_bytes().get(at + prefix.len()..).unwrap_or_default();
            run(key, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) >= 50
        })
}

/// `-----BEGIN … PRIVATE KEY-----` with a key behind it.
fn is_armoured(text: &str, at: usize) -> bool {
    let from = text.floor_char_boundary(at.saturating_sub(40));
    if !text.get(from..at).unwrap_or_default().contains("-----BEGIN ") {
        return false;
    }
    let end = text.floor_char_boundary(at + HEADER_BYTES);
    // Line ends may be written as `\n`, as they are in JSON.
    let after = text.get(at..end).unwrap_or_default().replace("\\n", "\n");
    let is_key = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let parts = |char: char| u8::try_from(char).map_or(true, |byte| !is_key(byte));
    after.split(parts).any(|run| run.len() >= KEY_BYTES)
}

/// How many bytes a text begins with that pass.
pub(super) fn run(bytes: &[u8], passes: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| passes(**byte)).count()
}
