//! The store that an entry starts with, and how a person names it on the command line.

use std::path::{Path, PathBuf};

use super::entry::Entry;
use crate::data_dir::DataDir;
use crate::data_dir::database_address::{DatabaseAddress, NamedBy};
use crate::failure::Failure;

/// Where an entry leads, however much of that it leaves to its environment.
pub struct EntryStore {
    directory: DataDir,
    /// Its database, when it names one; the failure when that cannot be found out.
    address: Result<Option<DatabaseAddress>, Failure>,
    /// The variable here that names a database to commands which name none.
    variable: Option<&'static str>,
}

impl EntryStore {
    /// What the entry names; where it names nothing at all, what is usual here.
    pub fn of(entry: &Entry, usual: &DataDir) -> Self {
        let named = entry.option("--data-dir").map(Path::new);
        let directory = match named.filter(|path| absolute(path) != absolute(usual.path())) {
            Some(path) => DataDir::new(path.to_owned()).named(),
            None => usual.clone(),
        };
        let file = entry.option("--database-url-file");
        let address = match (file, entry.option("--database-url")) {
            (Some(file), _) => DatabaseAddress::from_file(file.into(), NamedBy::Option).map(Some),
            (None, Some(url)) => DatabaseAddress::from_url(url, NamedBy::Option).map(Some),
            (None, None) if named.is_none() => Ok(usual.address().cloned()),
            (None, None) => Ok(None),
        };
        let variable = usual.address().filter(|address| address.option().is_none());
        let variable = variable.map(|address| match address.lasting_file() {
            Some(_) => "PDPP_DATABASE_URL_FILE",
            None => "PDPP_DATABASE_URL",
        });
        Self { directory: directory.with_database(None), address, variable }
    }

    /// The store in the file of a directory, beside which a database is usual here.
    pub fn in_file(usual: &DataDir) -> Self {
        let entry = Entry {
            name: String::new(),
            command: String::new(),
            arguments: vec!["--data-dir".to_owned(), usual.path().display().to_string()],
        };
        Self::of(&entry, usual)
    }

    /// What belongs to this machine: credentials.
    pub fn directory(&self) -> &DataDir {
        &self.directory
    }

    /// The store, unless its database is named by what cannot be read.
    pub fn data_dir(&self) -> Result<DataDir, &Failure> {
        let address = self.address.as_ref()?.clone();
        Ok(self.directory.clone().with_database(address))
    }

    /// A command for the person to type, with what it needs to find the same store.
    pub fn advice(&self, command: &str) -> String {
        match (self.data_dir(), self.variable) {
            // The variable would lead the command, and with it the client, to a database.
            (Ok(store), Some(variable)) if store.address().is_none() => {
                format!("{variable}= {}", store.advice(command))
            }
            (Ok(store), _) => store.advice(command),
            // Without it the command would work on the store in the directory.
            (Err(_), _) => format!("{} --database-url URL", self.directory.advice(command)),
        }
    }

    /// Whether it is the same store as another one.
    pub fn is(&self, other: &DataDir) -> bool {
        let address = |store: &DataDir| store.database().map(pdpp_store::Database::address);
        let same = |store: DataDir| {
            absolute(store.path()) == absolute(other.path()) && address(&store) == address(other)
        };
        self.data_dir().is_ok_and(same)
    }

    /// Whether it is the same store, though credentials may lie in two directories.
    pub fn holds_the_same(&self, other: &DataDir) -> bool {
        self.is(other) || self.data_dir().is_ok_and(|store| store.shares_database(other))
    }
}

/// The path from the root, so that two ways to write it are one.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(arguments: &[&str], usual: &DataDir) -> EntryStore {
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        let (name, command) = ("pdpp".to_owned(), "/usr/bin/pdpp".to_owned());
        EntryStore::of(&Entry { name, command, arguments }, usual)
    }

    #[test]
    fn what_an_entry_names_is_not_mixed_with_what_is_usual() {
        let url = "postgres://ada:sesame@h/x";
        let address = DatabaseAddress::from_url(url, NamedBy::Option).unwrap();
        let usual = DataDir::new("data".into()).with_database(Some(address));
        let here = absolute(usual.path());
        let here = here.to_str().unwrap();
        let nothing = store(&["mcp", "--client", "a"], &usual);
        assert!(nothing.is(&usual));
        assert_eq!(nothing.advice("audit"), "pdpp audit --database-url URL");
        let in_file = store(&["mcp", "--client", "a", "--data-dir", here], &usual);
        assert!(!in_file.is(&usual), "the store in the directory is another one");
        assert_eq!(in_file.advice("audit"), "pdpp audit");
        let by_url = format!("--database-url={url}");
        assert!(store(&["mcp", "--data-dir", here, &by_url], &usual).is(&usual));
        let elsewhere = store(&["mcp", "--data-dir=/other", "--database-url-file=/none"], &usual);
        assert_eq!(elsewhere.advice("audit"), "pdpp audit --data-dir /other --database-url URL");
        assert!(elsewhere.data_dir().is_err());
    }

    #[test]
    fn a_variable_leads_no_entry_from_its_file_to_a_database() {
        let url = "postgres://ada:sesame@h/x".to_owned();
        let address = DatabaseAddress::from_url(&url, NamedBy::Variable).unwrap();
        let usual = DataDir::new("/data".into()).with_database(Some(address));
        let in_file = store(&["mcp", "--client", "a", "--data-dir", "/data"], &usual);
        assert_eq!(in_file.advice("setup codex"), "PDPP_DATABASE_URL= pdpp setup codex");
        assert_eq!(store(&["mcp"], &usual).advice("setup codex"), "pdpp setup codex");
    }
}
