//! The token for a provider: what it is now, and another one when the provider refuses it.

use async_trait::async_trait;

/// Knows the token of one provider.
#[async_trait]
pub trait TokenSource: Send + Sync {
    /// The token to ask with.
    async fn token(&self) -> String;

    /// Another token in place of one that the provider refused; `None` when there is none to be had.
    async fn renewed(&self, refused: &str) -> Option<String>;
}

/// A token that nobody renews.
pub(super) struct FixedToken(pub(super) String);

#[async_trait]
impl TokenSource for FixedToken {
    async fn token(&self) -> String {
        self.0.clone()
    }

    async fn renewed(&self, _: &str) -> Option<String> {
        None
    }
}
