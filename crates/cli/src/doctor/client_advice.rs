//! What is advised about an entry of a client: commands that name the same entry and its store.

use crate::output::quoted;
use crate::setup::{Entry, EntryStore, KnownClient, PROGRAM};

/// A command that finds the store of an entry, also when the file with its address is gone.
pub fn advice(place: &EntryStore, command: &str) -> String {
    match place.data_dir() {
        Ok(_) => place.advice(command),
        Err(_) => format!("{} --database-url-file FILE", place.directory().advice(command)),
    }
}

/// What to do about a client that is to read no more.
pub fn end(client: KnownClient, entry: &Entry) -> String {
    let name = match entry.name.as_str() {
        PROGRAM => String::new(),
        name => format!(" --name {}", quoted(name)),
    };
    format!("or remove it with: pdpp setup {} --remove{name}", client.name())
}

/// The command that sets the client up as it was.
pub fn again(client: KnownClient, entry: &Entry, place: &EntryStore) -> String {
    let line = line(client, entry);
    match entry.option("--provider-url") {
        Some(_) => format!("pdpp {line}"),
        None => advice(place, &line),
    }
}

/// The same without the store.
pub fn line(client: KnownClient, entry: &Entry) -> String {
    let mut line = format!("setup {}", client.name());
    let mut add = |option: &str, value: &str| {
        line.push_str(&format!(" {option} {}", quoted(value)));
    };
    if entry.name != PROGRAM {
        add("--name", &entry.name);
    }
    if let Some(name) = entry.option("--client").filter(|name| *name != client.name()) {
        add("--client", name);
    }
    if let Some(url) = entry.option("--provider-url") {
        add("--provider-url", url);
        if let Some(root) = entry.option("--cache-root") {
            add("--cache-root", root);
        }
    }
    line
}
