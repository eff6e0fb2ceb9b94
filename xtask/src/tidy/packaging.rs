//! Packages: one version everywhere, and a container that is built from what is there and runs as nobody.

use serde_json::Value;

use super::findings::TidyFindings;
use super::tree::Repository;
use crate::package::version_in;

const CONTAINER: &str = "Dockerfile";
const ENTRY: &str = "server.json";
const BUNDLE: &str = "packaging/mcpb/manifest.json";
const TOOLCHAIN: &str = "rust-toolchain.toml";

/// Cargo's version is the version; every other file that names one repeats it.
pub fn versions_agree(tree: &Repository, found: &mut TidyFindings) {
    let manifest = tree.find("Cargo.toml").and_then(|file| version_in(&file.text).ok());
    let Some(version) = manifest else {
        found.fault("Cargo.toml", "names no version for the workspace");
        return;
    };
    for path in [ENTRY, BUNDLE] {
        let Some(document) = json(tree, path) else {
            found.fault(path, "is missing or no JSON");
            continue;
        };
        if document.get("version").and_then(Value::as_str) != Some(version.as_str()) {
            found.fault(path, format!("`version` is not Cargo's {version}"));
        }
        let packages = document.get("packages").and_then(Value::as_array);
        for package in packages.into_iter().flatten() {
            let identifier = package.get("identifier").and_then(Value::as_str).unwrap_or_default();
            if !identifier.contains(&version) {
                found.fault(path, format!("`{identifier}` is not of version {version}"));
            }
        }
    }
}

/// What no container engine is needed to see.
pub fn the_container_is_sound(tree: &Repository, found: &mut TidyFindings) {
    let Some(file) = tree.find(CONTAINER) else {
        found.fault(CONTAINER, "is missing");
        return;
    };
    let whole = file.text.replace("\\\n", " ");
    let lines: Vec<&str> = whole.lines().map(str::trim).collect();
    let of = |word: &'static str| lines.iter().filter_map(move |line| line.strip_prefix(word));
    for source in of("COPY ").flat_map(sources) {
        let inside = format!("{source}/");
        if !tree.files.iter().any(|one| one.path == source || one.path.starts_with(&inside)) {
            found.fault(CONTAINER, format!("copies `{source}`, which is not there"));
        }
    }
    let user = of("USER ").next_back().unwrap_or("root");
    if user.starts_with("root") || user.starts_with('0') || user.is_empty() {
        found.fault(CONTAINER, format!("runs as `{user}`"));
    }
    for image in of("FROM ") {
        let image = image.split_whitespace().next().unwrap_or_default();
        let tag = image.rsplit('/').next().and_then(|name| name.split_once(':'));
        if tag.is_none_or(|(_, tag)| tag == "latest") {
            found.fault(CONTAINER, format!("`{image}` may be another image tomorrow"));
        }
    }
    if of("HEALTHCHECK ").next().is_none() {
        found.fault(CONTAINER, "has no HEALTHCHECK");
    }
    if of("ADD ").next().is_some() {
        found.fault(CONTAINER, "uses ADD, which fetches and unpacks; COPY says what it does");
    }
    let channel = tree.find(TOOLCHAIN).and_then(|file| quoted(&file.text, "channel = "));
    let built = of("FROM rust:").next();
    if let (Some(channel), Some(built)) = (channel, built)
        && !built.starts_with(&format!("{channel}-"))
    {
        found.fault(CONTAINER, format!("builds with rust {built} and not with {channel}"));
    }
}

/// The paths of a COPY that come out of the repository.
fn sources(copy: &str) -> Vec<String> {
    let words: Vec<&str> = copy.split_whitespace().collect();
    if words.iter().any(|word| word.starts_with("--from=")) {
        return Vec::new();
    }
    let paths: Vec<&str> = words.into_iter().filter(|word| !word.starts_with("--")).collect();
    let sources = paths.split_last().map_or(&[][..], |(_, before)| before);
    sources.iter().map(|path| path.trim_end_matches('/').to_owned()).collect()
}

fn json(tree: &Repository, path: &str) -> Option<Value> {
    serde_json::from_str(&tree.find(path)?.text).ok()
}

fn quoted<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(value.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARGO: &str = "[workspace.package]\nversion = \"0.2.0\"\n";
    const GOOD: &str = "FROM rust:1.95.0-bookworm AS build\nCOPY Cargo.toml crates/ ./\n\
        FROM quiet/base:12\nCOPY --from=build /out/pdpp /pdpp\nUSER 65532\nHEALTHCHECK CMD [\"/pdpp\"]\n";

    fn versions(entry: &str) -> Vec<String> {
        let tree = Repository::of(&[
            ("Cargo.toml", CARGO),
            (ENTRY, entry),
            (BUNDLE, "{\"version\":\"0.2.0\"}"),
        ]);
        let mut found = TidyFindings::default();
        versions_agree(&tree, &mut found);
        found.faults
    }

    fn container(text: &str) -> Vec<String> {
        let tree = Repository::of(&[
            ("Cargo.toml", CARGO),
            ("crates/a.rs", ""),
            (TOOLCHAIN, "[toolchain]\nchannel = \"1.95.0\"\n"),
            (CONTAINER, text),
        ]);
        let mut found = TidyFindings::default();
        the_container_is_sound(&tree, &mut found);
        found.faults
    }

    #[test]
    fn an_old_version_is_a_fault_wherever_it_stands() {
        let entry = |version: &str, package: &str| {
            format!(
                "{{\"version\":\"{version}\",\"packages\":[{{\"identifier\":\"x:{package}\"}}]}}"
            )
        };
        assert_eq!(versions(&entry("0.2.0", "0.2.0")), [""; 0]);
        assert_eq!(versions(&entry("0.1.0", "0.2.0")).len(), 1);
        assert_eq!(versions(&entry("0.2.0", "0.1.0")).len(), 1);
        assert_eq!(versions("not json").len(), 1);
    }

    #[test]
    fn each_slip_in_a_container_is_a_fault() {
        assert_eq!(container(GOOD), [""; 0]);
        for (right, wrong) in [
            ("crates/ ./", "crate/ ./"),
            ("USER 65532", "USER root"),
            ("USER 65532", "USER 0:0"),
            ("USER 65532\n", ""),
            ("base:12", "base"),
            ("base:12", "base:latest"),
            ("HEALTHCHECK", "# HEALTHCHECK"),
            ("COPY Cargo.toml", "ADD Cargo.toml"),
            ("rust:1.95.0", "rust:1.94.0"),
        ] {
            let faults = container(&GOOD.replacen(right, wrong, 1));
            assert_eq!(faults.len(), 1, "{wrong}: {faults:?}");
        }
    }
}
