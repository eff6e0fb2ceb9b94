//! Who asks, how sure that is, and where the answer goes.

use std::net::IpAddr;

use pdpp_auth::oauth::{PendingAuthorization, RedirectKind, RequestedAccess, Verified};

use crate::pages::plain;
use crate::pages::times::{Times, When};

/// The agent that asks.
pub struct Requester {
    /// What it calls itself.
    pub name: String,
    pub trust: Trust,
    pub answer: AnswerTarget,
    /// What it says it wants this for.
    pub purposes: Vec<Purpose>,
    /// One of them is to train models.
    pub trains: bool,
}

/// What an agent says about its use of what it reads.
pub struct Purpose {
    /// Its own words.
    pub words: Option<String>,
    /// The name of the purpose, as it can be read.
    pub name: String,
    /// The same as an address.
    pub code: String,
    /// How long it says it keeps things.
    pub keeps: Option<String>,
}

impl Purpose {
    fn of(entry: &RequestedAccess) -> Self {
        let last = entry.purpose_code.rsplit(['/', '#', ':']).find(|part| !part.is_empty());
        Self {
            words: entry.purpose_description.as_deref().map(|text| plain::line(text, 300)),
            name: plain::line(&last.unwrap_or_default().replace('_', " "), 80),
            code: plain::line(&entry.purpose_code, 300),
            keeps: entry.retention.as_deref().map(|text| plain::line(text, 60)),
        }
    }
}

/// How sure it is who asks.
pub enum Trust {
    /// It publishes who it is on this host.
    Published(String),
    /// The owner wrote it down.
    ByOwner,
    /// Nobody has confirmed anything.
    Unverified,
}

/// Where the answer goes, with the host in full.
pub enum AnswerTarget {
    Site(String),
    /// A program on this machine, where any program may be listening.
    ThisComputer(String),
    /// A program that the system opens.
    Program(String),
    /// A device without a browser, with the address it asked from and when.
    Device(DeviceOrigin, When),
}

/// Where a device code was requested.
pub enum DeviceOrigin {
    ThisComputer,
    Address(String),
    Unknown,
}

impl DeviceOrigin {
    fn of(address: Option<&str>) -> Self {
        let Some(address) = address else { return Self::Unknown };
        if address.parse().is_ok_and(|address: IpAddr| address.is_loopback()) {
            return Self::ThisComputer;
        }
        Self::Address(plain::line(address, 60))
    }
}

impl Requester {
    pub fn of(pending: &PendingAuthorization, times: &Times) -> Self {
        let client = &pending.client;
        Self {
            name: plain::line(&client.name, 80),
            trust: match &client.verified {
                Verified::Published { host } => Trust::Published(plain::line(host, 253)),
                Verified::ByOwner => Trust::ByOwner,
                Verified::SelfRegistered => Trust::Unverified,
            },
            answer: answer(pending, times),
            purposes: pending.requested.iter().map(Purpose::of).collect(),
            trains: pending.requested.iter().any(RequestedAccess::is_for_training),
        }
    }
}

fn answer(pending: &PendingAuthorization, times: &Times) -> AnswerTarget {
    let Some((_, host, kind)) = &pending.redirect else {
        let from = DeviceOrigin::of(pending.requested_from.as_deref());
        return AnswerTarget::Device(from, times.moment(pending.created_at));
    };
    let host = plain::line(host, 253);
    match kind {
        RedirectKind::Https => AnswerTarget::Site(host),
        RedirectKind::Loopback => AnswerTarget::ThisComputer(host),
        RedirectKind::Private => AnswerTarget::Program(host),
    }
}
