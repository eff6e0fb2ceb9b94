//! A private Postgres server in a temporary directory, gone when this process is gone.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

/// Another process may take a free port before the server does.
const TRIES: usize = 5;

/// Waits until its input closes, which happens when the process holding this server ends in any
/// way, then stops the server and removes its directory.
const CARETAKER: &str = "read -r _
    \"$1/pg_ctl\" stop -D \"$2/data\" -m immediate
    rm -rf \"$2\"";

/// No waiting for the disk, and nobody tidying up: what is in this server is worth nothing after the
/// tests.
const SETTINGS: &str = "-c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off \
    -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off";

/// Memory as a directory: each case has its own database, and each of those is hundreds of files.
const MEMORY: &str = "/dev/shm";
/// What a whole run needs; in a container the directory may be tiny.
const ROOM_BYTES: u64 = 2 << 30;

/// A running server.
#[derive(Debug)]
pub struct Cluster {
    port: u16,
    place: Place,
    /// What differs from the usual settings.
    settings: &'static str,
    /// Its open input is what keeps the server alive.
    caretaker: Child,
}

/// Who runs the server's programs, from where, and where its files are.
#[derive(Debug)]
struct Place {
    programs: PathBuf,
    directory: PathBuf,
    /// Set when we are root: the server refuses to run as root.
    account: Option<(u32, u32)>,
}

impl Cluster {
    /// Starts a server.
    ///
    /// # Errors
    ///
    /// When there is no Postgres on this machine, or it does not start.
    pub fn start() -> Result<Self> {
        Self::start_with("")
    }

    /// The same with settings of the test's own, as `-c name=value`.
    ///
    /// # Errors
    ///
    /// Like [`Cluster::start`].
    pub fn start_with(settings: &'static str) -> Result<Self> {
        let place = Place::new()?;
        let caretaker = place.hire_caretaker()?;
        place.create_data()?;
        for _ in 0..TRIES {
            let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            if place.start_server(port, settings).is_ok() {
                return Ok(Self { port, place, settings, caretaker });
            }
        }
        let log = fs::read_to_string(place.directory.join("log")).unwrap_or_default();
        bail!("the server did not start:\n{log}")
    }

    /// Ends the server as a crash would; its files stay.
    ///
    /// # Errors
    ///
    /// When it does not end.
    pub fn stop(&self) -> Result<()> {
        let mut command = self.place.command(self.place.programs.join("pg_ctl"));
        command.arg("-D").arg(self.place.directory.join("data"));
        finish(command.args(["--wait", "-m", "immediate", "stop"]))
    }

    /// Starts it again where it was.
    ///
    /// # Errors
    ///
    /// When somebody took its port meanwhile.
    pub fn start_again(&self) -> Result<()> {
        self.place.start_server(self.port, self.settings)
    }

    /// Starts it again as a replica, which takes no writes until `pg_promote()`.
    ///
    /// # Errors
    ///
    /// When it does not start.
    pub fn become_replica(&self) -> Result<()> {
        self.stop()?;
        let signal = self.place.directory.join("data/standby.signal");
        fs::write(&signal, "")?;
        if let Some((user, group)) = self.place.account {
            chown(&signal, Some(user), Some(group))?;
        }
        self.start_again()
    }

    /// Makes the server ask everybody but its own user for a password.
    ///
    /// # Errors
    ///
    /// When it does not start again.
    pub fn ask_for_passwords(&self) -> Result<()> {
        let rules = "host all postgres all trust\nhost all all all scram-sha-256\n";
        fs::write(self.place.directory.join("data/pg_hba.conf"), rules)?;
        self.stop()?;
        self.start_again()
    }

    /// Makes the server speak TLS, with a certificate of its own for `127.0.0.1`; where that is.
    ///
    /// # Errors
    ///
    /// When there is no `openssl`, or the server does not start again.
    pub fn speak_tls(&self) -> Result<PathBuf> {
        let data = self.place.directory.join("data");
        let certificate = data.join("server.crt");
        let mut command = self.place.command("openssl");
        command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]);
        command.args(["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]);
        command.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
        command.arg("-keyout").arg(data.join("server.key")).arg("-out").arg(&certificate);
        finish(&mut command)?;
        fs::set_permissions(data.join("server.key"), Permissions::from_mode(0o600))?;
        let settings = data.join("postgresql.auto.conf");
        let kept = fs::read_to_string(&settings)?;
        fs::write(&settings, format!("{kept}\nssl = on\n"))?;
        self.stop()?;
        self.start_again()?;
        // Readable for whoever runs the tests.
        let copy = std::env::temp_dir().join(format!("pdpp-test-{}.crt", self.port));
        fs::copy(&certificate, &copy)?;
        Ok(copy)
    }

    /// The URL of the database that every server has.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The same database through the server's socket in the file system.
    pub fn socket_url(&self) -> String {
        let (sockets, port) = (self.place.directory.display(), self.port);
        format!("postgres:///postgres?host={sockets}&port={port}&user=postgres")
    }
}

