//! Credentials of accounts, and the key that they are sealed under.

mod key_ring;

pub use key_ring::{KeyFault, KeyRing};

use zeroize::Zeroizing;

/// A password or token of an account. Never shown, and wiped when it is dropped.
#[derive(Clone)]
pub struct AccountSecret(Zeroizing<String>);

impl AccountSecret {
    /// A secret that was typed or read.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The secret itself, for the source it belongs to.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for AccountSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccountSecret(…)")
    }
}
