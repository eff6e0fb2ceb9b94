//! `pdpp setup`: a client's settings before, between and after.

mod checking;
mod database;
mod database_faults;
mod database_hints;
mod database_leftovers;
mod foreign_secrets;
mod one_path;
mod refusing;
mod writing;

use std::path::PathBuf;

use crate::program::Home;
use crate::sample::{imported, letters};

/// Every client with the file that holds its settings in a home on Linux.
pub const CLIENTS: [(&str, &str); 7] = [
    ("claude-code", ".claude.json"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
    ("codex", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json"),
    ("gemini", ".gemini/settings.json"),
    ("opencode", ".config/opencode/opencode.json"),
];

/// A home in which every client has settings and a grant.
pub fn furnished() -> Home {
    furnish(Home::file_store())
}

/// The same for a home of the test's choice.
pub fn furnish(home: Home) -> Home {
    imported(&home, "post", &letters(0..3));
    for (client, file) in CLIENTS {
        let path = home.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, settings(file)).unwrap();
        home.json(&["grant", "create", "--client", client, "--allow", "post", "--json"]);
    }
    home
}

/// Settings of a person who has some already.
pub fn settings(file: &str) -> String {
    if file.ends_with("toml") {
        let text = "model = \"o5\" # mine\n\n[mcp_servers.other]\nurl = \"https://x\"\n# the end\n";
        return text.to_owned();
    }
    "{\n  // mine\n  \"theme\": \"dark\",\n  \"numbers\": [1.0, 2]\n}\n".to_owned()
}

/// The settings of a client in this home.
pub fn file_of(home: &Home, client: &str) -> PathBuf {
    let (_, file) = CLIENTS.iter().find(|(name, _)| *name == client).unwrap();
    home.path().join(file)
}

/// The files beside a client's settings that keep what was there before.
pub fn backups(home: &Home, client: &str) -> Vec<PathBuf> {
    let directory = file_of(home, client).parent().unwrap().to_owned();
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains(".before-pdpp-")).collect()
}