impl Drop for Cluster {
    /// For a server that is not held to the end of the process: it is gone when this returns.
    fn drop(&mut self) {
        drop(self.caretaker.stdin.take());
        // Nothing is left to do about a caretaker that cannot be waited for.
        let _ = self.caretaker.wait();
    }
}

/// Where the server's files are quickest.
fn room() -> PathBuf {
    let free = rustix::fs::statvfs(MEMORY).ok();
    let free = free.and_then(|found| found.f_bavail.checked_mul(found.f_frsize));
    let roomy = free.is_some_and(|bytes| bytes >= ROOM_BYTES);
    if roomy { PathBuf::from(MEMORY) } else { std::env::temp_dir() }
}

impl Place {
    fn new() -> Result<Self> {
        let programs = find_programs().context("no `initdb` found")?;
        let made = tempfile::Builder::new().prefix("pdpp-postgres-").tempdir_in(room())?;
        fs::set_permissions(made.path(), Permissions::from_mode(0o700))?;
        let account = if fs::metadata(made.path())?.uid() == 0 {
            let (user, group) = (id_of_postgres("-u")?, id_of_postgres("-g")?);
            chown(made.path(), Some(user), Some(group))?;
            Some((user, group))
        } else {
            None
        };
        Ok(Self {
            programs,
            // From here on the caretaker removes it.
            directory: made.keep(),
            account,
        })
    }

    fn hire_caretaker(&self) -> Result<Child> {
        let mut command = self.command("sh");
        command.args(["-c", CARETAKER, "caretaker"]);
        command.arg(&self.programs).arg(&self.directory);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        // Outside the directory that it removes, and outside our process group: whatever ends the
        // whole group, from the keyboard or otherwise, must leave the caretaker to its work.
        command.current_dir("/").process_group(0);
        Ok(command.spawn()?)
    }

    /// The server sorts text by the rules of a language, as hosted ones do: a query that forgets
    /// to ask for byte order must fail here and not at a user's.
    fn create_data(&self) -> Result<()> {
        let mut command = self.command(self.programs.join("initdb"));
        command.arg("-D").arg(self.directory.join("data"));
        command.args(["--username=postgres", "--auth=trust", "--encoding=UTF8"]);
        command.args(["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"]);
        command.args(["--no-sync", "--no-instructions"]);
        finish(&mut command)
    }

    fn start_server(&self, port: u16, more: &str) -> Result<()> {
        let sockets = self.directory.display();
        let settings = format!("{SETTINGS} -c unix_socket_directories={sockets} -p {port} {more}");
        let mut command = self.command(self.programs.join("pg_ctl"));
        command.arg("-D").arg(self.directory.join("data"));
        command.arg("-l").arg(self.directory.join("log"));
        command.arg("-o").arg(settings);
        command.args(["--wait", "start"]);
        // A server that held our output would keep whoever reads it waiting for ever.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        finish(&mut command)
    }

    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.directory).stdin(Stdio::null());
        if let Some((user, group)) = self.account {
            command.uid(user).gid(group);
        }
        command
    }
}

/// Debian keeps the server's programs apart, one directory per version; elsewhere they are in the
/// search path.
fn find_programs() -> Option<PathBuf> {
    let version = |path: &PathBuf| {
        let name = path.parent().and_then(Path::file_name);
        name.and_then(|name| name.to_str()?.parse::<u32>().ok())
    };
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let debian = versions.flatten().map(|entry| entry.path().join("bin"));
    let newest = debian.filter(|path| path.join("initdb").is_file()).max_by_key(version);
    newest.or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|path| path.join("initdb").is_file())
    })
}

fn id_of_postgres(which: &str) -> Result<u32> {
    let output = Command::new("id").args([which, "postgres"]).output()?;
    let id = String::from_utf8(output.stdout)?;
    let id = id.trim().parse();
    id.context("we are root, the server refuses root, and there is no user `postgres`")
}

fn finish(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed: {complaint}", command.get_program().display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_goes_away_with_its_holder() {
        if super::super::is_left_out() {
            return;
        }
        let cluster = Cluster::start().unwrap();
        let address = ("127.0.0.1", cluster.port);
        assert!(std::net::TcpStream::connect(address).is_ok());
        drop(cluster);
        assert!(std::net::TcpStream::connect(address).is_err());
    }
}
