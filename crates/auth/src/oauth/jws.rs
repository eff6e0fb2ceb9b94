//! Signatures of clients: three algorithms, each with its own kind of key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use serde_json::Value;

/// Most keys of a set that are tried.
const MAX_KEYS: usize = 20;

/// A signed text, taken apart and not yet believed.
pub(super) struct Signed<'a> {
    message: &'a str,
    signature: Vec<u8>,
    algorithm: String,
    key_id: Option<String>,
    /// What it says.
    pub(super) claims: Value,
}

impl<'a> Signed<'a> {
    /// `None` for anything but three parts with a header we understand wholly.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let json = |part: &str| -> Option<Value> {
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
        };
        let header = json(header)?;
        if header.get("crit").is_some() {
            return None;
        }
        let text = |name: &str| header.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            message: signed,
            signature: URL_SAFE_NO_PAD.decode(signature).ok()?,
            algorithm: text("alg")?,
            key_id: text("kid"),
            claims: json(claims)?,
        })
    }

    /// Whether one of the keys made the signature. The key's kind decides about the algorithm; the
    /// header may only agree.
    pub(super) fn is_signed_by(&self, keys: &Value) -> bool {
        let Some(keys) = keys.get("keys").and_then(Value::as_array) else { return false };
        let named = |key: &&Value| match (&self.key_id, key.get("kid").and_then(Value::as_str)) {
            (Some(wanted), Some(kid)) => wanted == kid,
            _ => true,
        };
        keys.iter().filter(named).take(MAX_KEYS).any(|key| self.fits(key))
    }

    fn fits(&self, key: &Value) -> bool {
        let text = |name: &str| key.get(name).and_then(Value::as_str);
        let bytes = |name: &str| text(name).and_then(|value| URL_SAFE_NO_PAD.decode(value).ok());
        let agrees = |algorithm: &str| {
            self.algorithm == algorithm
                && text("alg").is_none_or(|alg| alg == algorithm)
                && text("use").is_none_or(|used| used == "sig")
        };
        let message = self.message.as_bytes();
        match (text("kty"), text("crv")) {
            (Some("RSA"), _) if agrees("RS256") => {
                let (Some(n), Some(e)) = (bytes("n"), bytes("e")) else { return false };
                let key = RsaPublicKeyComponents { n, e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, &self.signature).is_ok()
            }
            (Some("EC"), Some("P-256")) if agrees("ES256") => {
                let (Some(x), Some(y)) = (bytes("x"), bytes("y")) else { return false };
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(message, &self.signature).is_ok()
            }
            (Some("OKP"), Some("Ed25519")) if agrees("EdDSA") => {
                let Some(x) = bytes("x") else { return false };
                UnparsedPublicKey::new(&ED25519, x).verify(message, &self.signature).is_ok()
            }
            _ => false,
        }
    }
}
