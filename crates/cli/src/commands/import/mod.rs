//! `pdpp import`: reads an export into a connection.

mod attached;
mod blobs;
mod export;
mod jsonl;
mod progress;
mod redeclaring;
pub mod report;
mod retry;
mod singer_state;
mod spool;
mod watch;

use clap::{Args, Subcommand};
use pdpp_import::format::Format as Known;

use export::ExportArgs;

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Import an export into an account; importing it again changes nothing
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    /// Detect the format and import
    Auto(ExportArgs),
    /// Read mail from mbox files, such as Gmail's Takeout
    Mbox(ExportArgs),
    /// Read mail from .eml files
    Eml(ExportArgs),
    /// Read mail from the folders of a mail server
    Maildir(ExportArgs),
    /// Read ChatGPT's data export (zip or folder, one file or many)
    Chatgpt(ExportArgs),
    /// Read Claude's data export
    Claude(ExportArgs),
    /// Read a Slack workspace export (zip or folder)
    Slack(ExportArgs),
    /// Read exported WhatsApp chats (txt or zip)
    Whatsapp(ExportArgs),
    /// Read calendars
    Ics(ExportArgs),
    /// Read address books
    Vcf(ExportArgs),
    /// Read Spotify's listening history
    Spotify(ExportArgs),
    /// Read tables; column types are detected
    Csv(ExportArgs),
    /// Read lists of JSON objects; field types are detected
    Json(ExportArgs),
    /// Read the output of a Singer tap: tap-… | pdpp import singer - --connection NAME
    Singer(ExportArgs),
    Jsonl(jsonl::JsonlArgs),
    Retry(retry::RetryArgs),
}

/// Imports in the format that was named.
pub async fn run(args: ImportArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let (format, args) = match args.format {
        Format::Jsonl(args) => return jsonl::run(args, data_dir, output).await,
        Format::Retry(args) => return retry::run(args, data_dir, output).await,
        Format::Auto(args) => (None, args),
        Format::Mbox(args) => (Some(Known::Mbox), args),
        Format::Eml(args) => (Some(Known::Eml), args),
        Format::Maildir(args) => (Some(Known::Maildir), args),
        Format::Chatgpt(args) => (Some(Known::Chatgpt), args),
        Format::Claude(args) => (Some(Known::Claude), args),
        Format::Slack(args) => (Some(Known::Slack), args),
        Format::Whatsapp(args) => (Some(Known::Whatsapp), args),
        Format::Ics(args) => (Some(Known::Ics), args),
        Format::Vcf(args) => (Some(Known::Vcf), args),
        Format::Spotify(args) => (Some(Known::Spotify), args),
        Format::Csv(args) => (Some(Known::Csv), args),
        Format::Json(args) => (Some(Known::Json), args),
        Format::Singer(args) => (Some(Known::Singer), args),
    };
    export::run(format, args, data_dir, output).await
}
