//! `pdpp show`: one record, and which agents can see it.

use clap::Args;
use pdpp_contract::handles::RecordRef;
use pdpp_contract::query::{RecordDetail, RecordRequest};
use pdpp_contract::{ConnectionName, Json, ReadApi};
use pdpp_engine::owned::RecordSight;
use pdpp_store::connections::ConnectionRef;
use serde_json::{Value, json};

use super::AsArgs;
use super::attachments::{Attachment, attachments};
use super::record_id::{RecordIdText, shown};
use super::sights;
use super::viewpoint::Viewpoint;
use super::window::{self, FieldPart};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::table::grouped;
use crate::output::words::Words;
use crate::output::{Output, Style, plain, quoted, without_nulls};

/// Longest text of a field that is shown with the others.
const SHOWN_CHARS: u32 = 2_000;

/// Show a record, and which agents can see it
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The record, as search shows it: ACCOUNT/STREAM:ID
    id: RecordIdText,
    #[command(flatten)]
    viewpoint: AsArgs,
    /// Show only this field, up to 16,384 characters of it
    #[arg(long, value_name = "FIELD")]
    field: Option<String>,
    /// Start at this character of the field
    #[arg(long, value_name = "N", requires = "field")]
    from: Option<u64>,
}

/// Shows it.
pub async fn run(args: ShowArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let viewpoint = Viewpoint::open(&args.viewpoint, app).await?;
    let target = args.id.resolve(&viewpoint.reader, app).await?;
    let as_agent = args.viewpoint.agent.as_ref();
    let as_agent = as_agent.map(|agent| format!(" --as {}", quoted(&agent.to_string())));
    let as_agent = as_agent.unwrap_or_default();
    if let Some(field) = args.field {
        let id = match &target.connection_id {
            Some(id) => format!("{id}/{}:{}", target.stream, target.record_id),
            None => format!("{}:{}", target.stream, target.record_id),
        };
        let command = format!("show {}{as_agent} --field {}", quoted(&id), quoted(&field));
        let again = app.data_dir.advice(&command);
        let part = FieldPart { field, from: args.from.unwrap_or(0), again };
        return window::run(&part, target, &viewpoint, output).await;
    }
    let request = RecordRequest {
        connection_id: target.connection_id,
        preview_chars: Some(SHOWN_CHARS),
        ..RecordRequest::new(target.stream, target.record_id)
    };
    let detail = viewpoint.reader.record(request).await?;
    let record = &detail.record;
    let account = app.connection(&ConnectionRef::Id(record.connection_id.clone())).await?.name;
    let page = RecordAnswer {
        id: shown(&account, &record.stream, &record.id),
        account,
        title: title(&detail),
        attachments: record.data.as_ref().map(attachments).unwrap_or_default(),
        agents: match &viewpoint.package {
            Some(_) => None,
            None => Some(agents(&detail, app).await?),
        },
        as_agent,
        detail,
    };
    output.answer(&page.document(&viewpoint), || page.words(app, output))?;
    Ok(Exit::Done)
}

/// What each agent's access shows of the record, and what the record carries.
struct AgentSights {
    sights: Vec<RecordSight>,
    codes: bool,
    secrets: bool,
}

async fn agents(detail: &RecordDetail, app: &CliApp) -> Result<AgentSights, Failure> {
    let (owner, record) = (app.owner(), &detail.record);
    let record = RecordRef {
        connection_id: record.connection_id.clone(),
        stream: record.stream.clone(),
        record_id: record.id.clone(),
        number: record.number,
    };
    let packages = app.auth.live_packages(&owner).await?;
    let sights = app.engine.record_sights(&owner, &record, &packages).await?;
    let sensitivity = app.engine.record_sensitivity(&owner, &record).await?;
    Ok(AgentSights { sights, codes: sensitivity.codes, secrets: sensitivity.secrets })
}

fn title(detail: &RecordDetail) -> String {
    let record = &detail.record;
    let data = record.data.as_ref();
    let title = record.roles.as_ref().zip(data).and_then(|(roles, data)| roles.title(data));
    title.unwrap_or_else(|| record.id.to_string())
}

