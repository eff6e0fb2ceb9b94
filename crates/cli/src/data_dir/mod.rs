//! The data directory: what lies where in it, readable by its owner only.

pub mod account_keys;
pub mod credentials;
pub mod database_address;
pub mod ownership;
pub mod serve_lock;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use pdpp_store::Database;

use crate::data_dir::database_address::DatabaseAddress;
use crate::data_dir::ownership::{DATA_DIR_OPEN, FilePresence, presence};
use crate::failure::{Exit, Failure};
use crate::output::quoted;

/// Where the sample store lives in a Postgres database, apart from everything else.
const DEMO_SCHEMA: &str = "pdpp_demo";

/// Where one store and what belongs to it live.
#[derive(Debug, Clone)]
pub struct DataDir {
    path: PathBuf,
    /// The Postgres database that holds the store instead of a file here.
    database: Option<DatabaseAddress>,
    /// Whether a command finds it only when it is named.
    is_named: bool,
    /// Whether a variable names it, which other shells need not have.
    by_variable: bool,
}

impl DataDir {
    /// The directory at `path`, which need not exist yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, database: None, is_named: false, by_variable: false }
    }

    /// The same, where a command that is told no directory would look elsewhere.
    #[must_use]
    pub fn named(self) -> Self {
        Self { is_named: true, ..self }
    }

    /// The same, where a variable of this program's environment names it.
    #[must_use]
    pub fn by_variable(self) -> Self {
        Self { by_variable: true, ..self }
    }

    /// The same for a reader who types in another directory, with other variables than ours.
    pub fn elsewhere(&self) -> Self {
        Self {
            path: std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone()),
            database: self.database.clone().map(DatabaseAddress::elsewhere),
            is_named: self.is_named || self.by_variable,
            by_variable: false,
        }
    }

    /// What a command needs to find this store, an option and its value each.
    pub fn options(&self) -> Vec<String> {
        let path = || format!("--data-dir {}", quoted(&self.path.display().to_string()));
        let directory = self.is_named.then(path);
        let database = self.database.as_ref().and_then(DatabaseAddress::option);
        directory.into_iter().chain(database).collect()
    }

    /// A command of ours for the person to type, with what it needs to find the same store.
    pub fn advice(&self, command: &str) -> String {
        let options = self.options().into_iter().map(|option| format!(" {option}"));
        format!("pdpp {command}{}", options.collect::<String>())
    }

    /// The same with the store in a Postgres database; what belongs to this machine stays here.
    #[must_use]
    pub fn with_database(self, database: Option<DatabaseAddress>) -> Self {
        Self { database, ..self }
    }

    /// The Postgres database that holds the store, if one does and its address can be read.
    pub fn database(&self) -> Option<&Database> {
        self.database.as_ref().and_then(DatabaseAddress::database)
    }

    /// The same with how it was named.
    pub fn address(&self) -> Option<&DatabaseAddress> {
        self.database.as_ref()
    }

    /// Refuses a store in a database whose address cannot be read.
    pub fn check_database(&self) -> Result<(), Failure> {
        self.database.as_ref().map_or(Ok(()), DatabaseAddress::check)
    }

    /// The same with its database's address, if it is in one, in a file here that commands can name.
    pub fn with_address_kept(self) -> Result<Self, Failure> {
        let Some(address) = self.database.clone() else { return Ok(self) };
        let file = self.kept_address();
        self.create()?;
        address.keep(&file)?;
        Ok(self.with_database(Some(address.in_file(file))))
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The SQLite file.
    pub fn store(&self) -> PathBuf {
        self.path.join("pdpp.sqlite")
    }

    /// Blobs, one file each.
    pub fn blobs(&self) -> PathBuf {
        self.path.join("blobs")
    }

    /// The file that a running server keeps locked.
    pub fn serve_lock(&self) -> PathBuf {
        self.path.join("serve.lock")
    }

    /// Credentials of agents on this machine.
    pub fn credentials(&self) -> PathBuf {
        self.path.join("credentials")
    }

    /// The keys that credentials of accounts are sealed under.
    pub fn account_keys(&self) -> PathBuf {
        self.path.join("account-keys")
    }

    /// Credentials for remote providers.
    pub fn providers(&self) -> PathBuf {
        self.path.join("providers")
    }

    /// The sample store, which never mixes with the real one.
    pub fn demo(&self) -> Self {
        let database = self.database.clone().map(|database| database.in_schema(DEMO_SCHEMA));
        Self { path: self.path.join("demo"), database, is_named: true, by_variable: false }
    }

    /// Whether two directories lead to one database.
    pub fn shares_database(&self, other: &Self) -> bool {
        let address = |store: &Self| store.database().map(pdpp_store::Database::address);
        address(self).is_some() && address(self) == address(other)
    }

    /// Where the store is, for people. A URL is never shown.
    pub fn place(&self) -> String {
        match &self.database {
            Some(address) => format!("the database of {}", address.told_by()),
            None => self.path.display().to_string(),
        }
    }

    /// Makes the directory, closed to other people, unless it is there. Root is kept out of one that
    /// belongs to somebody else.
    pub fn create(&self) -> Result<(), Failure> {
        ownership::check_root(&self.path)?;
        create_private(&self.path).map_err(|error| Failure::file("create", &self.path, &error))?;
        self.check_closed()
    }

    /// Refuses a directory that other people can read or write, and says how to close it.
    pub fn check_closed(&self) -> Result<(), Failure> {
        if !ownership::is_open_to_others(&self.path) {
            return Ok(());
        }
        let place = self.path.display().to_string();
        let message = format!("other users can read or change {place}");
        let advice = format!("run: chmod 700 {}", quoted(&place));
        Err(Failure::new(Exit::Refused, DATA_DIR_OPEN, message).with_advice(advice))
    }

    /// Whether a store's file is there. One in a database is asked for by opening it.
    pub fn presence(&self) -> FilePresence {
        match self.database {
            Some(_) => FilePresence::There,
            None => presence(&std::fs::metadata(self.store())),
        }
    }

    /// What is said to a user who may not open the store.
    pub fn closed(&self) -> Failure {
        ownership::closed(&self.path, &self.store())
    }

    /// The file that holds the address of its database, where one is kept for commands.
    pub fn kept_address(&self) -> PathBuf {
        self.path.join("database-url")
    }
}

