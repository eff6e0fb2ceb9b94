//! The address of a database: where it was named, and a file that holds it for later.
//!
//! It may hold a password, so it stands in no client's settings and in no hint: a file does.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use pdpp_store::Database;

use crate::agents::check_text;
use crate::data_dir::write_private;
use crate::failure::Failure;
use crate::output::quoted;

/// Refuses what is no URL of a database. It is not repeated: it may hold a secret.
pub fn no_database_url(what: &str) -> Failure {
    let advice = "it starts with postgres://, such as postgres://user@host/database";
    Failure::usage(format!("{what} is not a database URL")).with_advice(advice)
}

/// No address is longer; what is longer is another file.
const MAX_BYTES: u64 = 16 * 1024;

/// Whether this names a database that a store can be in.
pub fn is_database_url(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// Whether it is a file of this process alone. What lies in `/dev/shm` is everybody's.
fn is_of_the_process(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/proc"].iter().any(|place| path.starts_with(place))
}

/// Who names a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// `--database-url` or `--database-url-file`.
    Option,
    /// `PDPP_DATABASE_URL` or `PDPP_DATABASE_URL_FILE`: the next command is told the same way.
    Variable,
    /// `--from` of a move.
    From,
    /// `--to` of a move.
    To,
}

impl NamedBy {
    /// Where a URL was read.
    fn url(self) -> &'static str {
        match self {
            Self::Option => "--database-url",
            Self::Variable => "PDPP_DATABASE_URL",
            Self::From => "--from",
            Self::To => "--to",
        }
    }

    /// Where the name of a file was read.
    fn file(self) -> &'static str {
        match self {
            Self::Option => "--database-url-file",
            Self::Variable => "PDPP_DATABASE_URL_FILE",
            Self::From | Self::To => self.url(),
        }
    }
}

/// A database and how a command was told about it.
#[derive(Debug, Clone)]
pub struct DatabaseAddress {
    /// What is said instead to whoever needs it, when it cannot be read.
    database: Result<Database, Failure>,
    by: NamedBy,
    /// The file that holds it.
    file: Option<PathBuf>,
    /// Whether it is another schema than the one that its name leads to.
    is_apart: bool,
}

impl DatabaseAddress {
    /// A database that the environment or nobody names.
    pub fn known(database: Database) -> Self {
        Self { database: Ok(database), by: NamedBy::Variable, file: None, is_apart: false }
    }

    /// The database of this URL.
    pub fn from_url(url: &str, by: NamedBy) -> Result<Self, Failure> {
        // A file of variables that was written elsewhere ends its lines with more than one character.
        let url = url.trim();
        if !is_database_url(url) {
            return Err(no_database_url(&format!("the value of {}", by.url())));
        }
        Ok(Self { database: Ok(Database::new(url)), by, file: None, is_apart: false })
    }

    /// The database whose URL this file holds.
    pub fn from_file(path: PathBuf, by: NamedBy) -> Result<Self, Failure> {
        let named = by.file();
        let mut text = String::new();
        let read =
            File::open(&path).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
        read.map_err(|error| {
            let advice = format!("{named} must name a file that holds a database URL");
            Failure::input(&path, &error).with_advice(advice)
        })?;
        check_text(&text, &path.display().to_string())?;
        let url = text.trim_start_matches('\u{feff}').trim();
        // Its words are not repeated: whatever it is, it was meant to be secret.
        let named = format!("{} ({named})", path.display());
        if !is_database_url(url) {
            return Err(no_database_url(&named));
        }
        let is_cut = u64::try_from(text.len()).is_ok_and(|length| length > MAX_BYTES);
        if is_cut || url.contains(char::is_whitespace) {
            let message = format!("{named} holds more than a database URL");
            return Err(Failure::usage(message).with_advice("write only the URL, on one line"));
        }
        Ok(Self { database: Ok(Database::new(url)), by, file: Some(path), is_apart: false })
    }

    /// One that cannot be read, for commands that may not need it.
    pub fn unread(why: Failure, by: NamedBy, file: Option<PathBuf>) -> Self {
        Self { database: Err(why), by, file, is_apart: false }
    }

    /// The database, unless its address cannot be read.
    pub fn database(&self) -> Option<&Database> {
        self.database.as_ref().ok()
    }

    /// Why it cannot be read, if it cannot.
    pub fn check(&self) -> Result<(), Failure> {
        self.database.as_ref().map(drop).map_err(Clone::clone)
    }

    /// Another schema of the same database, to which its name does not lead.
    pub fn in_schema(self, schema: &'static str) -> Self {
        let database = self.database.map(|database| database.in_schema(schema));
        Self { database, is_apart: true, ..self }
    }

    /// The same, by a file that holds it.
    pub fn in_file(self, path: PathBuf) -> Self {
        Self { by: NamedBy::Option, file: Some(path), is_apart: false, ..self }
    }

