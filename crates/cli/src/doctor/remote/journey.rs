//! How far each client gets, read off the steps that were taken.

use serde_json::{Value, json};

use super::steps::{Step, Steps};
use crate::output::without_nulls;

/// One client's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journey {
    pub client: &'static str,
    pub end: End,
}

/// Where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// At the owner's login page: all that can be seen without the owner.
    Login,
    /// At a step that does not work.
    Stopped(&'static str),
    /// It comes from outside, and this address is not for it.
    NotPublic,
}

impl Journey {
    /// As a script reads it.
    pub fn document(&self) -> Value {
        let stops_at = match self.end {
            End::Login => None,
            End::Stopped(step) => Some(step),
            End::NotPublic => Some("a public https address"),
        };
        without_nulls(json!({
            "client": self.client,
            "gets_to_login": self.end == End::Login,
            "stops_at": stops_at,
        }))
    }
}

/// A client and what it does before a person sees a login page, in its own order.
struct Habit {
    client: &'static str,
    /// It calls from somebody's data centre.
    is_elsewhere: bool,
    steps: &'static [Step],
}

const CHALLENGED: &[Step] =
    &[Step::Reach, Step::Challenge, Step::Resource, Step::Server, Step::Register, Step::SignIn];

const HABITS: [Habit; 9] = [
    Habit { client: "Claude (web and phone)", is_elsewhere: true, steps: CHALLENGED },
    Habit {
        client: "ChatGPT",
        is_elsewhere: true,
        steps: &[
            Step::Reach,
            Step::Challenge,
            Step::Resource,
            Step::Server,
            Step::OpenId,
            Step::Register,
            Step::SignIn,
        ],
    },
    Habit { client: "Claude Code", is_elsewhere: false, steps: CHALLENGED },
    Habit { client: "Codex", is_elsewhere: false, steps: CHALLENGED },
    Habit { client: "Cursor", is_elsewhere: false, steps: CHALLENGED },
    Habit { client: "VS Code", is_elsewhere: false, steps: CHALLENGED },
    Habit {
        client: "Gemini CLI",
        is_elsewhere: false,
        // It asks at the root first and compares strictly.
        steps: &[
            Step::Reach,
            Step::Challenge,
            Step::ResourceAtRoot,
            Step::Resource,
            Step::Server,
            Step::Register,
            Step::SignIn,
        ],
    },
    Habit { client: "opencode", is_elsewhere: false, steps: CHALLENGED },
    Habit {
        client: "pdpp connect",
        is_elsewhere: false,
        steps: &[Step::Reach, Step::ResourceAtRoot, Step::Server, Step::Register, Step::SignIn],
    },
];

/// Every client's way.
pub fn all(steps: &Steps) -> Vec<Journey> {
    HABITS.iter().map(|habit| Journey { client: habit.client, end: end(habit, steps) }).collect()
}

fn end(habit: &Habit, steps: &Steps) -> End {
    if habit.is_elsewhere && !steps.address.is_https() {
        return End::NotPublic;
    }
    if steps.failed(Step::Store) {
        return End::Stopped(Step::Store.words());
    }
    let stopped = habit.steps.iter().find(|step| !steps.works(**step));
    stopped.map_or(End::Login, |step| End::Stopped(step.words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(address: &str, broken: Option<Step>) -> Vec<Journey> {
        let mut steps = Steps::new(address.parse().unwrap());
        let mut findings = crate::doctor::Findings::default();
        for habit in &HABITS {
            for step in habit.steps {
                steps.pass(*step);
            }
        }
        if let Some(step) = broken {
            steps.fault(step, "x", (String::new(), String::new()), &mut findings);
        }
        all(&steps)
    }

    #[test]
    fn a_broken_step_stops_those_who_take_it() {
        let all_well = stands("https://data.example.org", None);
        assert!(all_well.iter().all(|journey| journey.end == End::Login));
        let root = stands("https://data.example.org", Some(Step::ResourceAtRoot));
        let stopped: Vec<&str> = root
            .iter()
            .filter(|journey| journey.end != End::Login)
            .map(|journey| journey.client)
            .collect();
        assert_eq!(stopped, ["Gemini CLI", "pdpp connect"]);
    }

    #[test]
    fn nobody_comes_from_outside_to_an_address_of_this_machine() {
        let local = stands("http://127.0.0.1:7667", None);
        let away = local.iter().filter(|journey| journey.end == End::NotPublic).count();
        assert_eq!(away, 2);
    }
}
