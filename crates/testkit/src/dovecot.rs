//! A mail server for tests: a real Dovecot on a free port of this machine, in a temporary directory.
//!
//! It goes away with its test, however that ends. A missing Dovecot is a failure and never a silent pass;
//! only `PDPP_TEST_WITHOUT=dovecot` leaves these tests out, and each of them then says so.

#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "for tests: a missing server is a red test, and the environment may leave it out"
)]

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// The user whose mailbox there is.
pub const USER: &str = "ann@example.org";
/// What this user's password is at first.
pub const PASSWORD: &str = "sesame street 12";

/// Another process may take a free port before the server does.
const TRIES: usize = 5;
/// Stops the server when its input closes, which happens when the test's process ends in any way.
const CARETAKER: &str = "read -r _
    doveadm -c \"$1/dovecot.conf\" stop
    rm -rf \"$1\"";
/// What a server says that can tell which messages changed and which went.
const BASE: &str = "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE LITERAL+";

/// How much a server tells about changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldChanges {
    /// Everything.
    Qresync,
    /// Changed flags.
    Condstore,
    /// Nothing.
    Untold,
}

/// A running mail server.
#[derive(Debug)]
pub struct Dovecot {
    directory: TempDir,
    port: u16,
    caretaker: Child,
}

impl Dovecot {
    /// Starts a server, or `None` when it is left out.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start(changes: ToldChanges) -> Option<Self> {
        let left_out = std::env::var("PDPP_TEST_WITHOUT").unwrap_or_default();
        if left_out.split(',').any(|name| name.trim() == "dovecot") {
            eprintln!("LEFT OUT: Dovecot (PDPP_TEST_WITHOUT)");
            return None;
        }
        Some(Self::try_start(changes).unwrap_or_else(|error| {
            panic!(
                "these tests need Dovecot: {error:#}. Install the Debian package `dovecot-imapd`, or leave \
                 them out with `cargo xtask test --without dovecot`"
            )
        }))
    }

    fn try_start(changes: ToldChanges) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("pdpp-dovecot").tempdir()?;
        let at = directory.path().to_owned();
        fs::set_permissions(&at, fs::Permissions::from_mode(0o755))?;
        for part in ["run", "state", "home"] {
            fs::create_dir(at.join(part))?;
        }
        finish(Command::new("chown").arg("mail:mail").arg(at.join("home")))?;
        make_certificate(&at)?;
        for _ in 0..TRIES {
            let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            fs::write(at.join("dovecot.conf"), configuration(&at, port, changes))?;
            let mut server = Command::new("dovecot");
            server.arg("-c").arg(at.join("dovecot.conf"));
            if finish(&mut server).is_ok() {
                let caretaker = hire_caretaker(&at)?;
                let started = Self { directory, port, caretaker };
                started.set_password(PASSWORD);
                return Ok(started);
            }
        }
        let log = fs::read_to_string(at.join("log")).unwrap_or_default();
        bail!("the server did not start: {log}")
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The certificate that it presents for `localhost`.
    pub fn certificate(&self) -> PathBuf {
        self.directory.path().join("cert.pem")
    }

    /// Changes the password of the user.
    ///
    /// # Panics
    ///
    /// When the file cannot be written.
    pub fn set_password(&self, password: &str) {
        let line = format!("{USER}:{{PLAIN}}{password}\n");
        if let Err(error) = fs::write(self.directory.path().join("users"), line) {
            panic!("the password cannot be set: {error}");
        }
    }

    /// Delivers a message into a folder.
    ///
    /// # Panics
    ///
    /// When the server refuses it.
    pub fn deliver(&self, folder: &str, message: &str) {
        let mut command = self.doveadm_command("save", &["-m", folder]);
        command.stdin(Stdio::piped());
        let delivered = command.spawn().and_then(|mut child| {
            if let Some(mut input) = child.stdin.take() {
                input.write_all(message.replace('\n', "\r\n").as_bytes())?;
            }
            child.wait()
        });
        assert!(delivered.is_ok_and(|status| status.success()), "a message was not delivered");
    }

    /// Runs an administrator's command for the user.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub fn doveadm(&self, words: &[&str]) {
        let Some((name, rest)) = words.split_first() else { return };
        if let Err(error) = finish(&mut self.doveadm_command(name, rest)) {
            panic!("doveadm {words:?}: {error:#}");
        }
    }

    fn doveadm_command(&self, name: &str, rest: &[&str]) -> Command {
        let mut command = Command::new("doveadm");
        command.arg("-c").arg(self.directory.path().join("dovecot.conf"));
        // `mailbox create` is two words, and the user stands behind both.
        command.args(name.split(' ')).args(["-u", USER]).args(rest);
        command
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        drop(self.caretaker.stdin.take());
        let _ = self.caretaker.wait();
    }
}

fn configuration(at: &Path, port: u16, changes: ToldChanges) -> String {
    let at = at.display();
    let capability = match changes {
        ToldChanges::Qresync => String::new(),
        ToldChanges::Condstore => format!("imap_capability = {BASE} CONDSTORE\n"),
        ToldChanges::Untold => format!("imap_capability = {BASE}\n"),
    };
    format!(
        "base_dir = {at}/run
state_dir = {at}/state
log_path = {at}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{at}/cert.pem
ssl_key = <{at}/key.pem
mail_location = sdbox:~/mail
mail_home = {at}/home/%u
mail_fsync = never
auth_mechanisms = plain login
auth_failure_delay = 0
first_valid_uid = 1
mail_max_userip_connections = 0
{capability}passdb {{
  driver = passwd-file
  args = {at}/users
}}
userdb {{
  driver = static
  args = uid=mail gid=mail
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Junk {{
    special_use = \\Junk
    auto = create
  }}
}}
"
    )
}

fn make_certificate(at: &Path) -> Result<()> {
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
    command.args(["-nodes", "-days", "30", "-subj", "/CN=localhost"]);
    command.args(["-addext", "subjectAltName=DNS:localhost"]);
    command.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    command.arg("-keyout").arg(at.join("key.pem")).arg("-out").arg(at.join("cert.pem"));
    finish(&mut command)
}

fn hire_caretaker(at: &Path) -> Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", CARETAKER, "caretaker"]).arg(at);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Outside our process group: whatever ends all of it must leave the caretaker to its work.
    command.current_dir("/").process_group(0);
    Ok(command.spawn()?)
}

fn finish(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    // The server's children keep what they were given open.
    let log = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.try_clone()?);
    let status = command.status().with_context(|| format!("{program} cannot be run"))?;
    if !status.success() {
        let mut said = String::new();
        let mut log = log;
        std::io::Seek::rewind(&mut log)?;
        std::io::Read::read_to_string(&mut log, &mut said)?;
        bail!("{program} failed: {}", said.trim());
    }
    Ok(())
}
