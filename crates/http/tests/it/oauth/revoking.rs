//! The end of access: by the owner, by the client, and under load.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pdpp_auth::GrantSelector;
use tokio::task::JoinHandle;

use super::signing_in::*;
use crate::client::Call;
use crate::pages::browser::value_of;

#[tokio::test]
async fn a_client_gives_back_one_token_or_its_whole_sign_in() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let client = tokens.client.as_str();
    let next = Tokens::of(client.to_owned(), &desk.refresh(client, &tokens.refresh).await);
    let give_back = |client: String, token: String| {
        let desk = &desk;
        async move {
            let params = [("token", token.as_str()), ("client_id", client.as_str())];
            desk.post("/oauth/revoke", &params).await.status
        }
    };
    let thief = desk.client().await;
    assert_eq!(give_back(thief, next.access.clone()).await, 200, "nothing is told");
    assert_eq!(desk.call(&next.access).await.status, 200, "and nothing is done");
    assert_eq!(give_back(client.to_owned(), tokens.access.clone()).await, 200);
    assert_eq!(desk.call(&tokens.access).await.status, 401);
    assert_eq!(desk.call(&next.access).await.status, 200);
    assert_eq!(give_back(client.to_owned(), next.refresh.clone()).await, 200);
    assert_eq!(desk.call(&next.access).await.status, 401);
    assert_eq!(refusal(&desk.refresh(client, &next.refresh).await).1, "invalid_grant");
    assert_eq!(give_back(client.to_owned(), "nonsense".to_owned()).await, 200);
    let auth = &desk.world.auth;
    let packages = auth.packages(&auth.local_owner()).await.unwrap();
    assert!(packages[0].revoked_at.is_none(), "what was granted stays until the owner ends it");
}

#[tokio::test]
async fn the_owner_ends_access_and_no_token_or_refresh_survives() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let auth = &desk.world.auth;
    let which = GrantSelector::Package(tokens.package.parse().unwrap());
    auth.revoke(&auth.local_owner(), &which).await.unwrap();
    let reply = desk.call(&tokens.access).await;
    assert_eq!((reply.status, reply.json()["reason"].as_str()), (401, Some("grant_revoked")));
    assert_eq!(refusal(&desk.refresh(&tokens.client, &tokens.refresh).await).1, "invalid_grant");
    let code = desk.code(&tokens.client, &[("state", "again")]).await;
    let again = Tokens::of(tokens.client.clone(), &desk.redeem(&tokens.client, &code).await);
    assert_eq!(desk.call(&again.access).await.status, 200, "signing in again works");
}

/// Sixteen agents that read in a loop until each was refused three times after the end.
struct Agents {
    ended: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    running: Vec<JoinHandle<()>>,
}

impl Agents {
    fn start(addr: SocketAddr, token: &str) -> Self {
        let (ended, answered) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let run = |_| {
            tokio::spawn(read(addr, token.to_owned(), Arc::clone(&ended), Arc::clone(&answered)))
        };
        let running = (0..16).map(run).collect();
        Self { ended, answered, running }
    }

    async fn are_reading(&self) {
        while self.answered.load(Ordering::SeqCst) < 64 {
            tokio::task::yield_now().await;
        }
    }

    /// From here on nobody may get anything.
    async fn must_stop(self) {
        self.ended.store(true, Ordering::SeqCst);
        for agent in self.running {
            agent.await.unwrap();
        }
    }
}

async fn read(addr: SocketAddr, token: String, ended: Arc<AtomicBool>, answered: Arc<AtomicUsize>) {
    let mut refused_after = 0;
    while refused_after < 3 {
        let after = ended.load(Ordering::SeqCst);
        let call = Call::new("POST", "/mcp").header("Host", HOST).body("{}");
        let reply = call.bearer(&token).send(addr).await;
        if after {
            assert_eq!(reply.status, 401, "{}", reply.text());
            refused_after += 1;
        } else if reply.status == 200 {
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_call_that_starts_after_the_revocation_returns_anything() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    let agents = Agents::start(desk.world.addr, &tokens.access);
    agents.are_reading().await;
    let auth = &desk.world.auth;
    let which = GrantSelector::Package(tokens.package.parse().unwrap());
    auth.revoke(&auth.local_owner(), &which).await.unwrap();
    agents.must_stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_call_that_starts_after_the_owner_s_click_returns_anything() {
    let desk = Desk::new().await;
    for place in ["this", "stop-all"] {
        // Two of them: with one alone, there is no button for all.
        let (tokens, _) = (desk.signed_in().await, desk.signed_in().await);
        let action = match place {
            "this" => format!("{}/access/{}/stop", desk.root, tokens.package),
            other => format!("{}/access/{other}", desk.root),
        };
        let page = desk.page("/access").await;
        let form = page.text().split("<form").find(|form| form.contains(&action)).unwrap();
        let csrf_token = value_of(form, "csrf_token");
        let agents = Agents::start(desk.world.addr, &tokens.access);
        agents.are_reading().await;
        let click = Call::new("POST", &action).header("Cookie", &desk.cookie);
        let click = click.header("Origin", ISSUER).body(encoded(&[("csrf_token", &csrf_token)]));
        assert_eq!(desk.send(click).await.status, 303, "{action}");
        agents.must_stop().await;
    }
}

#[tokio::test]
async fn what_happened_stands_in_the_audit_log_and_the_chain_holds() {
    let desk = Desk::new().await;
    let tokens = desk.signed_in().await;
    desk.refresh(&tokens.client, &tokens.refresh).await;
    desk.redeem(&tokens.client, "pdpp_code_x").await;
    let auth = &desk.world.auth;
    let owner = auth.local_owner();
    let query = pdpp_auth::AuditQuery { limit: 100, ..Default::default() };
    let events = auth.audit_events(&owner, &query).await.unwrap();
    let count = |word: &str| events.iter().filter(|e| e.event.operation.as_str() == word).count();
    let words = ["authorization_requested", "grant_create", "token_issued", "token_refreshed"];
    assert_eq!(words.map(count), [1, 1, 1, 1]);
    let text = format!("{events:?}");
    assert!(!text.contains("pdpp_client_") && !text.contains("pdpp_refresh_"), "{text}");
    let chain = auth.verify_audit(&owner).await.unwrap();
    assert!(
        format!("{chain:?}").contains("Whole") || format!("{chain:?}").contains("Intact"),
        "{chain:?}"
    );
}
