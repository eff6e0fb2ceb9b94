//! Settings: the command line first, then the environment. The one place that reads the latter.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::connect::Browser;
use crate::data_dir::DataDir;
use crate::data_dir::account_keys::{CREDENTIAL_NAME, KeyFile};
use crate::data_dir::database_address::{DatabaseAddress, NamedBy};
use crate::failure::Failure;
use crate::platform;
use crate::setup::ClientPaths;

/// Settings of `pdpp mcp`.
#[derive(Debug, Clone, Default)]
pub struct AgentSettings {
    /// The provider to read from.
    pub provider_url: Option<String>,
    /// Where its credential is kept.
    pub cache_root: Option<PathBuf>,
    /// What the server calls itself.
    pub server_name: Option<String>,
}

/// Every variable of the environment, to look for what must not be there.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the place where the environment enters the program"
)]
pub fn variables() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os()
}

/// What the environment says, read once.
pub struct Environment {
    data_dir: Option<PathBuf>,
    data_home: Option<PathBuf>,
    database_url: Option<OsString>,
    database_url_file: Option<PathBuf>,
    key_file: Option<PathBuf>,
    /// Where systemd puts the credentials of a service.
    credentials_directory: Option<PathBuf>,
    agents: AgentSettings,
    places: ClientPaths,
    /// How to show a page to the person at this machine.
    pub browser: Browser,
    /// The person wants no colours.
    pub no_colour: bool,
    /// A developer wants to see the stack of a fault.
    pub wants_stack: bool,
    /// Which log lines to show; `None` for the usual ones.
    pub log_filter: Option<String>,
}

