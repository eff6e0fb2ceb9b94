//! The `.mcpb` bundle: a zip with a manifest, which desktop programs install with a click.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use super::DIST;
use super::contents::{PackageContents, machine};

const MANIFEST: &str = "packaging/mcpb/manifest.json";

pub fn build(contents: &PackageContents) -> Result<PathBuf> {
    let made = Path::new(DIST).join(file_name(&contents.version));
    let manifest = manifest(&std::fs::read_to_string(MANIFEST)?, &contents.version, platform())?;
    let file = File::create(&made).with_context(|| format!("cannot write {}", made.display()))?;
    let mut bundle = zip::ZipWriter::new(file);
    // Without a time of its own an entry has the format's first day, on every machine.
    let readable = SimpleFileOptions::default().unix_permissions(0o644);
    bundle.start_file("manifest.json", readable)?;
    bundle.write_all(manifest.as_bytes())?;
    bundle.start_file("LICENSE", readable)?;
    bundle.write_all(&std::fs::read("LICENSE")?)?;
    bundle.start_file("server/pdpp", readable.unix_permissions(0o755))?;
    bundle.write_all(&std::fs::read(&contents.program)?)?;
    bundle.finish()?;
    Ok(made)
}

pub fn file_name(version: &str) -> String {
    format!("pdpp-{version}-{}.mcpb", machine())
}

/// What Node, and with it the manifest, calls this system.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

/// The manifest for this version and system: the program inside runs on no other one.
fn manifest(text: &str, version: &str, platform: &str) -> Result<String> {
    let mut manifest: Value = serde_json::from_str(text).with_context(|| MANIFEST.to_owned())?;
    let object = manifest.as_object_mut().with_context(|| MANIFEST.to_owned())?;
    object.insert("version".to_owned(), json!(version));
    object.insert("compatibility".to_owned(), json!({"platforms": [platform]}));
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_for_one_version_and_one_system() {
        let text = r#"{"name":"pdpp","version":"0.0.0","compatibility":{"platforms":["linux"]}}"#;
        let made: Value =
            serde_json::from_str(&manifest(text, "1.2.3", "darwin").unwrap()).unwrap();
        assert_eq!(made["version"], "1.2.3");
        assert_eq!(made["compatibility"]["platforms"], json!(["darwin"]));
        assert_eq!(made["name"], "pdpp");
    }
}
