//! The formats, and which streams each can carry.

use clap::ValueEnum;
use pdpp_contract::StreamDeclaration;

/// A format of exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One record per line, with everything.
    Jsonl,
    /// Mail.
    Mbox,
    /// Events and tasks.
    Ics,
    /// Contacts.
    Vcf,
    /// Tables.
    Csv,
    /// One Markdown file per record.
    Md,
}

impl ExportFormat {
    /// The format's name, which also ends its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Mbox => "mbox",
            Self::Ics => "ics",
            Self::Vcf => "vcf",
            Self::Csv => "csv",
            Self::Md => "md",
        }
    }

    /// Why the format cannot carry records with these fields; `None` when it can.
    pub fn refuses(self, stream: &StreamDeclaration) -> Option<&'static str> {
        let has = |name: &str| stream.has_field(name);
        match self {
            Self::Jsonl | Self::Csv | Self::Md => None,
            Self::Mbox if has("body_text") && has("subject") => None,
            Self::Mbox => Some("not mail"),
            Self::Ics if has("title") && (has("starts_at") || has("due_at")) => None,
            Self::Ics => Some("no events or tasks"),
            Self::Vcf if has("name") && (has("emails") || has("phones")) => None,
            Self::Vcf => Some("no contacts"),
        }
    }

    /// Whether a field of a stream that it carries is lost.
    pub fn loses(self, field: &str) -> bool {
        let carried: &[&str] = match self {
            Self::Jsonl | Self::Csv | Self::Md => return false,
            Self::Mbox => super::mail::CARRIED,
            Self::Ics => super::calendar::CARRIED,
            Self::Vcf => super::contacts::CARRIED,
        };
        !carried.contains(&field)
    }
}
