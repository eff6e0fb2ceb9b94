//! Clients that were set up here: what they start must be there, with a credential to use.

use std::path::{Path, PathBuf};

use pdpp_contract::ClientName;

use super::{Findings, Scene};
use crate::credentials::Credentials;
use crate::data_dir::DataDir;
use crate::output::quoted;
use crate::setup::{Broken, ConfigFile, Entry, KnownClient, entry_of};

const CHECK: &str = "client_setup";
/// The name that `pdpp setup` gives unless it is told another.
const NAME: &str = "pdpp";

pub fn check(scene: &Scene, findings: &mut Findings) {
    for client in KnownClient::ALL {
        let Some(path) = scene.places.config_file(client) else { continue };
        let Ok(file) = ConfigFile::read(path) else { continue };
        match entry_of(client, file.text(), NAME) {
            Ok(None) | Err(Broken::NotOurs) => {}
            Ok(Some(entry)) => check_entry(client, &entry, scene, findings),
            Err(Broken::Syntax(what) | Broken::Shape(what)) => {
                let what = format!("{} cannot be read: {what}", file.path().display());
                let remedy = format!("mend it; {} does not read it either", client.title());
                findings.note(CHECK, what, remedy);
            }
        }
    }
}

fn check_entry(client: KnownClient, entry: &Entry, scene: &Scene, findings: &mut Findings) {
    let title = client.title();
    let (name, data_dir) = (entry.option("--client"), entry.option("--data-dir"));
    let store = match data_dir {
        Some(path) if Path::new(path) != scene.data_dir.path() => {
            DataDir::new(PathBuf::from(path)).named()
        }
        _ => scene.data_dir.clone(),
    };
    let again = store.advice(&format!("setup {}", client.name()));
    if !Path::new(&entry.command).is_file() {
        let what = format!("{title} starts {}, which is not there", entry.command);
        return findings.fault(CHECK, what, again);
    }
    if let (Some(name), Some(data_dir)) = (name, data_dir) {
        let kept = Credentials::new(store.credentials());
        if let Ok(name) = ClientName::new(name) {
            let create = format!("grant create --client {} --allow …", quoted(name.as_str()));
            let remedy = store.advice(&create);
            match kept.find_document(&name) {
                Ok(Some(_)) => {}
                Ok(None) => {
                    let what =
                        format!("{title} reads as {name}, which has no credential in {data_dir}");
                    return findings.fault(CHECK, what, remedy);
                }
                Err(failure) => {
                    let what = format!("{title} cannot read as {name}: {}", failure.message);
                    return findings.fault(CHECK, what, remedy);
                }
            }
        }
    }
    findings.good(CHECK, format!("{title} is set up"));
}
