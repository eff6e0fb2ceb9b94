//! Runs `pdpp` in a directory of its own and keeps what it said.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pdpp_testkit::postgres::{FreshDatabase, fresh_database};
use serde_json::Value;
use tempfile::TempDir;

/// A person's home with nothing in it but what a test puts there.
pub struct Home {
    directory: TempDir,
    /// The database that holds the store instead of a file.
    database: Option<FreshDatabase>,
    /// The same on a server of the test's own, or in words of its own.
    server_url: Option<String>,
}

/// What a finished program answered.
pub struct Answer {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Home {
    /// A home whose store is where the run asks for. It never falls back: a run on Postgres that
    /// quietly used files would prove nothing.
    pub fn new() -> Self {
        let asked = || {
            fresh().expect("PDPP_TEST_STORE asks for Postgres and PDPP_TEST_WITHOUT leaves it out")
        };
        Self::with(is_on_postgres().then(asked), None)
    }

    /// A home whose store is in a file, whatever the run asks for.
    pub fn file_store() -> Self {
        Self::with(None, None)
    }

    /// A home whose store is on a server of the test's own.
    pub fn on_server(url: String) -> Self {
        Self::with(None, Some(url))
    }

    fn with(database: Option<FreshDatabase>, server_url: Option<String>) -> Self {
        Self { directory: tempfile::tempdir().unwrap(), database, server_url }
    }

    /// A home whose store is in Postgres; `None` when that is left out.
    pub fn on_postgres() -> Option<Self> {
        Some(Self::with(Some(fresh()?), None))
    }

    /// The same home, which names its database with a password. A server that asks for none takes any.
    pub fn with_password(self, password: &str) -> Self {
        let url = self.database_url().unwrap().replacen('@', &format!(":{password}@"), 1);
        Self { server_url: Some(url), ..self }
    }

    /// Where the store is, if it is in Postgres.
    pub fn database_url(&self) -> Option<&str> {
        self.server_url.as_deref().or(self.database.as_ref().map(FreshDatabase::url))
    }

    /// The database with the store of the demo, if it is in Postgres.
    pub fn demo_url(&self) -> Option<String> {
        let url = self.database_url()?;
        let separator = if url.contains('?') { '&' } else { '?' };
        Some(format!("{url}{separator}options=-csearch_path%3Dpdpp_demo"))
    }

    /// Whether the store holds this text of plain letters: in a file of it, or in a row.
    pub fn store_holds(&self, text: &str) -> bool {
        let files = std::fs::read_dir(self.data_dir()).unwrap();
        let mut paths = files.map(|file| file.unwrap().path()).filter(|path| path.is_file());
        let in_file = paths.any(|path| {
            let bytes = std::fs::read(path).unwrap();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        });
        let in_row = |database: &FreshDatabase| runtime().block_on(database.holds(text));
        in_file || self.database.as_ref().is_some_and(in_row)
    }

    /// Runs statements in the database that holds the store.
    pub fn load(&self, statements: &str) {
        runtime().block_on(self.database.as_ref().unwrap().load(statements));
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where the store of this home lives.
    pub fn data_dir(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Makes the data directory as the program would, for a test that puts something there first.
    pub fn make_data_dir(&self) {
        std::fs::create_dir(self.data_dir()).unwrap();
        #[cfg(unix)]
        {
            let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
            std::fs::set_permissions(self.data_dir(), closed).unwrap();
        }
    }

    /// The program with this home and nothing of the machine's own settings.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pdpp"));
        command.env_clear().env("HOME", self.path()).env("PDPP_DATA_DIR", self.data_dir());
        if let Some(url) = self.database_url() {
            command.env("PDPP_DATABASE_URL", url);
        }
        command.args(arguments).current_dir(self.path());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with_input(arguments, b"")
    }

    /// Runs the program to its end with something on standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Answer {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that does not read closes the pipe; that is its right.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Answer {
            code: output.status.code().expect("the program was not killed"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command that must succeed and answers with JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let answer = self.run(arguments);
        assert_eq!(answer.code, 0, "{arguments:?}: {}", answer.stderr);
        answer.document()
    }

    /// Writes a file into the home and answers its path.
    pub fn file(&self, name: &str, content: &str) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// The whole suite runs on Postgres when it is asked to.
#[expect(clippy::disallowed_methods, reason = "the variable chooses the store of a whole run")]
pub fn is_on_postgres() -> bool {
    std::env::var_os("PDPP_TEST_STORE").is_some_and(|store| store == "postgres")
}

fn fresh() -> Option<FreshDatabase> {
    runtime().block_on(fresh_database())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

impl Answer {
    /// Standard output, which must be exactly one JSON document.
    pub fn document(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?}, {:?}", self.stdout, self.stderr))
    }

    /// The error that `--json` puts on standard error.
    pub fn error(&self) -> Value {
        assert_eq!(self.stdout, "", "a failure has no answer");
        let document: Value = serde_json::from_str(&self.stderr)
            .unwrap_or_else(|error| panic!("{error}: {:?}", self.stderr));
        document["error"].clone()
    }
}