/// Everything that is shown.
struct RecordAnswer {
    id: String,
    account: ConnectionName,
    title: String,
    detail: RecordDetail,
    attachments: Vec<Attachment>,
    agents: Option<AgentSights>,
    as_agent: String,
}

impl RecordAnswer {
    fn document(&self, viewpoint: &Viewpoint) -> Value {
        let record = &self.detail.record;
        let agents = self.agents.as_ref();
        let sights = agents.map(|agents| agents.sights.iter().map(sights::document));
        without_nulls(json!({
            "id": self.id,
            "as": viewpoint.package.as_ref().map(|package| &package.client),
            "package_id": viewpoint.package.as_ref().map(|package| &package.package_id),
            "account": self.account,
            "connection_id": record.connection_id,
            "display_name": record.display_name,
            "stream": record.stream,
            "record_id": record.id,
            "title": self.title,
            "emitted_at": record.emitted_at,
            "data": record.data,
            "previews": record.previews,
            "attachments": self.attachments.iter().map(Attachment::document).collect::<Vec<_>>(),
            "codes": agents.map(|agents| agents.codes),
            "secrets": agents.map(|agents| agents.secrets),
            "agents": sights.map(Iterator::collect::<Vec<_>>),
        }))
    }

    fn words(&self, app: &CliApp, output: &Output) -> String {
        let record = &self.detail.record;
        let mut words = Words::new(output.styled(Style::Strong, &plain(&self.title)));
        let label = record.display_name.as_deref().unwrap_or(self.account.as_str());
        let about = format!("{} · {}", plain(label), plain(record.stream.as_str()));
        words.line(output.styled(Style::Faint, &about));
        words.line(format!("{}\n", quoted(&self.id)));
        for (name, value) in record.data.iter().flatten() {
            self.field(name, value, &mut words, app);
        }
        self.files(&mut words);
        if let Some(agents) = &self.agents {
            words.line("\nAgents");
            if agents.sights.is_empty() {
                words.line("  no agent has access to anything");
            }
            for sight in &agents.sights {
                words.line(format!("  {}", sights::words(sight)));
            }
        }
        words.into_text()
    }

    /// One field; the end of a long text is left to a command of its own.
    fn field(&self, name: &str, value: &Json, words: &mut Words, app: &CliApp) {
        let record = &self.detail.record;
        let text = match value {
            Json::String(text) => text.clone(),
            other => other.to_canonical(),
        };
        let limit = usize::try_from(SHOWN_CHARS).unwrap_or(usize::MAX);
        let begun: String = text.chars().take(limit).collect();
        let preview = record.previews.iter().find(|preview| preview.field == name);
        let total = match preview {
            Some(preview) => preview.size_chars,
            None => u64::try_from(text.chars().count()).unwrap_or(u64::MAX),
        };
        let lines: Vec<String> = begun.lines().map(plain).collect();
        let gap = if lines.len() > 1 { "\n" } else { "  " };
        words.line(format!("{}{gap}{}", plain(name), lines.join("\n")));
        let shown = u64::try_from(begun.chars().count()).unwrap_or(u64::MAX);
        if total > shown {
            let command = format!(
                "show {}{} --field {} --from {shown}",
                quoted(&self.id),
                self.as_agent,
                quoted(name)
            );
            let (shown, total) = (grouped(shown), grouped(total));
            let read_on = app.data_dir.advice(&command);
            words.line(format!("[{shown} of {total} characters; read on: {read_on}]"));
        }
    }

    fn files(&self, words: &mut Words) {
        if self.attachments.is_empty() {
            return;
        }
        words.line("\nFiles");
        for file in &self.attachments {
            let name = file.filename.as_deref().unwrap_or("(no name)");
            let kind = file.mime_type.as_deref().unwrap_or_default();
            let size = file.size_bytes.map(|size| format!("{} bytes", grouped(size)));
            let size = size.unwrap_or_default();
            let line = format!("  {}  {}  {size}", plain(name), plain(kind));
            words.line(line.trim_end());
        }
    }
}
