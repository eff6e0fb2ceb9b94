//! `server.json` for the MCP registry, with the bundle's digest and the address of this release.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::DIST;
use super::checksums::sha256;
use super::contents::PackageContents;

const ENTRY: &str = "server.json";

pub fn write(contents: &PackageContents, bundle: &Path, home: &str) -> Result<PathBuf> {
    let entry = std::fs::read_to_string(ENTRY)?;
    let name = bundle.file_name().and_then(|name| name.to_str()).context("a bundle has a name")?;
    let entry = entry_for(&entry, &contents.version, home, (name, &sha256(bundle)?))?;
    let made = Path::new(DIST).join(ENTRY);
    std::fs::write(&made, entry)?;
    Ok(made)
}

/// The entry of one release: `home` is `https://github.com/OWNER/NAME`.
fn entry_for(
    text: &str,
    version: &str,
    home: &str,
    (name, digest): (&str, &str),
) -> Result<String> {
    let home = home.trim_end_matches('/');
    let place = home.strip_prefix("https://github.com/").and_then(|place| place.split_once('/'));
    let Some((owner, repository)) = place.filter(|(_, rest)| !rest.contains('/')) else {
        bail!("`--home` is https://github.com/OWNER/NAME, and not `{home}`");
    };
    let mut entry: Value = serde_json::from_str(text).context(ENTRY)?;
    let mut put = |pointer: &str, value: String| -> Result<()> {
        let place = entry.pointer_mut(pointer).with_context(|| format!("{ENTRY}: no {pointer}"))?;
        *place = json!(value);
        Ok(())
    };
    put("/name", format!("io.github.{owner}/{repository}"))?;
    put("/version", version.to_owned())?;
    put("/repository/url", home.to_owned())?;
    put("/packages/0/identifier", format!("{home}/releases/download/v{version}/{name}"))?;
    let image = format!("ghcr.io/{}/{repository}:{version}", owner.to_ascii_lowercase());
    put("/packages/1/identifier", image)?;
    let package = entry.pointer_mut("/packages/0").and_then(Value::as_object_mut);
    package.context(ENTRY)?.insert("fileSha256".to_owned(), json!(digest));
    Ok(serde_json::to_string_pretty(&entry)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_its_release_and_the_digest_of_its_bundle() {
        let text = std::fs::read_to_string("../server.json").unwrap();
        let digest = "a".repeat(64);
        let bundle = ("pdpp-1.2.3-linux-x86_64.mcpb", digest.as_str());
        let made = entry_for(&text, "1.2.3", "https://github.com/Ada/pdpp/", bundle).unwrap();
        let made: Value = serde_json::from_str(&made).unwrap();
        assert_eq!(made["name"], "io.github.Ada/pdpp");
        assert_eq!(
            made["packages"][0]["identifier"],
            "https://github.com/Ada/pdpp/releases/download/v1.2.3/pdpp-1.2.3-linux-x86_64.mcpb"
        );
        assert_eq!(made["packages"][0]["fileSha256"], digest);
        assert_eq!(made["packages"][1]["identifier"], "ghcr.io/ada/pdpp:1.2.3");
        assert!(entry_for(&text, "1.2.3", "https://example.org/pdpp", bundle).is_err());
    }
}
