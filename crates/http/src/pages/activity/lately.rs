//! What agents read last, alike things that follow each other in one line.

use std::collections::HashMap;

use pdpp_contract::PackageId;
use pdpp_contract::access::StoredEvent;

use super::describe::{describe, is_alarming, is_same_kind, who};
use crate::pages::names::DisplayNames;
use crate::pages::plain;
use crate::pages::times::{Times, When};

/// One agent and one kind of thing.
#[derive(Debug, PartialEq, Eq)]
pub struct LatelyLine {
    pub who: String,
    pub words: String,
    pub last: When,
    pub refused: bool,
}

/// The first `most` lines of events that come newest first; `called` are the names of agents.
pub fn lately(
    events: &[&StoredEvent],
    names: &DisplayNames,
    called: &HashMap<PackageId, String>,
    times: &Times,
    most: usize,
) -> Vec<LatelyLine> {
    let mut groups: Vec<(&StoredEvent, u64)> = Vec::new();
    for stored in events {
        let event = &stored.event;
        let alike = |(first, _): &&mut (&StoredEvent, u64)| {
            first.event.actor == event.actor
                && times.date(first.event.at) == times.date(event.at)
                && is_same_kind(&first.event, event)
        };
        if let Some((_, records)) = groups.iter_mut().find(alike) {
            *records += event.records_returned;
        } else if groups.len() < most {
            groups.push((stored, event.records_returned));
        } else {
            break;
        }
    }
    let line = |(stored, records): &(&StoredEvent, u64)| {
        let event = &stored.event;
        let name = event.package_id.as_ref().and_then(|package| called.get(package)).cloned();
        LatelyLine {
            who: name.unwrap_or_else(|| who(event)),
            words: plain::line(&describe(event, *records, names), 300),
            last: times.moment(event.at),
            refused: is_alarming(event),
        }
    };
    groups.iter().map(line).collect()
}
