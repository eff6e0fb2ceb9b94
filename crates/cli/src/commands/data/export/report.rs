//! What an export holds, and what it does not.

use std::path::{Path, PathBuf};

use pdpp_auth::LivePackage;
use pdpp_contract::{ConnectionName, StreamName};
use serde_json::{Value, json};

use super::ExportFormat;
use crate::app::CliApp;
use crate::failure::Failure;
use crate::output::table::counted;
use crate::output::words::Words;
use crate::output::{plain, quoted, without_nulls};

/// Everything about one export.
pub struct ExportReport {
    format: ExportFormat,
    directory: PathBuf,
    agent: Option<String>,
    /// What became of each account.
    pub accounts: Vec<AccountReport>,
}

/// What became of an account.
pub struct AccountReport {
    /// Its name, and that of its directory.
    pub account: ConnectionName,
    /// Its streams, those that are left out too.
    pub streams: Vec<StreamReport>,
    /// Files that records refer to.
    pub files: u64,
    /// Files that records refer to and the store does not hold.
    pub missing_files: u64,
}

/// What became of a stream.
pub struct StreamReport {
    /// The stream.
    pub stream: StreamName,
    /// Records that were written, or are left out.
    pub records: u64,
    /// Where they are, in the export.
    pub file: Option<String>,
    /// Why the format cannot carry them.
    pub left_out: Option<&'static str>,
    /// Fields that the format cannot carry.
    pub lost_fields: Vec<String>,
}

impl ExportReport {
    /// A report of an export that begins.
    pub fn new(format: ExportFormat, directory: &Path, package: Option<&LivePackage>) -> Self {
        let agent = package.map(|package| package.client.to_string());
        Self { format, directory: directory.to_owned(), agent, accounts: Vec::new() }
    }

    /// Whether there were records and none could be carried.
    pub fn holds_nothing_but_left_out(&self) -> bool {
        let streams = || self.accounts.iter().flat_map(|account| &account.streams);
        let records = |left_out: bool| {
            let same = streams().filter(|stream| stream.left_out.is_some() == left_out);
            same.map(|stream| stream.records).sum::<u64>()
        };
        records(false) == 0 && records(true) > 0
    }

    /// Writes the report into the export.
    pub fn write_into(&self, directory: &Path) -> Result<(), Failure> {
        let path = directory.join("export.json");
        let text = format!("{:#}\n", self.document());
        std::fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))
    }

    /// The report for scripts.
    pub fn document(&self) -> Value {
        let account = |account: &AccountReport| {
            let stream = |stream: &StreamReport| {
                without_nulls(json!({
                    "stream": stream.stream,
                    "records": stream.records,
                    "file": stream.file,
                    "left_out": stream.left_out,
                    "lost_fields": stream.lost_fields,
                }))
            };
            json!({
                "account": account.account,
                "streams": account.streams.iter().map(stream).collect::<Vec<_>>(),
                "files": account.files,
                "missing_files": account.missing_files,
            })
        };
        without_nulls(json!({
            "format": self.format.name(),
            "directory": self.directory.display().to_string(),
            "as": self.agent,
            "accounts": self.accounts.iter().map(account).collect::<Vec<_>>(),
        }))
    }

    /// The report for people.
    pub fn words(&self, app: &CliApp) -> String {
        let mut words = Words::new(format!("Exported to {}", self.directory.display()));
        for account in &self.accounts {
            words.line(account.account.as_str());
            for stream in &account.streams {
                let records = counted(stream.records, "record", "records");
                let name = plain(stream.stream.as_str());
                match (&stream.left_out, stream.lost_fields.as_slice()) {
                    (Some(reason), _) => {
                        words.line(format!("  {name}  {records} left out: {reason}"));
                    }
                    (None, []) => words.line(format!("  {name}  {records}")),
                    (None, lost) => {
                        let lost = plain(&lost.join(", "));
                        words.line(format!("  {name}  {records}, without {lost}"));
                    }
                }
            }
            if account.files > 0 {
                words.line(format!("  {}", counted(account.files, "file", "files")));
            }
            if account.missing_files > 0 {
                let missing = counted(account.missing_files, "file is", "files are");
                words.line(format!("  {missing} not in the store"));
            }
        }
        if self.format == ExportFormat::Jsonl && !self.accounts.is_empty() {
            words.line("\nImport an account again with:");
            for account in &self.accounts {
                words.line(format!("  {}", app.data_dir.advice(&self.import(account))));
            }
        }
        words.into_text()
    }

    fn import(&self, account: &AccountReport) -> String {
        let place = self.directory.join(account.account.as_str());
        let at = |name: &str| quoted(&place.join(name).display().to_string());
        let files = (account.files > 0).then(|| format!(" --blobs {}", at("files")));
        format!(
            "import jsonl --declaration {} {} --connection {}{}",
            at("declaration.json"),
            at("records.jsonl"),
            account.account,
            files.unwrap_or_default(),
        )
    }
}
