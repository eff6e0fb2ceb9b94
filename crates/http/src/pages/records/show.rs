//! `/owner/s/{session}/record`: one record with everything it holds, and one window of a long text.

use askama::Template;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use pdpp_contract::ReadApi;
use pdpp_contract::query::RecordRequest;
use pdpp_contract::window::{FieldWindowRequest, WindowSelector};
use pdpp_engine::GrantedReader;

use super::address::RecordAddress;
use super::field_rows::{FieldRows, FieldValue};
use super::files::{FileRow, files};
use super::related::{RelationView, author, groups, relations, time, title};
use super::sights::{SightRow, sights};
use crate::app::App;
use crate::pages::address::escaped;
use crate::pages::fault::PageFault;
use crate::pages::names::{DisplayNames, stream_label_in};
use crate::pages::plain;
use crate::pages::session::SignedIn;
use crate::pages::shell::{CurrentPage, Shell, page};
use crate::pages::times::{Times, When};
use crate::params::Params;

/// How much of a long text stands on the record's page.
const PREVIEW_CHARS: u32 = 4_096;
/// How much of it stands on a page of its own.
const WINDOW_CHARS: u32 = 16_384;

#[derive(Template)]
#[template(path = "record.html")]
struct RecordPageView {
    shell: Shell,
    title: String,
    account_id: String,
    account: String,
    stream: String,
    stream_name: String,
    author: Option<String>,
    at: Option<When>,
    address: String,
    fields: FieldRows,
    window: Option<WindowView>,
    files: Vec<FileRow>,
    more_files: usize,
    related: Vec<RelationView>,
    sights: Vec<SightRow>,
    id: String,
    remove_csrf_token: String,
}

/// One window of a long text.
struct WindowView {
    label: String,
    text: String,
    place: String,
    previous: Option<String>,
    next: Option<String>,
}

/// The record.
pub async fn show(
    SignedIn(session): SignedIn,
    State(app): State<App>,
    uri: Uri,
) -> Result<Response, PageFault> {
    let mut params = Params::parse(uri.query()).map_err(|_| PageFault::BadForm)?;
    let wanted = RecordAddress::take(&mut params)?;
    let field = params.take("field").map_err(|_| PageFault::BadForm)?;
    let offset = params.take("offset").map_err(|_| PageFault::BadForm)?;
    let offset = offset.and_then(|text| text.parse().ok()).unwrap_or_default();
    let owner = session.access();
    let names = DisplayNames::of(&app, owner).await?;
    let account = names.account(&wanted.account).ok_or(PageFault::Missing)?;
    let stream = account.streams.iter().find(|stream| stream.name == wanted.stream);
    let stream = stream.ok_or(PageFault::Missing)?;
    let times = Times::of(&app).await?;
    let reader = app.services.engine.owner_reader(owner.clone()).await?;
    let mut request = RecordRequest::new(wanted.stream.clone(), wanted.id.clone());
    request.connection_id = Some(wanted.account.clone());
    request.preview_chars = Some(PREVIEW_CHARS);
    request.expand = relations(&reader, &wanted).await?;
    let record = reader.record(request).await?.record;
    let window = match field {
        Some(field) => Some(window(&reader, &wanted, &field, offset).await?),
        None => None,
    };
    let (files, more_files) = files(&reader, &record).await?;
    let mut fields = FieldRows::of(&record, stream, &times);
    if window.is_some() {
        fields.texts.clear();
    }
    Ok(page(&RecordPageView {
        shell: Shell::inside("Record", CurrentPage::Search, &app, &session),
        title: title(&record),
        account_id: wanted.account.to_string(),
        account: names.account_label(&wanted.account),
        stream: plain::first_upper(&stream_label_in(Some(account), &wanted.stream)),
        stream_name: wanted.stream.to_string(),
        author: author(&record),
        at: time(&record, &times),
        address: wanted.query(),
        fields,
        window,
        files,
        more_files,
        related: groups(&record, &times),
        sights: sights(&app, owner, &wanted, &times).await?,
        id: plain::line(wanted.id.as_str(), 512),
        remove_csrf_token: session.csrf("remove-record"),
    }))
}

async fn window(
    reader: &GrantedReader,
    wanted: &RecordAddress,
    field: &str,
    offset: u64,
) -> Result<WindowView, PageFault> {
    let request = FieldWindowRequest {
        stream: wanted.stream.clone(),
        record_id: wanted.id.clone(),
        connection_id: Some(wanted.account.clone()),
        field_path: field.to_owned(),
        selector: WindowSelector::Offset(offset),
        limit_chars: Some(WINDOW_CHARS),
    };
    let found = match reader.field_window(request).await {
        Ok(found) => found.window,
        Err(error) if error.code.status() < 500 => return Err(PageFault::Missing),
        Err(error) => return Err(error.into()),
    };
    let at = |offset: u64| format!("{}&field={}&offset={offset}", wanted.query(), escaped(field));
    let (start, end) = (found.start_chars + 1, found.end_chars);
    Ok(WindowView {
        label: plain::first_upper(&plain::words(field)),
        text: plain::paragraphs(&found.text),
        place: format!(
            "Characters {} to {} of {}",
            plain::grouped(start.min(end)),
            plain::grouped(end),
            plain::grouped(found.total_chars)
        ),
        previous: found.previous_offset_chars.map(at),
        next: found.next_offset_chars.map(at),
    })
}
