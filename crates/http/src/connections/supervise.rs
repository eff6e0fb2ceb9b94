//! Looks after one connection: its time limits, and the authority of its answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::{Answer, BETWEEN_LOOKS};
use super::connection::HttpConnection;
use super::limits::ConnectionLimits;

/// Time limits are looked at this often.
const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);
/// How long a stream of a shared connection may take to be reset by itself.
const STREAM_PATIENCE: Duration = Duration::from_millis(100);

/// Completes when the connection must end.
pub(super) async fn supervise(connection: &HttpConnection, limits: &ConnectionLimits) {
    let shortest = limits.head_timeout.min(limits.idle_timeout).min(limits.stalled_timeout);
    let round = BETWEEN_ROUNDS.min(shortest);
    tokio::select! {
        () = connection.ended() => {}
        () = rounds(connection, limits, round) => {}
    }
}

async fn rounds(connection: &HttpConnection, limits: &ConnectionLimits, round: Duration) {
    loop {
        if connection.is_overdue(limits, Instant::now()) {
            return;
        }
        let answers = connection.answers();
        for answer in answers.iter().filter(|answer| connection.is_due(answer)) {
            if answer.look().await.is_err() {
                break_off(connection, answer).await;
            }
            connection.looked_at();
        }
        let pause = if answers.is_empty() { round } else { BETWEEN_LOOKS.min(round) };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = connection.changed() => {}
        }
    }
}

/// Over HTTP/2 the answer's stream is reset and the others go on, unless something of it may still
/// wait to be written; then the whole connection is.
async fn break_off(connection: &HttpConnection, answer: &Arc<Answer>) {
    if !connection.is_multiplexed() {
        return connection.reset();
    }
    connection.looked_at();
    let gave_up = tokio::time::timeout(STREAM_PATIENCE, answer.finished()).await;
    if gave_up.is_err() || !answer.is_finished() || connection.is_blocked() {
        connection.reset();
    }
}
