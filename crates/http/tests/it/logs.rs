//! What the log says about a request, and what it never says.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

use crate::client::Call;
use crate::oauth::signing_in::{Desk, VERIFIER};
use crate::world::World;

/// The log of all tests of this program: none of them may show what these look for.
static LOG: OnceLock<Written> = OnceLock::new();

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn log() -> Written {
    let start = || {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
        written
    };
    LOG.get_or_init(start).clone()
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// A whole sign-in, a refresh and a replay: no secret of any of them is written down.
#[tokio::test]
async fn t_log_1_no_secret_of_a_sign_in_stands_in_the_log() {
    let written = log();
    let desk = Desk::new().await;
    let client = desk.client().await;
    let code = desk.code(&client, &[("state", "a-telling-state")]).await;
    let tokens = desk.redeem(&client, &code).await.json();
    let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
    let (access, refresh) = (text("access_token"), text("refresh_token"));
    assert_eq!(desk.refresh(&client, &refresh).await.status, 200);
    assert_eq!(desk.call(&access).await.status, 200);
    assert_eq!(desk.redeem(&client, &code).await.status, 400);
    let session = desk.cookie.split_once('=').unwrap().1.to_owned();
    // Pages, refused ones too: their addresses are half of what opens the session.
    for place in ["/access", "/access/nothing", "/nothing", "/consent/areq_x", ""] {
        desk.page(place).await;
    }
    let path = desk.root.rsplit('/').next().unwrap().to_owned();
    let log = written.text();
    assert!(log.contains("route=\"/oauth/token\""), "the log was listened to");
    assert!(log.contains("route=\"/owner/s/{session}/access\""), "to pages as well");
    let password = "a long enough password".to_owned();
    for secret in [
        code,
        access,
        refresh,
        session,
        path,
        password,
        VERIFIER.to_owned(),
        "a-telling-state".to_owned(),
    ] {
        assert!(!log.contains(&secret), "{secret} stands in the log");
    }
}

#[tokio::test]
async fn a_log_line_names_the_route_and_nobody() {
    let written = log();
    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let target = "/v1/streams/notes/records/blue-1?fields=author&filter[x]=private-words";
    let access_token = format!("/v1/streams?access_token={token}");
    for (id, target) in [("log-1", target), ("log-2", &access_token), ("log-3", "/v1/streams")] {
        Call::get(target).bearer(&token).header("Request-Id", id).send(world.addr).await;
    }

    let log = written.text();
    let line = |id: &str| log.lines().find(|line| line.contains(id)).unwrap();
    assert!(line("log-1").contains("route=\"/v1/streams/{stream}/records/{id}\""), "{log}");
    assert!(line("log-1").contains("status=400") && line("log-2").contains("status=400"), "{log}");
    assert!(
        line("log-3").contains("status=200") && line("log-3").contains("duration_ms="),
        "{log}"
    );
    for secret in [token.as_str(), "blue-1", "private-words", "note 1 of blue", "/records/blue"] {
        assert!(!log.contains(secret), "{secret} stands in the log: {log}");
    }
}
