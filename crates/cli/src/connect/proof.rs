//! Random texts, and the proof key whose digest goes first.

use pdpp_contract::ports::Entropy;
use sha2::{Digest, Sha256};

/// A secret of 256 bits and its digest, both in URL-safe base64.
pub struct Proof {
    pub verifier: String,
    pub challenge: String,
}

impl Proof {
    pub fn new(entropy: &dyn Entropy) -> Self {
        let verifier = random_text(entropy);
        let challenge = base64url(&Sha256::digest(verifier.as_bytes()));
        Self { verifier, challenge }
    }
}

/// 256 random bits as text.
pub fn random_text(entropy: &dyn Entropy) -> String {
    let mut bytes = [0_u8; 32];
    entropy.fill(&mut bytes);
    base64url(&bytes)
}

fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=chunk.len() {
            let index = group >> (18 - 6 * place) & 63;
            let letter = ALPHABET.get(usize::try_from(index).unwrap_or(0)).copied();
            text.push(char::from(letter.unwrap_or(b'A')));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_the_standard_says() {
        let digest = Sha256::digest(b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(base64url(&digest), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(base64url(b"ab"), "YWI");
    }
}
