//! Every dependency chosen in `Cargo.toml` has its reason in `docs/dependencies.md`.

use super::findings::TidyFindings;
use super::tree::Repository;

const REASONS: &str = "docs/dependencies.md";

pub fn every_dependency_has_its_reason(tree: &Repository, found: &mut TidyFindings) {
    let (Some(manifest), Some(reasons)) = (tree.find("Cargo.toml"), tree.find(REASONS)) else {
        found.fault(REASONS, "is missing, or Cargo.toml is");
        return;
    };
    let chosen = chosen(&manifest.text);
    let explained: Vec<&str> = reasons.text.lines().filter_map(explained).collect();
    for name in chosen.iter().filter(|name| !explained.contains(name)) {
        found.fault(REASONS, format!("`{name}` is used; say in one sentence why"));
    }
    for name in explained.iter().filter(|name| !chosen.contains(name)) {
        found.fault(REASONS, format!("`{name}` is explained but not used"));
    }
}

/// Names under `[workspace.dependencies]`, without our own crates.
fn chosen(manifest: &str) -> Vec<&str> {
    let mut lines = manifest.lines();
    lines.find(|line| *line == "[workspace.dependencies]");
    let section = lines.take_while(|line| !line.starts_with('['));
    let names = section.filter_map(|line| Some(line.split_once('=')?.0.trim()));
    names.filter(|name| !name.starts_with('#') && !name.starts_with("pdpp-")).collect()
}

/// The name in the first cell of a table row: ``| `name` | why |``.
fn explained(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("| `")?;
    Some(rest.split_once('`')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[workspace.dependencies]\npdpp-a = { path = \"a\" }\n\nserde = \"1\"\n\
                            jiff = \"0.2\"\n\n[profile.dev]\ndebug = 1\n";

    fn faults(reasons: &str) -> Vec<String> {
        let tree = Repository::of(&[("Cargo.toml", MANIFEST), (REASONS, reasons)]);
        let mut found = TidyFindings::default();
        every_dependency_has_its_reason(&tree, &mut found);
        found.faults
    }

    #[test]
    fn a_full_table_is_fine() {
        assert_eq!(faults("| `serde` | JSON |\n| `jiff` | time |\n"), [""; 0]);
    }

    #[test]
    fn a_dependency_without_a_reason_is_a_fault_and_so_is_a_reason_without_one() {
        assert_eq!(faults("| `serde` | JSON |\n").len(), 1);
        assert_eq!(faults("| `serde` | |\n| `jiff` | |\n| `rand` | |\n").len(), 1);
    }
}
