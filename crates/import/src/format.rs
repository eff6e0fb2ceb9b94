//! The formats that can be imported, by the names people type.

use std::io;

use pdpp_contract::{DeclarationFault, SourceDeclaration};

use crate::export::Export;
use crate::formats::{calendar, chatgpt, claude, contacts, mail, slack, spotify, table, whatsapp};
use crate::sink::{Flow, Sink};

/// A format of exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Mail in one file.
    Mbox,
    /// Mail, one message per file.
    Eml,
    /// Mail, one message per file, in the folders of a mail server.
    Maildir,
    /// The ChatGPT data export.
    Chatgpt,
    /// The Claude data export.
    Claude,
    /// The Slack workspace export.
    Slack,
    /// Exported WhatsApp chats.
    Whatsapp,
    /// Calendars.
    Ics,
    /// Address books.
    Vcf,
    /// Spotify's listening history.
    Spotify,
    /// Tables.
    Csv,
    /// Lists of JSON objects.
    Json,
    /// The messages of a Singer tap.
    Singer,
}

/// An importer whose records always look alike.
type Import = fn(&Export, &mut Sink<'_>) -> Flow;
/// Finds out what a source looks like; the second argument names its stream.
type Infer = fn(&Export, Option<&str>) -> io::Result<table::Inferred>;

enum Reading {
    Declared(&'static str, Import),
    Inferred(Infer, table::TableImport),
}

/// An export that is ready to be read.
pub struct Prepared {
    /// What its records look like.
    pub declaration: SourceDeclaration,
    /// What the source wants to be told at the next run, as JSON text.
    pub state: Option<String>,
    reading: Reading,
    export: Export,
}

/// Why an export cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// It cannot be opened.
    #[error("the export cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It holds nothing of this format; why, where something was refused.
    #[error("nothing to import was found; is it another format?")]
    Nothing(Option<String>),
    /// It exceeds a cap, which the text names.
    #[error("{0}")]
    TooMuch(String),
    /// What was found cannot be kept as it is.
    #[error("what was found cannot be declared")]
    Undeclarable(Vec<DeclarationFault>),
}

impl Format {
    /// Every format, in the order in which help lists them.
    pub const ALL: [Self; 13] = [
        Self::Mbox,
        Self::Eml,
        Self::Maildir,
        Self::Chatgpt,
        Self::Claude,
        Self::Slack,
        Self::Whatsapp,
        Self::Ics,
        Self::Vcf,
        Self::Spotify,
        Self::Csv,
        Self::Json,
        Self::Singer,
    ];

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mbox => "mbox",
            Self::Eml => "eml",
            Self::Maildir => "maildir",
            Self::Chatgpt => "chatgpt",
            Self::Claude => "claude",
            Self::Slack => "slack",
            Self::Whatsapp => "whatsapp",
            Self::Ics => "ics",
            Self::Vcf => "vcf",
            Self::Spotify => "spotify",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Singer => "singer",
        }
    }

    /// Whether the declaration is found by looking, so that the owner may replace it.
    pub fn is_inferred(self) -> bool {
        matches!(self.reading(), Reading::Inferred(..))
    }

    fn reading(self) -> Reading {
        match self {
            Self::Mbox => Reading::Declared(mail::DECLARATION, mail::import_mbox),
            Self::Eml | Self::Maildir => Reading::Declared(mail::DECLARATION, mail::import_files),
            Self::Chatgpt => Reading::Declared(chatgpt::DECLARATION, chatgpt::import),
            Self::Claude => Reading::Declared(claude::DECLARATION, claude::import),
            Self::Slack => Reading::Declared(slack::DECLARATION, slack::import),
            Self::Whatsapp => Reading::Declared(whatsapp::DECLARATION, whatsapp::import),
            Self::Ics => Reading::Declared(calendar::DECLARATION, calendar::import),
            Self::Vcf => Reading::Declared(contacts::DECLARATION, contacts::import),
            Self::Spotify => Reading::Declared(spotify::DECLARATION, spotify::import),
            Self::Csv => Reading::Inferred(table::infer_csv, table::import_csv),
            Self::Json => Reading::Inferred(table::infer_json, table::import_json),
            Self::Singer => Reading::Inferred(table::infer_singer, table::import_singer),
        }
    }

    /// Finds out what the export looks like, unless `given` says it.
    pub fn prepare(
        self,
        export: Export,
        given: Option<SourceDeclaration>,
        stream: Option<&str>,
    ) -> Result<Prepared, PrepareError> {
        let reading = self.reading();
        let inferred = match &reading {
            Reading::Declared(declaration, _) => {
                let declaration = Some((*declaration).to_owned());
                table::Inferred { declaration, state: None, fault: None, too_much: None }
            }
            Reading::Inferred(infer, _) => infer(&export, stream)?,
        };
        let table::Inferred { declaration, state, fault, too_much } = inferred;
        // A declaration that the owner gives says which tables and fields are wanted.
        if let (Some(table::TooMuch(why)), None) = (too_much, &given) {
            return Err(PrepareError::TooMuch(why));
        }
        let declaration = match (given, declaration) {
            (Some(given), _) => given,
            (None, Some(found)) => {
                SourceDeclaration::parse_new(&found).map_err(PrepareError::Undeclarable)?
            }
            (None, None) => return Err(PrepareError::Nothing(fault)),
        };
        Ok(Prepared { declaration, state, reading, export })
    }
}

impl Prepared {
    /// What is read.
    pub fn export(&self) -> &Export {
        &self.export
    }

    /// Reads the export into a sink.
    pub fn read(&self, sink: &mut Sink<'_>) -> Flow {
        match &self.reading {
            Reading::Declared(_, import) => import(&self.export, sink),
            Reading::Inferred(_, import) => import(&self.export, &self.declaration, sink),
        }
    }
}
