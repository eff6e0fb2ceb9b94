//! The breaks as a table for `docs/enforcement.md`, which a test keeps the same as the list.

use super::{ALL_READS, Break, all};

const HEAD: &str = "| left out, | so that | stands before | noticed by |\n|---|---|---|---|\n";

/// One line per break.
pub fn table() -> String {
    all().fold(HEAD.to_owned(), |text, case| text + &line(case))
}

fn line(case: &Break) -> String {
    let mut files: Vec<&str> = Vec::new();
    for edit in case.edits {
        let short = edit.file.trim_start_matches("crates/").trim_end_matches(".rs");
        let short = short.trim_end_matches("/mod");
        if !files.contains(&short) {
            files.push(short);
        }
    }
    let files: Vec<String> =
        files.iter().map(|file| format!("`{}`", file.replacen("/src/", "/", 1))).collect();
    let guards = if case.guards == ALL_READS {
        "every read".to_owned()
    } else {
        case.guards.iter().map(|operation| operation.words()).collect::<Vec<_>>().join(", ")
    };
    let (package, target, name) = case.noticed_by;
    let package = package.trim_start_matches("pdpp-");
    let tests = match (target, name) {
        ("it", "") => package.to_owned(),
        ("it", name) => format!("{package} `{name}`"),
        (target, name) => format!("{package} `{target}`: `{name}`"),
    };
    format!("| {} | {} | {guards} | {tests} |\n", files.join(", "), case.harm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_shows_the_list() {
        let document = crate::run::root().unwrap().join("docs/enforcement.md");
        let document = std::fs::read_to_string(document).unwrap();
        let table = table();
        assert!(document.contains(&table), "put this into docs/enforcement.md:\n\n{table}");
    }
}
