//! The lanes of the matrix: how a client reaches the data, in which era, and what it sees.

use super::agent::Agent;
use super::wire::{MODERN, Wire};
use super::world::World;

/// What a client shows its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Text blocks only.
    Content,
    /// Structured data only; refusals from `_meta`.
    Structured,
    /// Text blocks, and links that it follows with `resources/read`.
    Resource,
}

/// How a client reaches the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Road {
    /// `pdpp mcp --client`, on the store of this machine.
    Local,
    /// `/mcp` of a running server.
    Http,
    /// `pdpp mcp --provider-url`, at a remote resource server.
    Remote,
}

pub const CLASSES: [Class; 3] = [Class::Content, Class::Structured, Class::Resource];
pub const ROADS: [Road; 3] = [Road::Local, Road::Http, Road::Remote];
pub const ERAS: [&str; 2] = ["2025-11-25", MODERN];

impl World {
    /// A client on this road, in this era.
    pub fn wire(&self, road: Road, version: &'static str) -> Wire {
        match road {
            Road::Http => {
                let url = self.server.ready["mcp_url"].as_str().unwrap();
                Wire::http(url, &self.token, version)
            }
            Road::Local => Wire::pipes(self.home.command(&["mcp", "--client", "journey"]), version),
            Road::Remote => {
                let cache = self.home.path().join("cache");
                let cache = cache.to_str().unwrap();
                let arguments = ["mcp", "--provider-url", self.base_url(), "--cache-root", cache];
                Wire::pipes(self.home.command(&arguments), version)
            }
        }
    }

    /// An agent behind a client of this class, on this road, in this era.
    pub fn agent(&self, road: Road, version: &'static str, class: Class) -> Agent {
        let lane = format!("{class:?} over {road:?} in {version}");
        Agent { wire: self.wire(road, version), class, road, lane }
    }

    /// Plays a journey for every class of client, on every road, in both eras.
    pub fn every_lane(&self, journey: impl Fn(&World, &mut Agent)) {
        for road in ROADS {
            for version in ERAS {
                for class in CLASSES {
                    journey(self, &mut self.agent(road, version, class));
                }
            }
        }
    }
}
