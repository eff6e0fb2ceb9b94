//! Random texts, and the proof key whose digest goes first.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE;
use pdpp_contract::ports::Entropy;
use sha2::{Digest, Sha256};

/// A secret of 256 bits and its digest, both in URL-safe base64.
pub struct Pkce {
    pub verifier: String,
    pub challenge: String,
}

impl Pkce {
    pub fn new(entropy: &dyn Entropy) -> Self {
        let verifier = random_text(entropy);
        let challenge = URL_SAFE.encode(Sha256::digest(verifier.as_bytes()));
        Self { verifier, challenge }
    }
}

/// 256 random bits as text.
pub fn random_text(entropy: &dyn Entropy) -> String {
    let mut bytes = [0_u8; 32];
    entropy.fill(&mut bytes);
    URL_SAFE.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_the_standard_says() {
        let digest = Sha256::digest(b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(URL_SAFE.encode(digest), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(URL_SAFE.encode(b"ab"), "YWI");
    }
}
