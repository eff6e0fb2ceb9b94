//! One account: its streams in files, and the files its records refer to.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pdpp_contract::query::{ListRequest, StreamsRequest};
use pdpp_contract::record::Record;
use pdpp_contract::{FieldName, ReadApi, StreamDeclaration};
use pdpp_store::connections::Connection;

use super::declaration::ExportDeclaration;
use super::files::{self, FileCounts};
use super::report::{AccountReport, StreamReport};
use super::{ExportFormat, calendar, contacts, csv, jsonl, mail, markdown};
use crate::app::CliApp;
use crate::commands::data::viewpoint::Viewpoint;
use crate::failure::{Exit, Failure};

/// Records that are read at once.
const PAGE: u32 = 100;

/// An account that is exported.
pub struct ExportedAccount<'a> {
    pub connection: Connection,
    pub viewpoint: &'a Viewpoint,
    pub app: &'a CliApp,
}

impl ExportedAccount<'_> {
    /// Writes the account into a directory of its own.
    pub async fn write(&self, format: ExportFormat, to: &Path) -> Result<AccountReport, Failure> {
        let directory = to.join(self.connection.name.as_str());
        std::fs::create_dir(&directory)
            .map_err(|error| Failure::file("create", &directory, &error))?;
        let declaration =
            ExportDeclaration::read(&self.connection, self.viewpoint, self.app).await?;
        let mut report = AccountReport {
            account: self.connection.name.clone(),
            streams: Vec::new(),
            files: 0,
            missing_files: 0,
        };
        let mut place = Place::new(&directory, format);
        if format == ExportFormat::Jsonl {
            let path = directory.join("declaration.json");
            std::fs::write(&path, &declaration.text)
                .map_err(|error| Failure::file("write", &path, &error))?;
        }
        let connection_id = Some(self.connection.id.clone());
        let rows = self.viewpoint.reader.streams(StreamsRequest { connection_id }).await?;
        for row in rows.data {
            let Some(stream) = declaration.source.stream(row.name.as_str()) else {
                continue;
            };
            if let Some(reason) = format.refuses(stream) {
                report.streams.push(StreamReport {
                    stream: row.name,
                    records: row.record_count,
                    file: None,
                    left_out: Some(reason),
                    lost_fields: Vec::new(),
                });
                continue;
            }
            report.streams.push(self.write_stream(stream, &mut place).await?);
        }
        place.finish()?;
        report.files = place.files.written;
        report.missing_files = place.files.missing;
        Ok(report)
    }

    async fn write_stream(
        &self,
        stream: &StreamDeclaration,
        place: &mut Place,
    ) -> Result<StreamReport, Failure> {
        let (reader, fields) = (&self.viewpoint.reader, stream.field_names());
        let file = place.begin(stream, &fields)?;
        let mut records = 0;
        let mut request = ListRequest {
            connection_id: Some(self.connection.id.clone()),
            limit: Some(PAGE),
            preview_chars: Some(1),
            ..ListRequest::new(stream.name.clone())
        };
        loop {
            let page = reader.list(request.clone()).await?;
            for record in &page.data {
                records += 1;
                self.write_record(record, stream, (&fields, records), place).await?;
            }
            match page.next_cursor {
                Some(cursor) => request.cursor = Some(cursor),
                None => break,
            }
        }
        place.end()?;
        let lost = fields.iter().filter(|field| place.format.loses(field.as_str()));
        Ok(StreamReport {
            stream: stream.name.clone(),
            records,
            file: Some(file),
            left_out: None,
            lost_fields: lost.map(ToString::to_string).collect(),
        })
    }

    async fn write_record(
        &self,
        record: &Record,
        stream: &StreamDeclaration,
        (fields, number): (&[FieldName], u64),
        place: &mut Place,
    ) -> Result<(), Failure> {
        let reader = &self.viewpoint.reader;
        if place.format == ExportFormat::Md {
            place.out = Some(create(&place.stream.join(markdown::file_name(record, number)))?);
        }
        let out = place.out.as_mut().ok_or_else(|| written(io::Error::other("no file")))?;
        match place.format {
            ExportFormat::Jsonl => jsonl::write(record, stream, reader, out).await?,
            ExportFormat::Csv => csv::write(record, fields, reader, out).await?,
            ExportFormat::Md => markdown::write(record, reader, out).await?,
            ExportFormat::Mbox => mail::write(record, reader, out).await?,
            ExportFormat::Ics => calendar::write(record, reader, out).await?,
            ExportFormat::Vcf => contacts::write(record, reader, out).await?,
        }
        if place.format == ExportFormat::Md {
            place.finish()?;
        }
        files::write_of(record, &place.directory.join("files"), reader, &mut place.files).await
    }
}

