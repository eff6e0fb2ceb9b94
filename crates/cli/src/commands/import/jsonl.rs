//! `pdpp import jsonl`: one record per line, with a declaration that says what the lines mean.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use pdpp_contract::ids::DisplayName;
use pdpp_contract::import::ImportItem;
use pdpp_contract::{ConnectionName, SourceDeclaration};
use pdpp_engine::import::ImportRequest;
use pdpp_import::jsonl;

use super::blobs::AttachedFiles;
use super::progress::Progress;
use super::{redeclaring, report};
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Bytes read from a file at once.
const READ_BYTES: usize = 256 * 1024;

/// Read records, one JSON object per line
///
/// Each line is `{"type":"RECORD","stream":…,"key":…,"data":{…},"emitted_at":…}`, with
/// `"op":"delete"` to delete a record. Lines that cannot be imported go to quarantine and are listed in
/// the report; the others are imported.
#[derive(Debug, Args)]
pub struct JsonlArgs {
    /// The source declaration of the records
    #[arg(long, value_name = "DECL.json")]
    declaration: PathBuf,
    /// Files of records; - reads standard input
    #[arg(required = true, value_name = "RECORDS.jsonl")]
    records: Vec<PathBuf>,
    /// Your name for this account, such as work-mail; created if new
    #[arg(long, value_name = "NAME")]
    connection: ConnectionName,
    /// Display name for people and agents [default: the name]
    #[arg(long, value_name = "TEXT")]
    display_name: Option<DisplayName>,
    #[expect(clippy::doc_markdown, reason = "words of the help page, which shows no backticks")]
    /// Attach files of this directory: a reference names one by its blob_id, or by
    /// `"blob_file": "path/in/the/directory"`, which becomes blob_id, sha256 and size_bytes
    #[arg(long, value_name = "DIR")]
    blobs: Option<PathBuf>,
    /// Continue although the account holds records of another source
    #[arg(long)]
    replace_declaration: bool,
    /// Show what would happen without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Do not show progress
    #[arg(long, short)]
    quiet: bool,
}

/// Imports and reports.
pub async fn run(args: JsonlArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    let declaration = declaration(&args.declaration)?;
    let inputs =
        args.records.iter().map(|path| Input::open(path)).collect::<Result<Vec<_>, _>>()?;
    let total = inputs.iter().map(|input| input.size_bytes).sum::<Option<u64>>();
    let app = CliApp::open_for_import(data_dir, args.dry_run).await?;
    let _arrivals = app.begin_arrivals(args.dry_run).await?;
    let known = redeclaring::declared(&app, &args.connection).await?;
    let meant = (&args.connection, args.replace_declaration);
    let dropped = redeclaring::dropped(known.as_ref(), &declaration, meant)?;
    let progress = Progress::start(total, args.quiet, args.dry_run);
    let files = match &args.blobs {
        Some(directory) => AttachedFiles::attach(&app, directory, args.dry_run).await?,
        None => AttachedFiles::default(),
    };
    let request = ImportRequest {
        name: args.connection,
        display_name: args.display_name,
        declaration,
        new_id: app.new_connection_id()?,
        dry_run: args.dry_run,
    };
    let items = inputs.into_iter().flat_map(Input::items);
    let items = Box::new(items.map(move |item| item.map(|item| files.name_blobs(item))));
    let report = app.engine.import(&app.owner(), request, items, progress.listener()).await;
    progress.finish();
    let report = report?;
    if let Some(connection) = report.connection_id.clone().filter(|_| !args.dry_run) {
        app.note("import", connection, report.added + report.changed + report.deleted).await?;
    }
    report::answer(&report, (report::ReportUnit::Line, &dropped), &app.data_dir, output)
}

fn declaration(path: &Path) -> Result<SourceDeclaration, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(path, &error))?;
    SourceDeclaration::parse_new(&text).map_err(Failure::declaration)
}

/// One file of records, open and not read yet.
struct Input {
    /// The file's name without its directory, for reports.
    source: String,
    /// `None` when only the end will tell.
    size_bytes: Option<u64>,
    reader: Box<dyn BufRead + Send>,
}

impl Input {
    /// Opens every file before the first line is read, so that a wrong name costs nothing.
    fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            let reader = Box::new(BufReader::with_capacity(READ_BYTES, io::stdin()));
            return Ok(Self { source: "standard input".to_owned(), size_bytes: None, reader });
        }
        let unreadable = |error| Failure::input(path, &error);
        let file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if about.is_dir() {
            return Err(unreadable(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self {
            source: name.to_string_lossy().into_owned(),
            size_bytes: about.is_file().then_some(about.len()),
            reader: Box::new(BufReader::with_capacity(READ_BYTES, file)),
        })
    }

    fn items(self) -> impl Iterator<Item = io::Result<ImportItem>> + Send {
        jsonl::items(self.source, self.reader)
    }
}
