//! `pdpp doctor`: each fault is planted, and must be named with its remedy.

mod clients;
mod machine;
mod outage;
mod proxy;
mod server;

use serde_json::Value;

use crate::program::{Answer, Home};

/// What the doctor says about a home.
pub struct Said {
    pub code: i32,
    pub document: Value,
}

/// Runs the doctor; a fault is an answer.
pub fn doctor(home: &Home, more: &[&str]) -> Said {
    // Port 0 is always free: whoever tests the listener names another.
    let quiet = ["doctor", "--json", "--listen", "127.0.0.1:0"];
    let line = if more.contains(&"--listen") { &quiet[..2] } else { &quiet[..] };
    said(&home.run(&[line, more].concat()))
}

pub fn said(answer: &Answer) -> Said {
    Said { code: answer.code, document: answer.document() }
}

impl Said {
    /// The findings of a check that are faults, each with its remedy.
    pub fn faults(&self, check: &str) -> Vec<(String, String)> {
        let findings = self.document["findings"].as_array().unwrap();
        let faults =
            findings.iter().filter(|found| found["check"] == check && found["state"] == "fault");
        faults
            .map(|found| {
                let text = |name: &str| found[name].as_str().unwrap_or_default().to_owned();
                (text("what"), text("remedy"))
            })
            .collect()
    }

    /// The one fault there is; it must be of this check, and these words must stand in it and in its
    /// remedy.
    pub fn names(&self, check: &str, what: &str, remedy: &str) {
        let faults = self.faults(check);
        assert!(!faults.is_empty(), "{check} found nothing: {}", self.document);
        assert!(
            faults.iter().any(|(said, _)| said.contains(what)),
            "{check} does not say {what:?}: {faults:?}"
        );
        assert!(
            faults.iter().any(|(_, said)| said.contains(remedy)),
            "{check} does not advise {remedy:?}: {faults:?}"
        );
        assert_eq!(self.document["healthy"], false);
        assert_ne!(self.code, 0);
    }

    /// Nothing but this check found a fault.
    pub fn only(&self, check: &str) {
        let findings = self.document["findings"].as_array().unwrap();
        let others: Vec<&Value> = findings
            .iter()
            .filter(|found| found["state"] == "fault" && found["check"] != check)
            .collect();
        assert!(others.is_empty(), "{others:?}");
    }

    /// Where a client's way ends; nothing when it gets to the login page.
    pub fn stops_at(&self, client: &str) -> Option<String> {
        let clients = self.document["clients"].as_array().unwrap();
        let found = clients.iter().find(|one| one["client"] == client).unwrap();
        found["stops_at"].as_str().map(str::to_owned)
    }
}