/// Where the records of an account go.
struct Place {
    format: ExportFormat,
    directory: PathBuf,
    /// The directory of a stream with one file per record.
    stream: PathBuf,
    names: BTreeSet<String>,
    out: Option<BufWriter<File>>,
    files: FileCounts,
}

impl Place {
    fn new(directory: &Path, format: ExportFormat) -> Self {
        Self {
            format,
            directory: directory.to_owned(),
            stream: directory.to_owned(),
            names: BTreeSet::from(["files".to_owned()]),
            out: None,
            files: FileCounts::default(),
        }
    }

    /// Opens the file of a stream, and says its name.
    fn begin(
        &mut self,
        stream: &StreamDeclaration,
        fields: &[FieldName],
    ) -> Result<String, Failure> {
        let ending = self.format.name();
        let file = match self.format {
            ExportFormat::Jsonl => "records.jsonl".to_owned(),
            ExportFormat::Md => self.unused(stream.name.as_str()),
            _ => format!("{}.{ending}", self.unused(stream.name.as_str())),
        };
        let path = self.directory.join(&file);
        match self.format {
            ExportFormat::Jsonl if self.out.is_some() => {}
            ExportFormat::Md => {
                std::fs::create_dir(&path)
                    .map_err(|error| Failure::file("create", &path, &error))?;
                self.stream = path;
            }
            _ => self.out = Some(create(&path)?),
        }
        match (&mut self.out, self.format) {
            (Some(out), ExportFormat::Csv) => csv::write_head(fields, out)?,
            (Some(out), ExportFormat::Ics) => {
                out.write_all(calendar::BEGIN.as_bytes()).map_err(written)?;
            }
            _ => {}
        }
        let account = self.directory.file_name().unwrap_or_default().to_string_lossy();
        Ok(format!("{account}/{file}"))
    }

    /// A name for a stream's file that no other has, also where case makes no difference.
    fn unused(&mut self, stream: &str) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '_' };
        let name: String = stream.chars().map(plain).take(60).collect();
        let mut unused = name.clone();
        let mut number = 1;
        while !self.names.insert(unused.to_lowercase()) {
            number += 1;
            unused = format!("{name}-{number}");
        }
        unused
    }

    /// Ends a stream's file.
    fn end(&mut self) -> Result<(), Failure> {
        if let (Some(out), ExportFormat::Ics) = (&mut self.out, self.format) {
            out.write_all(calendar::END.as_bytes()).map_err(written)?;
        }
        if self.format == ExportFormat::Jsonl { Ok(()) } else { self.finish() }
    }

    /// Ends the file that is open.
    fn finish(&mut self) -> Result<(), Failure> {
        match self.out.take() {
            Some(mut out) => {
                out.flush().map_err(written)?;
                if self.format == ExportFormat::Md {
                    return Ok(());
                }
                out.get_ref().sync_all().map_err(written)
            }
            None => Ok(()),
        }
    }
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let file = File::create(path).map_err(|error| Failure::file("create", path, &error))?;
    Ok(BufWriter::new(file))
}

/// A file of the export that cannot be written.
#[expect(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
pub fn written(error: io::Error) -> Failure {
    Failure::new(Exit::Other, "file", format!("cannot write the export: {error}"))
}
