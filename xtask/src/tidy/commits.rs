//! Commit subjects since the last release: short, in the imperative, with the area in front.

use std::process::Command;

use super::findings::TidyFindings;
use crate::run;

/// Where the rule begins while there is no tag. Earlier subjects were written without it.
const FIRST_CHECKED_AFTER: &str = "2b4f72e62e085aac6a04d3a95bb16bfd13d388d6";
const MAX_CHARS: usize = 72;
/// Imperatives that end like a past tense or a gerund.
const IMPERATIVES: [&str; 8] =
    ["bring", "embed", "exceed", "feed", "need", "proceed", "seed", "speed"];

/// One commit: its short hash and its subject.
type Commit = (String, String);

pub fn subjects_are_well_formed(found: &mut TidyFindings) {
    match commits() {
        Some(commits) => commits.iter().for_each(|commit| check(commit, found)),
        // A shallow clone, or an archive without history.
        None => found.notice("commits", "the history is not here, so no subject was checked"),
    }
}

fn commits() -> Option<Vec<Commit>> {
    let git = |arguments: &[&str]| run::output_of(Command::new("git").args(arguments)).ok();
    let tags = git(&["tag", "--list", "--merged", "HEAD", "--sort=-creatordate"])?;
    let base = tags.lines().next().unwrap_or(FIRST_CHECKED_AFTER);
    let listed = git(&["log", "--no-merges", "--format=%h %s", &format!("{base}..HEAD")])?;
    let split = |line: &str| line.split_once(' ').map(|(hash, rest)| (hash.into(), rest.into()));
    Some(listed.lines().filter_map(split).collect())
}

fn check((hash, subject): &Commit, found: &mut TidyFindings) {
    let place = format!("commit {hash}");
    let chars = subject.chars().count();
    if chars > MAX_CHARS {
        found.fault(&place, format!("the subject has {chars} characters, at most {MAX_CHARS}"));
    }
    if subject.ends_with('.') {
        found.fault(&place, "the subject ends with a full stop");
    }
    let Some((_, what)) = subject.split_once(": ") else {
        found.fault(&place, "the subject names no area; write `area: what it does now`");
        return;
    };
    let verb = what.split([' ', ',']).next().unwrap_or_default();
    let is_other_form = verb.ends_with("ed") || verb.ends_with("ing");
    if is_other_form && !IMPERATIVES.contains(&verb) {
        found.fault(&place, format!("the subject begins with '{verb}'; use the imperative"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(subject: &str) -> Vec<String> {
        let mut found = TidyFindings::default();
        check(&("abc".to_owned(), subject.to_owned()), &mut found);
        found.faults
    }

    #[test]
    fn an_imperative_with_its_area_passes() {
        assert_eq!(faults("store: return 503 while a restore is running"), [""; 0]);
        assert_eq!(faults("cli, docs: embed the help"), [""; 0]);
    }

    #[test]
    fn length_full_stop_area_and_tense_are_checked() {
        assert_eq!(faults(&format!("store: {}", "x".repeat(66))).len(), 1);
        assert_eq!(faults("store: return 503.").len(), 1);
        assert_eq!(faults("return 503").len(), 1);
        assert_eq!(faults("store: returned 503").len(), 1);
        assert_eq!(faults("store: returning 503").len(), 1);
    }
}
