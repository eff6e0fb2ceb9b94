//! Limits that several servers of one store keep together.
//!
//! A server counts in memory and tells the store once a second what it let pass; it learns there what
//! the others let pass. What must be exact is told before it is answered.

use std::fmt::Display;
use std::hash::Hash;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::limits::RateLimit;

/// Tells the other servers what this one let pass, again and again.
pub async fn keep_told(app: App) {
    if !app.services.auth.is_shared() {
        return std::future::pending().await;
    }
    loop {
        tokio::time::sleep(app.between_tellings).await;
        tell(&app, &app.agent_limits.rate).await;
        app.oauth_rate_limits.tell(&app).await;
    }
}

/// Tells what one limit let pass.
pub async fn tell<K: Clone + Eq + Hash + Display>(app: &App, limit: &RateLimit<K>) {
    let (callers, taken): (Vec<K>, Vec<_>) = limit.untold(None).into_iter().unzip();
    if callers.is_empty() {
        return;
    }
    match app.services.auth.add_taken(taken).await {
        Ok(all) => {
            let now = Instant::now();
            for (caller, full_in) in callers.iter().zip(all) {
                limit.learn(caller, full_in, now);
            }
        }
        // This server's own count still holds.
        Err(error) => tracing::warn!(%error, "other servers do not know what callers asked here"),
    }
}

/// Takes one call of a limit that must be exact over all servers: the store has the last word.
pub async fn take<K: Clone + Eq + Hash + Display>(
    app: &App,
    limit: &RateLimit<K>,
    caller: &K,
) -> Result<(), Duration> {
    limit.take(caller, Instant::now())?;
    if !app.services.auth.is_shared() {
        return Ok(());
    }
    let taken = limit.untold(Some(caller)).into_iter().map(|(_, taken)| taken).collect();
    let all = match app.services.auth.add_taken(taken).await {
        Ok(all) => all,
        Err(error) => {
            tracing::warn!(%error, "only this server's own count holds");
            return Ok(());
        }
    };
    let too_many = all.first().and_then(|full_in| limit.learn(caller, *full_in, Instant::now()));
    let Some(wait) = too_many else { return Ok(()) };
    // Refused calls cost nothing, at no server.
    if let Err(error) = app.services.auth.add_taken(vec![limit.taken(caller, -1.0)]).await {
        tracing::warn!(%error, "a refused call was counted");
    }
    Err(wait)
}
