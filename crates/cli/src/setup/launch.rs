//! What a client is told to start: this program, with everything it needs on its command line.
//!
//! Clients start servers with an environment of their own making, so nothing is left to it.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use pdpp_contract::ClientName;
use pdpp_mcp::remote::ProviderUrl;

use super::client_paths::ClientPaths;
use super::entry::Entry;
use crate::failure::{Exit, Failure};

/// The name of this program, and of its entry unless another is given.
pub const PROGRAM: &str = "pdpp";

/// A server's name in a client's settings: what every client accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryName(String);

impl EntryName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the name that is taken when none is given.
    pub fn is_default(&self) -> bool {
        self.0 == PROGRAM
    }
}

impl FromStr for EntryName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        let starts = text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        if starts && text.len() <= 40 && text.chars().all(plain) {
            return Ok(Self(text.to_owned()));
        }
        Err("use at most 40 lower-case letters, digits, - and _, starting with a letter or digit")
    }
}

/// The file that holds the address of a client's database.
#[derive(Debug, Clone)]
pub enum AddressFile {
    /// The person's own, used as it is.
    Own(PathBuf),
    /// One of ours beside the credential, written anew by each setup.
    Ours(PathBuf),
}

impl AddressFile {
    /// Where it is, or will be.
    pub fn path(&self) -> &Path {
        match self {
            Self::Own(path) | Self::Ours(path) => path,
        }
    }
}

/// Whose data the client will read.
#[derive(Debug, Clone)]
pub enum LaunchSpec {
    /// The store on this machine, within the grant of this name.
    Local {
        client: ClientName,
        data_dir: PathBuf,
        /// The file that holds the address of its database, if it is in one.
        address: Option<AddressFile>,
    },
    /// A server elsewhere, with the credential that `pdpp connect` has kept.
    Provider { url: ProviderUrl, cache_root: PathBuf },
}

impl LaunchSpec {
    /// The entry that starts it. Every path in it is absolute: clients start in odd places.
    pub fn entry(&self, name: &EntryName, program: &Path) -> Result<Entry, Failure> {
        let mut arguments = vec!["mcp".to_owned()];
        let mut option = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
        match self {
            Self::Local { client, data_dir, address } => {
                option("--client", client.to_string());
                option("--data-dir", text(&absolute(data_dir)?)?);
                if let Some(file) = address {
                    option("--database-url-file", text(&absolute(file.path())?)?);
                }
            }
            Self::Provider { url, cache_root } => {
                option("--provider-url", url.as_str().to_owned());
                option("--cache-root", text(&absolute(cache_root)?)?);
            }
        }
        if !name.is_default() {
            option("--server-name", name.as_str().to_owned());
        }
        Ok(Entry { name: name.as_str().to_owned(), command: text(program)?, arguments })
    }
}

/// This program as it will be found tomorrow: by the name in the search path that leads to it, which
/// survives updates, else where it is now.
pub fn program(places: &ClientPaths) -> Result<PathBuf, Failure> {
    let gone = || {
        let message = "cannot find the path of this program; run it by its full path";
        Failure::new(Exit::Other, "file", message)
    };
    let own = std::env::current_exe().map_err(|_| gone())?;
    let real = std::fs::canonicalize(&own).map_err(|_| gone())?;
    let by_name = places.find_program(PROGRAM);
    let leads_here = |path: &PathBuf| std::fs::canonicalize(path).is_ok_and(|other| other == real);
    Ok(by_name.filter(leads_here).unwrap_or(own))
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::file("find", path, &error))
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let message = format!(
            "{} is not valid text and cannot be written to settings; use another path",
            path.display()
        );
        Failure::new(Exit::Other, "file", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stands_on_the_command_line_and_no_secret_does() {
        let name: EntryName = "pdpp".parse().unwrap();
        let client = ClientName::new("claude-code").unwrap();
        let local = LaunchSpec::Local { client, data_dir: "/home/ada/data".into(), address: None };
        let entry = local.entry(&name, Path::new("/usr/bin/pdpp")).unwrap();
        let line: Vec<&str> = entry.line().collect();
        let expected = ["/usr/bin/pdpp", "mcp", "--client", "claude-code", "--data-dir"];
        assert_eq!(line, [&expected[..], &["/home/ada/data"]].concat());
        let url = "https://data.example.org".parse().unwrap();
        let remote = LaunchSpec::Provider { url, cache_root: "cache".into() };
        let entry = remote.entry(&"work".parse().unwrap(), Path::new("/usr/bin/pdpp")).unwrap();
        assert_eq!(entry.option("--provider-url"), Some("https://data.example.org"));
        assert!(Path::new(entry.option("--cache-root").unwrap()).is_absolute());
        assert_eq!(entry.option("--server-name"), Some("work"));
    }

    #[test]
    fn a_name_is_one_that_every_client_takes() {
        for bad in ["", "My data", "-x", "a.b", "ä", &"a".repeat(41)] {
            assert!(bad.parse::<EntryName>().is_err(), "{bad}");
        }
        assert!("pdpp-demo_2".parse::<EntryName>().is_ok());
    }
}