/// Writes a file that only its owner can read: all of it or nothing.
pub fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let directory = path.parent().unwrap_or(path);
    create_private(directory)?;
    // A temporary file is made for its owner only, and keeps that when it is renamed.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Makes a directory and its parents. A new one is closed to other people.
pub fn create_private(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_dir::database_address::NamedBy;

    #[test]
    fn a_reader_elsewhere_is_told_what_variables_told_us() {
        let here = DataDir::new("data".into());
        assert!(here.elsewhere().options().is_empty(), "the usual place is found alone");
        let path = std::path::absolute("data").unwrap();
        let directory = format!("--data-dir {}", quoted(&path.display().to_string()));
        for told in [here.clone().by_variable(), here.clone().named()] {
            assert_eq!(told.elsewhere().options(), std::slice::from_ref(&directory));
        }
        let url = "postgres://ada:secret@db.example.org/pdpp";
        let address = DatabaseAddress::from_url(url, NamedBy::Variable).unwrap();
        let told = here.with_database(Some(address));
        assert!(told.options().is_empty(), "the next command here is told by the variable");
        assert_eq!(told.elsewhere().options(), ["--database-url URL"]);
        let kept = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(kept.path(), url).unwrap();
        let by = NamedBy::Variable;
        let address = DatabaseAddress::from_file(kept.path().to_owned(), by).unwrap();
        let option = format!("--database-url-file {}", quoted(&kept.path().display().to_string()));
        let told = told.with_database(Some(address)).by_variable().elsewhere();
        assert_eq!(told.options(), [directory, option]);
    }
}
