//! Tokens of the owner, of either kind.

use std::sync::Arc;

use super::cases;
use super::sample::{EMITTED, time};
use pdpp_contract::access::{AuditEvent, OwnerTokenKind, TokenKind};
use pdpp_store::Store;
use pdpp_store::tokens::{NewToken, TokenHash};

pub(super) const CASES: super::CaseTable =
    cases![owner_tokens_keep_their_kind_until_they_are_revoked];

async fn owner_tokens_keep_their_kind_until_they_are_revoked(store: Arc<dyn Store>) {
    let now = time(EMITTED);
    let event = || AuditEvent::by_owner(now, "test");
    let new = |text: &str| NewToken {
        hash: TokenHash::of(text),
        label: None,
        created_at: now,
        expires_at: None,
    };
    let kinds = [
        ("everything", OwnerTokenKind::Everything, TokenKind::Owner),
        ("numbers", OwnerTokenKind::Metrics, TokenKind::Metrics),
    ];
    for (text, asked, kept) in kinds {
        store.add_owner_token(asked, new(text), event()).await.unwrap();
        let found = store.find_access(&TokenHash::of(text)).await.unwrap().expect("it is kept");
        assert_eq!((found.token.kind, found.package), (kept, None), "{text}");
    }
    let mut listed: Vec<_> =
        store.owner_tokens().await.unwrap().into_iter().map(|token| token.kind).collect();
    listed.sort_unstable();
    assert_eq!(listed, [TokenKind::Owner, TokenKind::Metrics]);
    let what = TokenHash::of("numbers").fingerprint();
    assert_eq!(store.revoke_owner_tokens(what.as_str(), event()).await.unwrap(), Some(1));
    let found = store.find_access(&TokenHash::of("numbers")).await.unwrap().expect("still kept");
    assert_eq!(found.token.revoked_at, Some(now));
    let other = store.find_access(&TokenHash::of("everything")).await.unwrap().expect("kept");
    assert_eq!(other.token.revoked_at, None);
}
