//! The kept token of a provider, renewed when it is old. Several adapters share one file: whoever
//! renews holds a lock, and looks first whether somebody else has done it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use jiff::SignedDuration;
use pdpp_contract::ports::Clock;
use pdpp_mcp::remote::{ProviderUrl, TokenSource, Web};

use crate::agents::{KeptCredential, ProviderCache};

/// A token that ends this soon is renewed before it is used.
const SOON: SignedDuration = SignedDuration::from_secs(60);

/// Tokens from the cache.
pub struct CachedTokens {
    cache: Arc<ProviderCache>,
    provider: ProviderUrl,
    clock: Arc<dyn Clock>,
    now: Mutex<KeptCredential>,
}

impl CachedTokens {
    /// Begins with what was just read.
    pub fn new(
        cache: Arc<ProviderCache>,
        provider: ProviderUrl,
        clock: Arc<dyn Clock>,
        kept: KeptCredential,
    ) -> Self {
        Self { cache, provider, clock, now: Mutex::new(kept) }
    }

    fn current(&self) -> KeptCredential {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_old(&self, kept: &KeptCredential) -> bool {
        let soon = self.clock.now().saturating_add(SOON).ok();
        kept.expires_at.is_some_and(|end| soon.is_some_and(|soon| end <= soon))
    }

    /// A token other than `old`: somebody else's renewal, or our own.
    async fn renew(&self, old: &str) -> Option<KeptCredential> {
        let (cache, provider) = (Arc::clone(&self.cache), self.provider.clone());
        let lock = tokio::task::spawn_blocking(move || cache.lock(&provider)).await.ok()?;
        let _lock = lock.ok()?;
        let kept = self.cache.find(&self.provider).ok()??;
        if kept.access_token != old && !self.is_old(&kept) {
            return Some(self.remember(kept));
        }
        let refresh = kept.refresh_token.clone()?;
        let params = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.as_str()),
            ("resource", kept.resource.as_str()),
        ];
        let answer = kept.client.ask(Web, &kept.token_endpoint, &params).await.ok()?;
        let text = |name: &str| answer.json.get(name)?.as_str().map(str::to_owned);
        if answer.status != 200 {
            tracing::warn!("the provider refused to renew the credential; run pdpp connect again");
            return None;
        }
        let expires_in = answer.json.get("expires_in").and_then(serde_json::Value::as_i64);
        let renewed = KeptCredential {
            access_token: text("access_token")?,
            refresh_token: text("refresh_token").or(Some(refresh)),
            expires_in,
            expires_at: None,
            ..kept
        };
        let renewed = renewed.dated(self.clock.now());
        if let Err(failure) = self.cache.keep(&self.provider, &renewed) {
            tracing::warn!(code = failure.code, "the renewed credential could not be saved");
        }
        Some(self.remember(renewed))
    }

    fn remember(&self, kept: KeptCredential) -> KeptCredential {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&kept);
        kept
    }
}

#[async_trait]
impl TokenSource for CachedTokens {
    async fn token(&self) -> String {
        let kept = self.current();
        if !self.is_old(&kept) {
            return kept.access_token;
        }
        let renewed = self.renew(&kept.access_token).await;
        renewed.map_or(kept.access_token, |renewed| renewed.access_token)
    }

    async fn renewed(&self, refused: &str) -> Option<String> {
        self.renew(refused).await.map(|kept| kept.access_token)
    }
}
