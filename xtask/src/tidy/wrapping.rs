//! Documentation is wrapped, so that a change of one sentence is a diff of one line or two.

use super::findings::TidyFindings;
use super::tree::Repository;

const MAX_COLUMNS: usize = 100;

pub fn documentation_is_wrapped(tree: &Repository, found: &mut TidyFindings) {
    for file in tree.files.iter().filter(|file| file.has_extension("md")) {
        let mut in_code = false;
        for (number, line) in (1..).zip(file.text.lines()) {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            }
            if !in_code && is_too_wide(line) {
                let place = format!("{}:{number}", file.path);
                found.fault(place, format!("is wider than {MAX_COLUMNS} columns"));
            }
        }
    }
}

/// Tables and markup have one line per row, and a word that is too long cannot be broken.
fn is_too_wide(line: &str) -> bool {
    let text = line.trim_start();
    let is_row = text.starts_with(['|', '<', '#']) || text.starts_with("![");
    let words = text.trim_start_matches(['-', '*', '>', ' ']);
    line.chars().count() > MAX_COLUMNS && !is_row && words.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> usize {
        let mut found = TidyFindings::default();
        documentation_is_wrapped(&Repository::of(&[("docs/a.md", text)]), &mut found);
        found.faults.len()
    }

    #[test]
    fn a_wide_line_of_text_is_a_fault() {
        let wide = "word ".repeat(21);
        assert_eq!(faults(&wide), 1);
        assert_eq!(faults(&format!("- {wide}")), 1);
        assert_eq!(faults(&"word ".repeat(19)), 0);
    }

    #[test]
    fn tables_code_headings_and_long_addresses_may_be_wide() {
        let wide = "word ".repeat(21);
        assert_eq!(faults(&format!("| {wide} |\n# {wide}\n<p>{wide}</p>\n")), 0);
        assert_eq!(faults(&format!("```\n{wide}\n```\n")), 0);
        assert_eq!(faults(&format!("- {}", "x".repeat(120))), 0);
    }
}
