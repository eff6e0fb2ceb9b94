//! A connection goes on after a refusal, or the refusal says that it ends.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::world::World;

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Reads one answer whose length is announced.
async fn answer(socket: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1)?.split("\r\n").next()?;
            if body.len() >= length.parse().ok()? {
                return Some(text);
            }
        }
        let mut piece = [0; 4_096];
        match socket.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

fn head(length: usize, more: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer pdpp_client_no\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n"
    )
}

async fn world() -> World {
    let door = std::sync::Arc::new(crate::agents::Mirror);
    World::with_agents(pdpp_http::HttpOptions::default(), Some(door)).await
}

#[tokio::test]
async fn a_refusal_of_a_body_that_comes_later_keeps_the_connection_or_says_that_it_ends() {
    let world = world().await;
    for (length, sent) in [(2, 2), (200_000, 200_000), (200_000, 1_000), (100, 0)] {
        let mut socket = TcpStream::connect(world.addr).await.unwrap();
        socket.write_all(head(length, "").as_bytes()).await.unwrap();
        // The head is read before the body comes.
        tokio::task::yield_now().await;
        let _ = socket.write_all(&vec![b'x'; sent]).await;
        let refusal = answer(&mut socket).await.expect("an answer");
        assert!(refusal.starts_with("http/1.1 401"), "{refusal}");
        let closes = refusal.contains("\r\nconnection: close\r\n");
        assert_eq!(closes, sent < length, "{length}: {refusal}");
        if !closes {
            socket.write_all(HEALTH.as_bytes()).await.unwrap();
            let next = answer(&mut socket).await.expect("the connection goes on");
            assert!(next.starts_with("http/1.1 200"), "{next}");
        }
    }
}

#[tokio::test]
async fn a_body_that_waits_to_be_asked_for_is_not_asked_for() {
    let world = world().await;
    let mut socket = TcpStream::connect(world.addr).await.unwrap();
    socket.write_all(head(100, "Expect: 100-continue\r\n").as_bytes()).await.unwrap();
    let refusal = answer(&mut socket).await.expect("an answer");
    assert!(refusal.starts_with("http/1.1 401"), "{refusal}");
    assert!(refusal.contains("\r\nconnection: close\r\n"), "{refusal}");
}
