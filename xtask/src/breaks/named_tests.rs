//! Whether the tests that a break names exist, seen from the sources without compiling them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Break;

/// Whether some test of the package's target has this part in its name.
pub fn exist(root: &Path, case: &Break) -> Result<bool> {
    let (package, target, name) = case.noticed_by;
    let folder = package.trim_start_matches("pdpp-");
    let folder = root.join("crates").join(if folder == "pdpp" { "cli" } else { folder });
    let sources = match target {
        "lib" | "bin" => folder.join("src"),
        target => folder.join("tests").join(target),
    };
    let mut names = Vec::new();
    if target == "conformance" {
        // The cases are functions of a crate of their own; each backend runs them as its tests.
        collect(&root.join("crates/store-conformance/src"), "sqlite::", &mut names)?;
    } else if sources.is_dir() {
        collect(&sources, "", &mut names)?;
    } else {
        of_file(&sources.with_extension("rs"), "", &mut names)?;
    }
    Ok(names.iter().any(|test| test.contains(name)))
}

/// The names of all tests below a folder, with their modules.
fn collect(folder: &Path, modules: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{modules}{stem}::"), names)?;
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let is_root = ["mod", "main", "lib"].contains(&stem.as_str());
            let modules = if is_root { modules.to_owned() } else { format!("{modules}{stem}::") };
            of_file(&path, &modules, names)?;
        }
    }
    Ok(())
}

/// A test is a function behind an attribute that ends in `test`; modules inside of a file count when they
/// have the usual name.
fn of_file(path: &Path, modules: &str, names: &mut Vec<String>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let are_cases = path.components().any(|part| part.as_os_str() == "store-conformance");
    let (mut is_test, mut inside) = (are_cases, "");
    for line in text.lines().map(str::trim) {
        if line == "mod tests {" {
            inside = "tests::";
        } else if line.starts_with("#[") {
            is_test |= line.contains("test]") || line.contains("test(");
        } else if let Some((_, rest)) = line.split_once("fn ") {
            let name = rest.split(['(', '<']).next().unwrap_or_default();
            if is_test {
                names.push(format!("{modules}{inside}{name}"));
            }
            is_test = are_cases;
        }
    }
    Ok(())
}