    /// The same for a reader who types in another directory, with other variables than ours.
    pub fn elsewhere(self) -> Self {
        let whole = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Self { by: NamedBy::Option, file: self.file.map(whole), ..self }
    }

    /// The file that holds it and can be read again tomorrow.
    pub fn lasting_file(&self) -> Option<&Path> {
        // What the shell hands over as /dev/fd/3 is a file today. One that cannot be read is still the
        // one that was named.
        let lasts = |path: &&Path| path.is_file() || self.database.is_err();
        if self.is_apart {
            return None;
        }
        self.file.as_deref().filter(lasts).filter(|path| !is_of_the_process(path))
    }

    /// How it was named, for people.
    pub fn told_by(&self) -> String {
        match &self.file {
            None => self.by.url().to_owned(),
            Some(path) => path.display().to_string(),
        }
    }

    /// Whether other people can read the file that holds it.
    pub fn is_exposed(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).map(|file| file.permissions().mode());
            self.lasting_file().is_some_and(|path| mode(path).is_ok_and(|mode| mode & 0o077 != 0))
        }
        #[cfg(not(unix))]
        false
    }

    /// What a command of ours needs to find it again; nothing where the environment says it.
    pub fn option(&self) -> Option<String> {
        match (self.by, &self.file) {
            _ if self.is_apart => Some("--database-url URL".to_owned()),
            // A file that is gone with this command is no way to name it to the next.
            (_, Some(_)) if self.lasting_file().is_none() => Some("--database-url URL".to_owned()),
            (NamedBy::Variable, _) => None,
            // A file that cannot be read leads nobody there.
            (_, Some(path)) if self.database.is_ok() => {
                Some(format!("--database-url-file {}", quoted(&path.display().to_string())))
            }
            _ => Some("--database-url URL".to_owned()),
        }
    }

    /// Keeps it in a file that nobody else can read: all of it or nothing.
    pub fn keep(&self, path: &Path) -> Result<(), Failure> {
        let database = self.database.as_ref().map_err(Clone::clone)?;
        write_private(path, format!("{}\n", database.address()).as_bytes())
            .map_err(|error| Failure::file("write", path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;

    #[test]
    fn what_is_kept_is_found_again_by_its_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("private").join("address");
        let url = "postgres://ada:secret@db.example.org/pdpp".to_owned();
        let told = DatabaseAddress::from_url(&url, NamedBy::Option).unwrap();
        assert!(told.lasting_file().is_none());
        assert!(is_of_the_process(Path::new("/dev/fd/3")));
        assert!(!is_of_the_process(Path::new("/dev/shm/address")));
        assert_eq!(told.option().as_deref(), Some("--database-url URL"), "no password in a hint");
        told.keep(&path).unwrap();
        let found = DatabaseAddress::from_file(path.clone(), NamedBy::Option).unwrap();
        let address = |told: &DatabaseAddress| told.database().unwrap().address();
        assert_eq!(address(&found), address(&told));
        assert_eq!(found.lasting_file(), Some(path.as_path()));
        let hint = found.option().unwrap();
        assert!(hint.starts_with("--database-url-file ") && !hint.contains("secret"), "{hint}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            assert!(!found.is_exposed());
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
            assert!(found.is_exposed());
        }
    }

    #[test]
    fn a_file_that_holds_something_else_is_named_and_not_repeated() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("address");
        for (text, what) in [
            ("", "address (--database-url-file) is not a database URL"),
            ("mysql://secret", "address (--database-url-file) is not a database URL"),
            ("postgres://secret\npostgres://secret", "holds more than a database URL"),
            (&format!("postgres://db/x{}", " ".repeat(20_000)), "more than a database URL"),
        ] {
            std::fs::write(&path, text).unwrap();
            let refused = DatabaseAddress::from_file(path.clone(), NamedBy::Option).unwrap_err();
            assert_eq!(refused.exit, Exit::Usage, "{text}");
            assert!(refused.message.contains(what), "{}", refused.message);
            assert!(!refused.sentence().contains("secret"), "{text}");
        }
        let missing =
            DatabaseAddress::from_file(directory.path().join("none"), NamedBy::Option).unwrap_err();
        let owner = format!("postgres://pdpp_owner_{}@db/x", "a1B".repeat(17).get(..49).unwrap());
        std::fs::write(&path, &owner).unwrap();
        let refused = DatabaseAddress::from_file(path.clone(), NamedBy::Option).unwrap_err();
        assert_eq!((refused.exit, refused.code), (Exit::Refused, "owner_credential_refused"));
        assert!(!refused.sentence().contains("pdpp_owner_"), "{}", refused.sentence());
        let said = missing.sentence();
        assert!(said.contains("--database-url-file must name a file"), "{said}");
        std::fs::write(&path, "\u{feff}postgres://db/x\r\n").unwrap();
        assert!(
            DatabaseAddress::from_file(path, NamedBy::Variable).is_ok(),
            "an editor of another system"
        );
    }
}
