//! What tests need beyond a Rust toolchain, and how a Debian machine gets it.
//!
//! The servers themselves are started by `pdpp-testkit`, in the test process that uses them. Here
//! we only make sure that they can be started, before minutes of compiling have passed.

#![expect(clippy::disallowed_methods, reason = "the environment says what is already there")]

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{browser, clients, run};

/// One thing that tests need and `--without` can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A Postgres server to start, or one that is already there (`PDPP_TEST_DATABASE_URL`).
    Postgres,
    /// A mail server, for live accounts.
    Dovecot,
    /// Chromium and Firefox, for the pages.
    Browser,
    /// Node, for MCP clients that we did not write.
    Clients,
}

impl Need {
    pub const ALL: [Self; 4] = [Self::Postgres, Self::Dovecot, Self::Browser, Self::Clients];

    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Dovecot => "dovecot",
            Self::Browser => "browser",
            Self::Clients => "clients",
        }
    }

    /// Makes sure the thing can be used, or says what to install.
    pub fn bring(self) -> Result<()> {
        match self {
            Self::Postgres => bring_postgres(),
            Self::Dovecot => bring_dovecot(),
            Self::Clients => clients::bring(),
            Self::Browser => browser::bring(),
        }
    }
}

/// Reads `--without NAME` pairs; names may also be joined by commas.
pub fn left_out(arguments: &[String]) -> Result<Vec<Need>> {
    let mut needs = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument != "--without" {
            bail!("`cargo xtask test` knows no argument `{argument}`");
        }
        let names = rest.next().context("`--without` wants a name after it")?;
        for name in names.split(',') {
            let need = Need::ALL.into_iter().find(|need| need.name() == name);
            let need = need.with_context(|| {
                format!("`--without {name}`: choose from postgres, dovecot, browser, clients")
            })?;
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    Ok(needs)
}

fn bring_postgres() -> Result<()> {
    if std::env::var_os("PDPP_TEST_DATABASE_URL").is_some() || postgres_is_installed() {
        return Ok(());
    }
    install("postgresql").context(
        "tests need a Postgres server (Debian package `postgresql`): install it, or set \
         PDPP_TEST_DATABASE_URL to a server of yours, or pass `--without postgres`",
    )?;
    if !postgres_is_installed() {
        bail!("package `postgresql` is installed but `initdb` is not where Debian puts it");
    }
    Ok(())
}

fn bring_dovecot() -> Result<()> {
    let is_installed = || {
        ["/usr/lib/dovecot/imap", "/usr/libexec/dovecot/imap"]
            .into_iter()
            .any(|program| Path::new(program).is_file())
    };
    if is_installed() {
        return Ok(());
    }
    install("dovecot-imapd").context(
        "tests need a mail server (Debian package `dovecot-imapd`): install it, or pass \
         `--without dovecot`",
    )?;
    if !is_installed() {
        bail!("package `dovecot-imapd` is installed but its server is not where Debian puts it");
    }
    Ok(())
}

/// Debian keeps the server's programs out of the search path, one directory per version.
fn postgres_is_installed() -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let mut debian = versions.into_iter().flatten().flatten();
    debian.any(|version| version.path().join("bin/initdb").is_file())
        || std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|directory| directory.join("initdb").is_file())
        })
}

/// Installs one Debian package when we may.
pub fn install(package: &str) -> Result<()> {
    let user = run::output_of(Command::new("id").arg("-u"))?;
    if user.trim() != "0" || !Path::new("/usr/bin/apt-get").exists() {
        bail!("`{package}` is missing, and only root on a Debian machine can install it");
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        run::step(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update"])?;
    apt(&["install", "--yes", "--no-install-recommends", package])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Vec<Need>> {
        let owned: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        left_out(&owned)
    }

    #[test]
    fn nothing_is_left_out_unless_asked() {
        assert_eq!(parsed(&[]).unwrap(), []);
    }

    #[test]
    fn several_needs_can_be_left_out() {
        let expected = [Need::Postgres, Need::Browser];
        let pairs = ["--without", "postgres", "--without", "browser"];
        assert_eq!(parsed(&pairs).unwrap(), expected);
        assert_eq!(parsed(&["--without", "postgres,browser"]).unwrap(), expected);
    }

    #[test]
    fn an_unknown_need_is_refused_with_the_choices() {
        let error = parsed(&["--without", "postgre"]).unwrap_err().to_string();
        assert!(error.contains("postgres, dovecot, browser, clients"), "{error}");
    }

    #[test]
    fn a_stray_argument_is_refused() {
        assert!(parsed(&["--withuot", "postgres"]).is_err());
        assert!(parsed(&["--without"]).is_err());
    }
}
