//! Decisions have one form: number and title, status, context, decision, consequences.

use super::findings::TidyFindings;
use super::tree::Repository;

const DIRECTORY: &str = "docs/decisions/";
const SECTIONS: [&str; 3] = ["## Context", "## Decision", "## Consequences"];

pub fn decisions_have_their_form(tree: &Repository, found: &mut TidyFindings) {
    let decisions = tree.files.iter().filter_map(|file| {
        let name = file.path.strip_prefix(DIRECTORY)?;
        Some((file, name.get(..4).filter(|number| number.parse::<u16>().is_ok())?))
    });
    for (file, number) in decisions {
        let lines: Vec<&str> = file.text.lines().collect();
        if !lines.first().is_some_and(|title| title.starts_with(&format!("# {number}: "))) {
            found.fault(&file.path, format!("must begin with `# {number}: ` and its title"));
        }
        if !lines.get(2).is_some_and(|line| is_status(line)) {
            let forms = "`Status: accepted` or `Status: superseded by 0000`";
            found.fault(&file.path, format!("the third line must be {forms}"));
        }
        let is_section = |line: &&&str| SECTIONS.contains(*line);
        if !lines.iter().filter(is_section).eq(SECTIONS.iter()) {
            found.fault(&file.path, format!("must have these sections: {}", SECTIONS.join(", ")));
        }
    }
}

fn is_status(line: &str) -> bool {
    let Some(status) = line.strip_prefix("Status: ") else { return false };
    let superseded = status.strip_prefix("superseded by ").and_then(|rest| rest.get(..4));
    status.starts_with("accepted") || superseded.is_some_and(|by| by.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> usize {
        let mut found = TidyFindings::default();
        let tree = Repository::of(&[("docs/decisions/0007-a.md", text)]);
        decisions_have_their_form(&tree, &mut found);
        found.faults.len()
    }

    #[test]
    fn title_status_and_sections_are_needed() {
        let sections = "## Context\n\na\n\n## Decision\n\nb\n\n## Consequences\n\nc\n";
        assert_eq!(faults(&format!("# 0007: A\n\nStatus: accepted\n\n{sections}")), 0);
        assert_eq!(faults(&format!("# 0007: A\n\nStatus: superseded by 0009\n\n{sections}")), 0);
        assert_eq!(faults(&format!("# 0007: A\n\nStatus: superseded\n\n{sections}")), 1);
        assert_eq!(faults(&format!("# 7. A\n\nStatus: accepted\n\n{sections}")), 1);
        assert_eq!(faults("# 0007: A\n\nStatus: accepted\n\n## Decision\n\n## Context\n"), 1);
    }
}
