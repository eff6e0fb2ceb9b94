//! Notes about tokens that are worth keeping to a minute, and not worth a write for every call.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use pdpp_store::tokens::TokenHash;

/// How exact the note is.
const STEP: SignedDuration = SignedDuration::from_secs(60);

/// The notes this process has sent to the store in the last minute.
///
/// The store's own value is not enough: while a long import holds it, every call would send one.
#[derive(Default)]
pub(crate) struct OnceAMinute {
    sent: Mutex<HashMap<TokenHash, Timestamp>>,
}

impl OnceAMinute {
    /// Whether the store should be told now; if so, this counts as told.
    pub(crate) fn due(&self, token: TokenHash, stored: Option<Timestamp>, now: Timestamp) -> bool {
        let recent = |at: Timestamp| now.duration_since(at) < STEP;
        if stored.is_some_and(recent) {
            return false;
        }
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.retain(|_, at| recent(*at));
        if sent.contains_key(&token) {
            return false;
        }
        sent.insert(token, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_770_000_000 + second).unwrap()
    }

    #[test]
    fn a_token_is_noted_once_a_minute_even_while_the_store_lags() {
        let notes = OnceAMinute::default();
        let token = TokenHash::of("a");
        assert!(notes.due(token, None, at(0)));
        assert!(!notes.due(token, None, at(59)));
        assert!(notes.due(TokenHash::of("b"), None, at(59)));
        assert!(notes.due(token, None, at(60)));
    }

    #[test]
    fn a_note_that_another_process_made_counts() {
        let notes = OnceAMinute::default();
        assert!(!notes.due(TokenHash::of("a"), Some(at(0)), at(59)));
        assert!(notes.due(TokenHash::of("a"), Some(at(0)), at(60)));
    }
}