impl Environment {
    /// Reads the environment of the process.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place where the environment enters the program"
    )]
    pub fn read() -> Self {
        Self::from_lookup(&|name| std::env::var_os(name))
    }

    fn from_lookup(variable: platform::Lookup<'_>) -> Self {
        // A variable that is set to nothing is the shell's way to unset one for a single command.
        let given = |name: &str| variable(name).filter(|value| !value.is_empty());
        let text = |name: &str| given(name).map(|value| value.to_string_lossy().into_owned());
        Self {
            data_dir: given("PDPP_DATA_DIR").map(PathBuf::from),
            data_home: platform::data_home(&given),
            database_url: given("PDPP_DATABASE_URL"),
            database_url_file: given("PDPP_DATABASE_URL_FILE").map(PathBuf::from),
            key_file: given("PDPP_KEY_FILE").map(PathBuf::from),
            credentials_directory: given("CREDENTIALS_DIRECTORY").map(PathBuf::from),
            agents: AgentSettings {
                provider_url: text("PDPP_PROVIDER_URL"),
                cache_root: given("PDPP_CACHE_ROOT").map(PathBuf::from),
                server_name: text("PDPP_MCP_SERVER_NAME"),
            },
            places: ClientPaths::read(&given),
            browser: Browser {
                program: text("BROWSER"),
                has_screen: cfg!(any(windows, target_os = "macos"))
                    || given("DISPLAY").is_some()
                    || given("WAYLAND_DISPLAY").is_some(),
            },
            no_colour: given("NO_COLOR").is_some()
                || given("TERM").is_some_and(|kind| kind == "dumb"),
            wants_stack: given("RUST_BACKTRACE").is_some_and(|value| value != "0"),
            log_filter: given("PDPP_LOG").map(|value| value.to_string_lossy().into_owned()),
        }
    }

    /// What the environment says about `pdpp mcp`.
    pub fn agent_settings(&self) -> AgentSettings {
        self.agents.clone()
    }

    /// Where credentials for providers are: the option, else `PDPP_CACHE_ROOT`, else the data directory.
    pub fn cache_root(&self, option: Option<PathBuf>, data_dir: &DataDir) -> PathBuf {
        option.or_else(|| self.agents.cache_root.clone()).unwrap_or_else(|| data_dir.providers())
    }

    /// Where the keys of account credentials are: the option, else `PDPP_KEY_FILE`, else a credential that
    /// systemd hands over, else the data directory.
    pub fn key_file(&self, option: Option<PathBuf>, data_dir: &DataDir) -> KeyFile {
        let handed = self.credentials_directory.as_ref().map(|place| place.join(CREDENTIAL_NAME));
        let handed = handed.filter(|file| file.is_file());
        match option.or_else(|| self.key_file.clone()).or(handed) {
            Some(path) => KeyFile::given(path),
            None => KeyFile::in_data_dir(data_dir),
        }
    }

    /// The database that an option names, or else a variable.
    pub fn database(
        &self,
        url: Option<String>,
        url_file: Option<PathBuf>,
    ) -> Result<Option<DatabaseAddress>, Failure> {
        match (url, url_file) {
            // The parser sees this only where both stand on one side of the command's name.
            (Some(_), Some(_)) => Err(Failure::usage(
                "--database-url and --database-url-file are both given; use one of them",
            )),
            (Some(url), None) => DatabaseAddress::from_url(&url, NamedBy::Option).map(Some),
            (None, Some(path)) => DatabaseAddress::from_file(path, NamedBy::Option).map(Some),
            (None, None) => self.usual_database(),
        }
    }

    /// The same for a command that may need none: an address that cannot be read is refused where a
    /// store is opened.
    pub fn database_if_needed(
        &self,
        url: Option<String>,
        url_file: Option<PathBuf>,
    ) -> Option<DatabaseAddress> {
        let (by, file) = match (&url, &url_file) {
            (None, None) => (NamedBy::Variable, &self.database_url_file),
            _ => (NamedBy::Option, &url_file),
        };
        let file = file.clone();
        let unread = |why| Some(DatabaseAddress::unread(why, by, file));
        self.database(url, url_file).unwrap_or_else(unread)
    }

    fn usual_database(&self) -> Result<Option<DatabaseAddress>, Failure> {
        match (&self.database_url, &self.database_url_file) {
            (Some(_), Some(_)) => Err(Failure::usage(
                "PDPP_DATABASE_URL and PDPP_DATABASE_URL_FILE are both set; unset one of them",
            )),
            (Some(url), None) => {
                let no_text =
                    "PDPP_DATABASE_URL is not valid text; write it like postgres://host/name";
                let url = url.to_str().ok_or_else(|| Failure::usage(no_text))?;
                DatabaseAddress::from_url(url, NamedBy::Variable).map(Some)
            }
            (None, Some(path)) => {
                DatabaseAddress::from_file(path.clone(), NamedBy::Variable).map(Some)
            }
            (None, None) => Ok(None),
        }
    }

    /// Where the clients on this machine keep their settings.
    pub fn places(&self) -> &ClientPaths {
        &self.places
    }

    /// What belongs to this machine, and the store unless a database holds it: the option, else
    /// `PDPP_DATA_DIR`, else the platform's place.
    pub fn directory(&self, option: Option<PathBuf>) -> Result<DataDir, Failure> {
        let usual = || self.data_home.as_ref().map(|home| home.join("pdpp"));
        let unnamed = match &self.data_dir {
            Some(path) => Some(DataDir::new(path.clone()).by_variable()),
            None => usual().map(DataDir::new),
        };
        match (option, unnamed) {
            (Some(path), Some(unnamed)) if unnamed.path() == path => Ok(unnamed),
            (Some(path), _) => Ok(DataDir::new(path).named()),
            (None, unnamed) => unnamed.ok_or_else(|| {
                let words = "cannot find your data directory; set it with --data-dir";
                Failure::usage(words)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment::from_lookup(&|name| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_option_wins_over_the_variable_and_the_variable_over_the_platform() {
        let both = environment(&[("PDPP_DATA_DIR", "/variable"), ("HOME", "/home/ada")]);
        let chosen = |option: Option<&str>| {
            let dir = both.directory(option.map(PathBuf::from)).unwrap();
            dir.path().to_owned()
        };
        assert_eq!(chosen(Some("/option")), PathBuf::from("/option"));
        assert_eq!(chosen(None), PathBuf::from("/variable"));
        let empty = environment(&[("PDPP_DATA_DIR", ""), ("HOME", "/home/ada")]);
        assert!(empty.directory(None).unwrap().path().ends_with("pdpp"));
        assert_eq!(environment(&[]).directory(None).unwrap_err().exit, Exit::Usage);
    }

    #[test]
    fn a_database_is_used_when_one_is_named_and_its_password_is_never_shown() {
        let home = ("HOME", "/home/ada");
        assert!(environment(&[home]).database(None, None).unwrap().is_none());
        let url = "postgres://ada:secret@host/db".to_owned();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{url}\n")).unwrap();
        let path = file.path().to_str().unwrap();
        let set = environment(&[home, ("PDPP_DATABASE_URL", &url)]);
        let set_file = environment(&[home, ("PDPP_DATABASE_URL_FILE", path)]);
        let plain = environment(&[home]);
        for found in [
            set.database(None, None),
            set_file.database(None, None),
            plain.database(Some(url.clone()), None),
            plain.database(None, Some(path.into())),
        ] {
            let found = found.unwrap().unwrap();
            assert!(!format!("{found:?}").contains("secret"));
        }
        let refusal = set.database(Some("mysql://ada:secret@host".to_owned()), None).unwrap_err();
        assert_eq!(refusal.exit, Exit::Usage);
        assert!(!refusal.sentence().contains("secret"));
        let both = [home, ("PDPP_DATABASE_URL", &url), ("PDPP_DATABASE_URL_FILE", path)];
        let refusal = environment(&both).database(None, None).unwrap_err();
        assert!(refusal.exit == Exit::Usage && refusal.message.contains("are both set"));
        // A file that is named for one command wins over what is set for all of them.
        let named = set.database(None, Some(path.into())).unwrap();
        assert!(named.unwrap().lasting_file().is_some());
    }
}
