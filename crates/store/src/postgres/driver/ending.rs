//! The end of a session whose answer nobody waits for: the server is told to stop working on it.
//!
//! A cancel that comes late would hit whatever the session does next, so it does nothing next.

use std::time::Duration;

use tokio_postgres::Socket;
use tokio_postgres::tls::MakeTlsConnect;

use super::session::Connection;

/// A cancel that comes before the statement is not heard.
const TRIES: usize = 4;
/// How long it may take to ask: some round trips, over a line that may be long.
const ASKING: Duration = Duration::from_secs(2);
/// How soon a server that was asked gives up.
const HEARING: Duration = Duration::from_millis(500);

impl Connection {
    /// Whether the server may still be at work on something that nobody waits for.
    pub(in super::super) fn is_unanswered(&self) -> bool {
        self.unanswered.get()
    }

    /// Has the server give up what it is at, and ends the session; on a thread that may wait.
    pub(in super::super) fn cancel<T>(mut self, tls: &T)
    where
        T: MakeTlsConnect<Socket> + Clone,
    {
        let (Some(runtime), Some(mut wire)) = (self.runtime.take(), self.wire.take()) else {
            return;
        };
        let token = self.client.cancel_token();
        // Without a client the connection ends by itself, once the server has answered everything.
        drop(self);
        runtime.block_on(async {
            for _ in 0..TRIES {
                let asked = tokio::time::timeout(ASKING, token.cancel_query(tls.clone())).await;
                let ended = tokio::time::timeout(HEARING, wire.as_mut()).await.is_ok();
                // A server that cannot be asked finds out by itself that nobody listens.
                if ended || matches!(asked, Ok(Err(_))) {
                    break;
                }
            }
        });
        runtime.shutdown_background();
    }
}
