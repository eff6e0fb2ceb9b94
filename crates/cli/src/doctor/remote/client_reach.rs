//! How far each client gets, read off the steps that were taken.

use serde_json::{Value, json};

use super::steps::{ServerStep, ServerVisit};
use crate::output::without_nulls;

/// One client's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientReach {
    pub client: &'static str,
    pub end: ReachEnd,
}

/// Where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachEnd {
    /// At the owner's login page: all that can be seen without the owner.
    Login,
    /// At a step that does not work.
    Stopped(&'static str),
    /// It comes from outside, and this address is not for it.
    NotPublic,
}

impl ClientReach {
    /// As a script reads it.
    pub fn document(&self) -> Value {
        let stops_at = match self.end {
            ReachEnd::Login => None,
            ReachEnd::Stopped(step) => Some(step),
            ReachEnd::NotPublic => Some("a public https address"),
        };
        without_nulls(json!({
            "client": self.client,
            "gets_to_login": self.end == ReachEnd::Login,
            "stops_at": stops_at,
        }))
    }
}

/// A client and what it does before a person sees a login page, in its own order.
struct ClientSequence {
    client: &'static str,
    /// It calls from somebody's data centre.
    is_elsewhere: bool,
    steps: &'static [ServerStep],
}

const CHALLENGED: &[ServerStep] = &[
    ServerStep::Reach,
    ServerStep::Challenge,
    ServerStep::Resource,
    ServerStep::Server,
    ServerStep::Register,
    ServerStep::SignIn,
];

const SEQUENCES: [ClientSequence; 9] = [
    ClientSequence { client: "Claude (web and phone)", is_elsewhere: true, steps: CHALLENGED },
    ClientSequence {
        client: "ChatGPT",
        is_elsewhere: true,
        steps: &[
            ServerStep::Reach,
            ServerStep::Challenge,
            ServerStep::Resource,
            ServerStep::Server,
            ServerStep::OpenId,
            ServerStep::Register,
            ServerStep::SignIn,
        ],
    },
    ClientSequence { client: "Claude Code", is_elsewhere: false, steps: CHALLENGED },
    ClientSequence { client: "Codex", is_elsewhere: false, steps: CHALLENGED },
    ClientSequence { client: "Cursor", is_elsewhere: false, steps: CHALLENGED },
    ClientSequence { client: "VS Code", is_elsewhere: false, steps: CHALLENGED },
    ClientSequence {
        client: "Gemini CLI",
        is_elsewhere: false,
        // It asks at the root first and compares strictly.
        steps: &[
            ServerStep::Reach,
            ServerStep::Challenge,
            ServerStep::ResourceAtRoot,
            ServerStep::Resource,
            ServerStep::Server,
            ServerStep::Register,
            ServerStep::SignIn,
        ],
    },
    ClientSequence { client: "opencode", is_elsewhere: false, steps: CHALLENGED },
    ClientSequence {
        client: "pdpp connect",
        is_elsewhere: false,
        steps: &[
            ServerStep::Reach,
            ServerStep::ResourceAtRoot,
            ServerStep::Server,
            ServerStep::Register,
            ServerStep::SignIn,
        ],
    },
];

/// Every client's way.
pub fn all(steps: &ServerVisit) -> Vec<ClientReach> {
    SEQUENCES
        .iter()
        .map(|sequence| ClientReach { client: sequence.client, end: end(sequence, steps) })
        .collect()
}

fn end(sequence: &ClientSequence, steps: &ServerVisit) -> ReachEnd {
    if sequence.is_elsewhere && !steps.address.is_https() {
        return ReachEnd::NotPublic;
    }
    if steps.failed(ServerStep::Store) {
        return ReachEnd::Stopped(ServerStep::Store.words());
    }
    let stopped = sequence.steps.iter().find(|step| !steps.works(**step));
    stopped.map_or(ReachEnd::Login, |step| ReachEnd::Stopped(step.words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(address: &str, broken: Option<ServerStep>) -> Vec<ClientReach> {
        let mut steps = ServerVisit::new(address.parse().unwrap());
        let mut findings = crate::doctor::Findings::default();
        for sequence in &SEQUENCES {
            for step in sequence.steps {
                steps.pass(*step);
            }
        }
        if let Some(step) = broken {
            steps.fault(step, "x", String::new(), String::new(), &mut findings);
        }
        all(&steps)
    }

    #[test]
    fn a_broken_step_stops_those_who_take_it() {
        let all_well = stands("https://data.example.org", None);
        assert!(all_well.iter().all(|client_reach| client_reach.end == ReachEnd::Login));
        let root = stands("https://data.example.org", Some(ServerStep::ResourceAtRoot));
        let stopped: Vec<&str> = root
            .iter()
            .filter(|client_reach| client_reach.end != ReachEnd::Login)
            .map(|client_reach| client_reach.client)
            .collect();
        assert_eq!(stopped, ["Gemini CLI", "pdpp connect"]);
    }

    #[test]
    fn nobody_comes_from_outside_to_an_address_of_this_machine() {
        let local = stands("http://127.0.0.1:7667", None);
        let away =
            local.iter().filter(|client_reach| client_reach.end == ReachEnd::NotPublic).count();
        assert_eq!(away, 2);
    }
}
