//! What a format of exports is: its name, how it is recognised, and how it is read.

use std::io;

use pdpp_contract::{DeclarationFault, SourceDeclaration};

use crate::export::Export;
use crate::formats::{FORMATS, table};
use crate::sink::{Flow, Sink};
use crate::survey::{Candidate, Claim, Companion, ItemCount};

/// A format of exports. Command line, help, survey and documentation are made from these.
#[derive(Debug)]
pub struct Format {
    /// The name people type.
    pub name: &'static str,
    /// Its line in `pdpp import --help`.
    pub help: &'static str,
    /// What it reads, in `docs/importers.md`.
    pub reads: &'static str,
    /// How its files are known.
    pub recognise: Recognise,
    /// How it is read.
    pub importer: Importer,
}

/// How the files of a format are known.
#[derive(Debug)]
pub struct Recognise {
    /// Of several formats that claim a file, the one with the highest rank gets it.
    pub rank: u8,
    /// Whether a file is one of its own. Names are cheap, beginnings cost a read: ask for the name
    /// first.
    pub claims: fn(&Candidate<'_>) -> Option<Claim>,
    /// What a file that nobody claims is to an export of this format in whose folder, or below it, it
    /// stands; it is named relative to the folder.
    pub beside: Option<fn(&str) -> Option<Companion>>,
    /// How its items are counted for the plan, where that is cheap.
    pub counts: Option<ItemCount>,
}

/// Reads records that always look alike.
pub type Import = fn(&Export, &mut Sink<'_>) -> Flow;
/// Finds out what a source looks like; the second argument names its stream.
pub type Infer = fn(&Export, Option<&str>) -> io::Result<table::Inferred>;
/// Reads records by the declaration that was found or given.
pub type TableImport = fn(&Export, &SourceDeclaration, &mut Sink<'_>) -> Flow;

/// How a format is read.
#[derive(Debug)]
pub enum Importer {
    /// Its records always look as the declaration says.
    Declared {
        /// The declaration as JSON text.
        declaration: &'static str,
        /// The importer.
        import: Import,
    },
    /// What its records look like is found by looking, so the owner may say it instead.
    Inferred {
        /// Looks.
        infer: Infer,
        /// The importer.
        import: TableImport,
        /// Which streams there will be, in `docs/importers.md`.
        streams: &'static str,
        /// Whether the owner may put all records into one stream.
        takes_stream: bool,
    },
}

/// An export that is ready to be read.
pub struct PreparedExport {
    /// What its records look like.
    pub declaration: SourceDeclaration,
    /// What the source wants to be told at the next run, as JSON text.
    pub state: Option<String>,
    format: &'static Format,
    export: Export,
}

/// Why an export cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// It cannot be opened.
    #[error("the export cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It holds nothing of this format; why, where something was rejected.
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
    /// The format of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        FORMATS.iter().copied().find(|format| format.name == name)
    }

    /// Whether the declaration is found by looking, so that the owner may replace it.
    pub fn is_inferred(&self) -> bool {
        matches!(self.importer, Importer::Inferred { .. })
    }

    /// Whether it tells what changed since the last time, so that its records always win.
    pub fn is_live(&self) -> bool {
        self.name == table::SINGER.name
    }

    /// Whether the owner may put all records into one stream.
    pub fn takes_stream(&self) -> bool {
        matches!(self.importer, Importer::Inferred { takes_stream: true, .. })
    }

    /// The connector key of its records and what people call the source.
    pub fn source(&self) -> (String, String) {
        let declared = match &self.importer {
            Importer::Declared { declaration, .. } => SourceDeclaration::parse(declaration).ok(),
            Importer::Inferred { .. } => None,
        };
        let name = |source: SourceDeclaration| {
            (source.connector_key().to_string(), source.display.name.clone())
        };
        declared.map_or_else(|| (self.name.to_owned(), self.name.to_owned()), name)
    }

    /// Which streams it makes, in words for people.
    pub fn streams(&self) -> String {
        match &self.importer {
            Importer::Inferred { streams, .. } => (*streams).to_owned(),
            Importer::Declared { declaration, .. } => {
                let declared = SourceDeclaration::parse(declaration).map(|source| source.streams);
                let streams = declared.unwrap_or_default();
                let names: Vec<&str> = streams.iter().map(|stream| stream.name.as_str()).collect();
                names.join(", ")
            }
        }
    }

    /// Finds out what the export looks like, unless `given` says it.
    pub fn prepare(
        &'static self,
        export: Export,
        given: Option<SourceDeclaration>,
        stream: Option<&str>,
    ) -> Result<PreparedExport, PrepareError> {
        let inferred = match &self.importer {
            Importer::Declared { declaration, .. } => {
                let declaration = Some((*declaration).to_owned());
                table::Inferred { declaration, state: None, fault: None, too_much: None }
            }
            Importer::Inferred { infer, .. } => infer(&export, stream)?,
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
        Ok(PreparedExport { declaration, state, format: self, export })
    }
}

impl PreparedExport {
    /// Its format.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// What is read.
    pub fn export(&self) -> &Export {
        &self.export
    }

    /// Reads the export into a sink.
    pub fn read(&self, sink: &mut Sink<'_>) -> Flow {
        match &self.format.importer {
            Importer::Declared { import, .. } => import(&self.export, sink),
            Importer::Inferred { import, .. } => import(&self.export, &self.declaration, sink),
        }
    }
}
