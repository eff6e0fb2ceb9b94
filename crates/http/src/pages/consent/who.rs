//! Who asks, how sure that is, and where the answer goes.

use pdpp_auth::oauth::{PendingAuthorization, RedirectKind, Verified};

use crate::pages::plain;
use crate::pages::times::{Times, When};

/// The agent that asks.
pub struct Asker {
    /// What it calls itself.
    pub name: String,
    /// The host on which it publishes who it is.
    pub published_on: Option<String>,
    /// The owner wrote it down.
    pub by_owner: bool,
    /// Where the answer goes: a host, in full.
    pub answer_to: String,
    /// The answer stays on this machine, where any program may be listening.
    pub is_local: bool,
    /// The answer opens a program.
    pub opens_program: bool,
    /// Another device waits for the answer.
    pub is_device: bool,
    pub asked_from: Option<String>,
    pub asked_at: When,
    /// What it says it wants this for.
    pub purposes: Vec<String>,
}

impl Asker {
    pub fn of(pending: &PendingAuthorization, times: &Times) -> Self {
        let client = &pending.client;
        let (host, kind) = match &pending.redirect {
            Some((_, host, kind)) => (plain::line(host, 253), Some(*kind)),
            None => (String::new(), None),
        };
        let purposes = pending.requested.iter().filter_map(|entry| {
            entry.purpose_description.as_deref().map(|text| plain::line(text, 300))
        });
        Self {
            name: plain::line(&client.name, 80),
            published_on: match &client.verified {
                Verified::Published { host } => Some(plain::line(host, 253)),
                Verified::SelfRegistered | Verified::ByOwner => None,
            },
            by_owner: client.verified == Verified::ByOwner,
            answer_to: host,
            is_local: kind == Some(RedirectKind::Loopback),
            opens_program: kind == Some(RedirectKind::Private),
            is_device: pending.redirect.is_none(),
            asked_from: pending.requested_from.as_deref().map(|from| plain::line(from, 60)),
            asked_at: times.moment(pending.created_at),
            purposes: purposes.collect(),
        }
    }
}
