//! No file may name a directory that exists on one machine only.

use super::findings::TidyFindings;
use super::tree::Repository;

/// First parts of paths that belong to one person's machine.
const ROOTS: &[&str] = &["root", "work"];
/// Directories of people: these need a name below them to be a machine's path.
const PEOPLE: &[&str] = &["home", "Users"];
/// The person of our examples, who has no machine.
const NOBODY: &str = "ada";

pub fn no_path_of_one_machine(tree: &Repository, found: &mut TidyFindings) {
    for file in &tree.files {
        for (number, line) in (1..).zip(file.text.lines()) {
            if let Some(path) = machine_path(line) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, format!("`{path}` exists on one machine only"));
            }
        }
    }
}

/// The first such path on a line: a slash where a path begins, then a telling first part.
fn machine_path(line: &str) -> Option<&str> {
    let slashes = line.match_indices('/').map(|(at, _)| at);
    slashes
        .filter(|at| begins_a_path(line.get(..*at).unwrap_or_default()))
        .filter_map(|at| line.get(at..))
        .find_map(telling_start)
}

/// A slash inside a path or an address continues it; `file:///` begins one.
fn begins_a_path(before: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || "_-.~/$}>)*%".contains(c);
    before.ends_with("file://") || !before.ends_with(continues)
}

fn telling_start(path: &str) -> Option<&str> {
    let in_a_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let rest = path.strip_prefix('/')?;
    let first = rest.split(|c| !in_a_name(c)).next()?;
    if ROOTS.contains(&first) {
        return path.get(..=first.len());
    }
    let below = rest.strip_prefix(first)?.strip_prefix('/')?;
    let person = below.split(|c| !in_a_name(c)).next()?;
    let telling = PEOPLE.contains(&first) && !person.is_empty() && person != NOBODY;
    telling.then(|| path.get(..first.len() + person.len() + 2))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_one_machine_is_a_fault() {
        for (first, rest) in [("root", ""), ("work", "/main"), ("home", "/bob/x")] {
            for line in [
                format!("cd /{first}{rest}"),
                format!("\"/{first}{rest}\""),
                format!("file:///{first}{rest}"),
                format!("DIR=/{first}{rest}"),
            ] {
                let mut found = TidyFindings::default();
                no_path_of_one_machine(&Repository::of(&[("a.md", &line)]), &mut found);
                assert_eq!(found.faults.len(), 1, "{line}");
            }
        }
    }

    #[test]
    fn addresses_and_other_words_are_no_machine_paths() {
        for line in [
            "https://example.org/work/root",
            "rootless/root",
            "{base}/home/bob",
            "/home/ada/.local and /Users/ada",
            "`/workspace`, /roots, /home/ and /home",
            "/v1/streams",
        ] {
            assert_eq!(machine_path(line), None, "{line}");
        }
    }
}
