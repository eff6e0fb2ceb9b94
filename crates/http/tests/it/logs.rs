//! What the log says about a request, and what it never says.

use std::io::Write;
use std::sync::{Arc, Mutex};

use crate::client::Call;
use crate::world::World;

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

#[tokio::test]
async fn a_log_line_names_the_route_and_nobody() {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    // The log of all tests of this program: none of them may show what this one looks for.
    tracing::subscriber::set_global_default(subscriber).unwrap();

    let world = World::filled().await;
    let token = world.agent(&["blue"]).await;
    let target = "/v1/streams/notes/records/blue-1?fields=author&filter[x]=private-words";
    let access_token = format!("/v1/streams?access_token={token}");
    for (id, target) in [("log-1", target), ("log-2", &access_token), ("log-3", "/v1/streams")] {
        Call::get(target).bearer(&token).header("Request-Id", id).send(world.addr).await;
    }

    let log = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
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
