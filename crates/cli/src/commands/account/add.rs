//! `pdpp account add`: a new live account, tested before anything is stored.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use pdpp_contract::ConnectionName;
use pdpp_contract::ids::DisplayName;
use pdpp_sync::accounts::AddAccount;
use pdpp_sync::credential::AccountSecret;
use pdpp_sync::fault::SyncFault;
use pdpp_sync::imap::discovery::guesses;
use pdpp_sync::imap::{self, ChangeSupport, MailboxTest};
use pdpp_sync::settings::{AccountSettings, ImapAuth, ImapSecurity, ImapSettings};
use serde_json::json;

use super::{accounts, fault, secret};
use crate::app::CliApp;
use crate::data_dir::account_keys::KeyFile;
use crate::failure::{Exit, Failure};
use crate::output::table::counted;
use crate::output::{Output, note};

/// Add an account, or change its settings and password; the connection is tested first
#[derive(Debug, Args)]
pub struct AddArgs {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Imap(Box<ImapArgs>),
}

/// Add a mailbox on a mail server (IMAP)
#[derive(Debug, Args)]
pub struct ImapArgs {
    /// Your name for this account, such as work-mail
    #[arg(value_name = "NAME")]
    name: ConnectionName,
    /// The mail address; the server is found by it
    #[arg(long, value_name = "ADDRESS", required_unless_present_all = ["host", "user"])]
    address: Option<String>,
    /// The mail server, if it cannot be found by the address
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Its port [default: 993, or 143 with --starttls]
    #[arg(long, value_name = "PORT", requires = "host")]
    port: Option<u16>,
    /// Begin encryption with STARTTLS
    #[arg(long, requires = "host")]
    starttls: bool,
    /// The user name, if it is not the address
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// How to sign in
    #[arg(long, value_name = "WAY", default_value = "password")]
    auth: Auth,
    /// File whose first line is the password or token, instead of typing it
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// A folder to read; can be repeated [default: all but junk and trash]
    #[arg(long = "folder", value_name = "FOLDER")]
    folders: Vec<String>,
    /// Delete records here when the server deletes messages, instead of keeping and marking them
    #[arg(long)]
    mirror_deletions: bool,
    /// Trust the certificates in this PEM file instead of the system's
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Minutes between two runs
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    every_minutes: u32,
    /// Display name for people and agents [default: the name]
    #[arg(long, value_name = "TEXT")]
    display_name: Option<DisplayName>,
}

/// How to sign in.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Auth {
    /// A password or app password
    Password,
    /// An OAuth access token
    Xoauth2,
}

/// Tests and keeps the account.
pub async fn run(
    args: AddArgs,
    keys: &KeyFile,
    app: &CliApp,
    output: &Output,
) -> Result<Exit, Failure> {
    let Kind::Imap(args) = args.kind;
    let candidates = candidates(&args)?;
    let user = candidates.first().map(|settings| settings.user.clone()).unwrap_or_default();
    let secret = secret::read(args.password_file.as_deref(), &user)?;
    let (settings, found) = first_that_works(candidates, &secret, args.host.is_some())
        .await
        .map_err(|error| fault::failure(error, args.name.as_str(), &app.data_dir))?;
    let keys = keys.read_or_make(app.entropy.as_ref())?;
    let (name, place) = (args.name.clone(), format!("{}:{}", settings.host, settings.port));
    let add = AddAccount {
        name: args.name,
        display_name: args.display_name,
        new_id: app.new_connection_id()?,
        settings: AccountSettings::Imap(settings),
        secret,
        every_seconds: args.every_minutes * 60,
    };
    let added = accounts(app).add(&app.owner(), &keys, add).await;
    let added = added.map_err(|error| fault::failure(error, name.as_str(), &app.data_dir))?;
    app.note("account_add", added.connection.clone(), 0).await?;
    let changes = match found.changes {
        ChangeSupport::Complete => "qresync",
        ChangeSupport::Flags => "condstore",
        ChangeSupport::None => "none",
    };
    let document = json!({
        "name": name,
        "connection_id": added.connection,
        "created": added.is_new,
        "server": place,
        "change_support": changes,
        "folders": found.folders,
    });
    output.answer(&document, || {
        let did = if added.is_new { "Added" } else { "Changed" };
        let folders = counted(found.folders.len() as u64, "folder", "folders");
        let sync = app.data_dir.advice(&format!("account sync {name}"));
        format!(
            "{did} {name} ({place}, {folders}).\nA running server syncs it every {} minutes. Now: {sync}\n",
            args.every_minutes
        )
    })?;
    Ok(Exit::Done)
}

/// The settings to try, the likeliest first.
fn candidates(args: &ImapArgs) -> Result<Vec<ImapSettings>, Failure> {
    let ca_pem = args
        .ca_file
        .as_ref()
        .map(|path| std::fs::read_to_string(path).map_err(|error| Failure::input(path, &error)))
        .transpose()?;
    let user = args.user.clone().or_else(|| args.address.clone()).unwrap_or_default();
    let settings = |host: String, port: u16, security: ImapSecurity| ImapSettings {
        host,
        port,
        security,
        user: user.clone(),
        auth: match args.auth {
            Auth::Password => ImapAuth::Password,
            Auth::Xoauth2 => ImapAuth::Xoauth2,
        },
        folders: args.folders.clone(),
        mirror_deletions: args.mirror_deletions,
        ca_pem: ca_pem.clone(),
    };
    if let Some(host) = &args.host {
        let (security, port) =
            if args.starttls { (ImapSecurity::Starttls, 143) } else { (ImapSecurity::Tls, 993) };
        return Ok(vec![settings(host.clone(), args.port.unwrap_or(port), security)]);
    }
    let address = args.address.as_deref().unwrap_or_default();
    let found: Vec<_> = guesses(address)
        .into_iter()
        .map(|guess| settings(guess.host, guess.port, guess.security))
        .collect();
    if found.is_empty() {
        let message = "this is not a mail address; write it like you@example.org";
        return Err(Failure::usage(message));
    }
    Ok(found)
}

/// The first settings under which there is a server; what it says decides.
async fn first_that_works(
    candidates: Vec<ImapSettings>,
    secret: &AccountSecret,
    is_named: bool,
) -> Result<(ImapSettings, MailboxTest), SyncFault> {
    let mut first_fault = None;
    for settings in candidates {
        if !is_named {
            note(&format!("Trying {}:{} …", settings.host, settings.port));
        }
        match imap::test(&settings, secret).await {
            Ok(found) => return Ok((settings, found)),
            Err(error @ (SyncFault::Unreachable { .. } | SyncFault::Insecure { .. })) => {
                first_fault = first_fault.or(Some(error));
            }
            Err(error) => return Err(error),
        }
    }
    Err(first_fault.unwrap_or(SyncFault::Settings))
}
