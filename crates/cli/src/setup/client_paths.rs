//! Where each client keeps its settings, and whether it is on this machine at all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::client::KnownClient;
use crate::platform::{self, Lookup};

/// Editions of VS Code, each with a directory of its own.
const CODE_EDITIONS: [&str; 3] = ["Code", "Code - Insiders", "VSCodium"];

/// What the environment says about places.
#[derive(Debug, Clone, Default)]
pub struct ClientPaths {
    home: Option<PathBuf>,
    config_home: Option<PathBuf>,
    xdg_config_home: Option<PathBuf>,
    claude_config: Option<PathBuf>,
    codex_home: Option<PathBuf>,
    gemini_home: Option<PathBuf>,
    search_path: Option<OsString>,
}

/// By what a client was noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installation {
    /// Its program can be started.
    Program(PathBuf),
    /// It has left settings.
    Settings,
    /// Nothing speaks for it.
    No,
}

impl ClientPaths {
    /// Reads what is needed; nothing is looked at yet.
    pub fn read(variable: Lookup<'_>) -> Self {
        // A relative one would mean another place whenever the client is started elsewhere.
        let directory =
            |name: &str| variable(name).map(PathBuf::from).filter(|path| path.has_root());
        Self {
            home: platform::home(variable),
            config_home: platform::config_home(variable),
            xdg_config_home: platform::xdg_config_home(variable),
            claude_config: directory("CLAUDE_CONFIG_DIR"),
            codex_home: directory("CODEX_HOME"),
            gemini_home: directory("GEMINI_CLI_HOME"),
            search_path: variable("PATH"),
        }
    }

    /// The file with the client's settings for this person; `None` when nobody knows their home.
    pub fn config_file(&self, client: KnownClient) -> Option<PathBuf> {
        let home = self.home.as_deref();
        let file = match client {
            KnownClient::ClaudeCode => self.claude_config.as_deref().or(home)?.join(".claude.json"),
            KnownClient::ClaudeDesktop => {
                self.config_home.as_ref()?.join("Claude/claude_desktop_config.json")
            }
            KnownClient::Codex => self.codex()?.join("config.toml"),
            KnownClient::Cursor => home?.join(".cursor/mcp.json"),
            KnownClient::Vscode => self.code_user()?.join("mcp.json"),
            KnownClient::Gemini => {
                self.gemini_home.as_deref().or(home)?.join(".gemini/settings.json")
            }
            KnownClient::Opencode => first_that_exists(
                &self.xdg_config_home.as_ref()?.join("opencode"),
                &["opencode.jsonc", "opencode.json"],
                "opencode.json",
            ),
        };
        Some(file)
    }

    /// By what the client can be noticed here.
    pub fn seen(&self, client: KnownClient) -> Installation {
        if let Some(program) = client.command().and_then(|name| self.find_program(name)) {
            return Installation::Program(program);
        }
        let Some(file) = self.config_file(client) else { return Installation::No };
        // Claude Code's file lies in the home itself, which says nothing.
        let directory = match (client, &self.home) {
            (KnownClient::ClaudeCode, Some(home)) => Some(home.join(".claude")),
            _ => file.parent().map(Path::to_owned),
        };
        let left_settings = file.exists() || directory.is_some_and(|place| place.is_dir());
        if left_settings { Installation::Settings } else { Installation::No }
    }

    /// The first program of this name in the search path.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
        let path = self.search_path.as_ref()?;
        // A relative directory would depend on where we were started.
        let directories = std::env::split_paths(path).filter(|directory| directory.has_root());
        let mut candidates = directories.flat_map(|directory| {
            endings.iter().map(move |end| directory.join(format!("{name}{end}")))
        });
        candidates.find(|candidate| is_program(candidate))
    }

    fn codex(&self) -> Option<PathBuf> {
        self.codex_home.clone().or_else(|| Some(self.home.as_ref()?.join(".codex")))
    }

    /// The edition that is there; the usual one when none is.
    fn code_user(&self) -> Option<PathBuf> {
        let base = self.config_home.as_ref()?;
        let user = |edition: &str| base.join(edition).join("User");
        let there = CODE_EDITIONS.into_iter().map(user).find(|directory| directory.is_dir());
        there.or_else(|| Some(user("Code")))
    }
}

fn first_that_exists(directory: &Path, names: &[&str], otherwise: &str) -> PathBuf {
    let there = names.iter().map(|name| directory.join(name)).find(|file| file.exists());
    there.unwrap_or_else(|| directory.join(otherwise))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(not(any(windows, target_os = "macos")))]
#[cfg(test)]
mod tests {
    use super::*;

    fn places(pairs: &[(&str, &str)]) -> ClientPaths {
        ClientPaths::read(&|name| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn each_client_has_its_file_and_its_variable() {
        let usual = places(&[("HOME", "/home/ada")]);
        let files = [
            (KnownClient::ClaudeCode, "/home/ada/.claude.json"),
            (KnownClient::ClaudeDesktop, "/home/ada/.config/Claude/claude_desktop_config.json"),
            (KnownClient::Codex, "/home/ada/.codex/config.toml"),
            (KnownClient::Cursor, "/home/ada/.cursor/mcp.json"),
            (KnownClient::Vscode, "/home/ada/.config/Code/User/mcp.json"),
            (KnownClient::Gemini, "/home/ada/.gemini/settings.json"),
            (KnownClient::Opencode, "/home/ada/.config/opencode/opencode.json"),
        ];
        for (client, file) in files {
            assert_eq!(usual.config_file(client), Some(PathBuf::from(file)));
        }
        let moved = places(&[
            ("HOME", "/home/ada"),
            ("CODEX_HOME", "/c"),
            ("CLAUDE_CONFIG_DIR", "/cc"),
            ("GEMINI_CLI_HOME", "/g"),
            ("XDG_CONFIG_HOME", "/x"),
        ]);
        let moved = |client| moved.config_file(client).unwrap().display().to_string();
        assert_eq!(moved(KnownClient::Codex), "/c/config.toml");
        assert_eq!(moved(KnownClient::ClaudeCode), "/cc/.claude.json");
        assert_eq!(moved(KnownClient::Gemini), "/g/.gemini/settings.json");
        assert_eq!(moved(KnownClient::Vscode), "/x/Code/User/mcp.json");
        assert_eq!(places(&[]).config_file(KnownClient::Cursor), None);
    }

    #[test]
    fn what_is_there_is_noticed_and_chosen() {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path();
        let path = home.to_str().unwrap();
        let found = places(&[("HOME", path), ("PATH", &format!("bin:{path}/bin"))]);
        for client in KnownClient::ALL {
            assert_eq!(found.seen(client), Installation::No, "{}", client.name());
        }
        std::fs::create_dir_all(home.join(".config/opencode")).unwrap();
        std::fs::write(home.join(".config/opencode/opencode.jsonc"), "{}").unwrap();
        std::fs::create_dir_all(home.join(".config/VSCodium/User")).unwrap();
        std::fs::create_dir_all(home.join("bin/gemini")).unwrap();
        assert_eq!(found.seen(KnownClient::Opencode), Installation::Settings);
        assert!(found.config_file(KnownClient::Opencode).unwrap().ends_with("opencode.jsonc"));
        assert!(
            found.config_file(KnownClient::Vscode).unwrap().ends_with("VSCodium/User/mcp.json")
        );
        assert_eq!(found.seen(KnownClient::Gemini), Installation::No, "a directory is no program");
    }
}
