//! What the agent will see and what stays hidden, with real records.
//!
//! What it will see is read through the engine with the drafted grant, as the agent would read it.
//! What stays hidden is what the owner sees and that reader does not.

use pdpp_auth::oauth::{ConsentDraft, ReviewedConsent};
use pdpp_auth::{GrantAccess, OwnerAccess};
use pdpp_contract::query::{ListRequest, RecordRequest, Sort};
use pdpp_contract::record::Record;
use pdpp_contract::{ClientName, Instant, ReadApi, StreamGrant};
use pdpp_engine::GrantedReader;
use pdpp_engine::owned::OwnedStream;

use super::sample_rows::{SampleCell, SampleRow, cell, headline};
use crate::app::App;
use crate::pages::fault::PageFault;
use crate::pages::names::{DisplayNames, stream_label};
use crate::pages::plain;
use crate::pages::times::Times;

/// Examples of each kind.
const MAX_ROWS: usize = 3;
/// Streams with examples; the others are named in the sentence.
const MAX_STREAMS: usize = 4;
/// Records at each end of a stream among which hidden ones are looked for.
const LOOKED_AT: u32 = 25;
/// How much of long texts is read.
const PREVIEW_CHARS: u32 = 200;

/// Examples of one stream.
pub struct Sample {
    pub account: String,
    pub stream: String,
    pub seen: Vec<SampleRow>,
    pub hidden_rows: Vec<HiddenRow>,
    pub hidden_fields: Vec<SampleCell>,
    pub hidden_names: String,
}

/// A record that stays hidden, and why.
pub struct HiddenRow {
    pub line: String,
    pub why: &'static str,
}

/// Examples of the first streams that are chosen.
pub async fn read(
    app: &App,
    owner: &OwnerAccess,
    (client, draft, reviewed): (&ClientName, &ConsentDraft, &ReviewedConsent),
    (names, times): (&DisplayNames, &Times),
) -> Result<Vec<Sample>, PageFault> {
    let package = draft.package(client.clone());
    let access: GrantAccess = app.services.auth.preview(owner, &package).await?.access;
    let agents = app.services.engine.reader(&access);
    let owners = app.services.engine.owner_reader(owner.clone()).await?;
    let granted = reviewed.grants.iter().flat_map(|grant| &grant.streams);
    let mut samples = Vec::new();
    for stream in granted.take(MAX_STREAMS) {
        let Some(account) = stream.connection_ids.first().and_then(|id| names.account(id)) else {
            continue;
        };
        let Some(known) = account.streams.iter().find(|one| one.name == stream.name) else {
            continue;
        };
        let reader = SampleReader { agents: &agents, owners: &owners, stream, known, times };
        let mut sample = reader.sample((draft.leave_out_codes, draft.leave_out_secrets)).await?;
        sample.account = names.account_label(&account.id);
        samples.push(sample);
    }
    Ok(samples)
}

/// Compares what the agent and the owner see of one stream.
struct SampleReader<'a> {
    agents: &'a GrantedReader,
    owners: &'a GrantedReader,
    stream: &'a StreamGrant,
    known: &'a OwnedStream,
    times: &'a Times,
}

impl SampleReader<'_> {
    async fn sample(&self, leaves_out: (bool, bool)) -> Result<Sample, PageFault> {
        let rows = u32::try_from(MAX_ROWS).unwrap_or(3);
        let seen = self.ends(self.agents, true, rows).await?;
        let newest = self.ends(self.owners, true, LOOKED_AT).await?;
        let oldest = self.ends(self.owners, false, LOOKED_AT).await?;
        let mut hidden_rows: Vec<HiddenRow> = Vec::new();
        for record in newest.iter().chain(&oldest) {
            if hidden_rows.len() == MAX_ROWS {
                break;
            }
            let line = headline(record, self.known, self.times);
            let known = hidden_rows.iter().any(|hidden| hidden.line == line);
            if !known && !self.is_seen(record).await? {
                hidden_rows.push(HiddenRow { line, why: self.why(record, leaves_out) });
            }
        }
        let granted = |name: &str| self.stream.fields.iter().any(|field| field.as_str() == name);
        let hidden = self.known.fields.iter().map(|field| field.name.as_str());
        let hidden: Vec<&str> = hidden.filter(|name| !granted(name)).collect();
        let example = |name: &&str| {
            newest.iter().find_map(|record| cell(record.data.as_ref()?, name, self.times))
        };
        let labels: Vec<String> = hidden.iter().map(|name| plain::words(name)).collect();
        Ok(Sample {
            account: String::new(),
            stream: stream_label(self.known),
            seen: seen.iter().map(|record| SampleRow::of(record, self.known, self.times)).collect(),
            hidden_rows,
            hidden_fields: hidden.iter().filter_map(example).take(MAX_ROWS).collect(),
            hidden_names: plain::listed(&labels),
        })
    }

    async fn ends(
        &self,
        reader: &GrantedReader,
        descending: bool,
        limit: u32,
    ) -> Result<Vec<Record>, PageFault> {
        let mut request = ListRequest::new(self.stream.name.clone());
        request.connection_id = self.stream.connection_ids.first().cloned();
        request.limit = Some(limit);
        request.sort = Some(Sort { field: None, descending });
        request.preview_chars = Some(PREVIEW_CHARS);
        Ok(reader.list(request).await?.data)
    }

    /// Whether the agent would get this record.
    async fn is_seen(&self, record: &Record) -> Result<bool, PageFault> {
        let mut request = RecordRequest::new(self.stream.name.clone(), record.id.clone());
        request.connection_id = self.stream.connection_ids.first().cloned();
        request.preview_chars = Some(PREVIEW_CHARS);
        match self.agents.record(request).await {
            Ok(_) => Ok(true),
            Err(error) if error.code.status() == 404 => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// `leaves_out`: codes, secrets.
    fn why(&self, record: &Record, leaves_out: (bool, bool)) -> &'static str {
        let time = self.stream.time_constraint.as_ref();
        let at = time.and_then(|time| {
            let value = record.data.as_ref()?.get(time.field.as_str())?;
            value.as_str().and_then(Instant::parse)
        });
        let bounds = time.and_then(|time| time.bounds(self.agents.today()).ok());
        match (at, bounds) {
            (None, Some(_)) => "has no date",
            (Some(at), Some((Some(since), _))) if at < since => "too old",
            (Some(at), Some((_, Some(until)))) if at >= until => "too new",
            _ => match leaves_out {
                (true, true) => "belongs to a record with a code, a sign-in link or a secret",
                (true, false) => "belongs to a record with a code or a sign-in link",
                (false, true) => "belongs to a record with a key, a token or a password",
                (false, false) => "not selected",
            },
        }
    }
}
