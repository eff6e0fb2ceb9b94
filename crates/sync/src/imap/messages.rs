//! Reading what is new in a folder: messages become the records that an import would make of them.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use pdpp_contract::import::{ImportItem, ImportRecord, Rejected};
use pdpp_contract::{ErrorCode, Json, RecordId};
use pdpp_import::formats::mail::{MAX_MESSAGE_BYTES, put_message};
use pdpp_import::sink::{Flow, ImportSetting, Sink, Stop};
use pdpp_store::accounts::sync::{FolderState, ItemNo, SyncCommit, SyncedItem};

use super::flags::labels;
use super::plan::{FolderPlan, NewMessage};
use super::session::MailSession;
use crate::fault::SyncFault;
use crate::run::RunContext;

/// Bytes of messages that are asked for at once; a larger one comes alone.
const CHUNK_BYTES: u64 = 4 * 1024 * 1024;
/// Most messages that are asked for at once.
const CHUNK_MESSAGES: usize = 200;

/// Reads and writes the new messages of a folder, some at a time. What is written is not read again.
pub async fn read_new(
    session: &mut MailSession,
    run: &RunContext,
    plan: &FolderPlan,
) -> Result<(), SyncFault> {
    if plan.new.is_empty() {
        return Ok(());
    }
    let listed = session.open(&plan.folder, None).await?;
    // It went, or was numbered anew: the next run compares it again.
    if listed.is_none_or(|opened| i64::from(opened.uid_validity) != plan.epoch) {
        return Ok(());
    }
    let mut rest = plan.new.as_slice();
    while let Some((first, _)) = rest.split_first() {
        let mut bytes = u64::from(first.size_bytes);
        let more = rest.iter().skip(1).take(CHUNK_MESSAGES - 1).take_while(|message| {
            bytes += u64::from(message.size_bytes);
            bytes <= CHUNK_BYTES
        });
        let (chunk, after) = rest.split_at(1 + more.count());
        read_chunk(session, run, plan, chunk).await?;
        run.note_items(chunk.len());
        rest = after;
    }
    Ok(())
}

async fn read_chunk(
    session: &mut MailSession,
    run: &RunContext,
    plan: &FolderPlan,
    chunk: &[NewMessage],
) -> Result<(), SyncFault> {
    let limit = u32::try_from(MAX_MESSAGE_BYTES).unwrap_or(u32::MAX);
    let (fitting, too_large): (Vec<_>, Vec<_>) =
        chunk.iter().partition(|message| message.size_bytes <= limit);
    let uids: Vec<u32> = fitting.iter().map(|message| message.uid).collect();
    let fetched = if uids.is_empty() { Vec::new() } else { session.messages(&uids).await? };
    let marks: HashMap<u32, &str> =
        chunk.iter().map(|message| (message.uid, message.marks.as_str())).collect();
    let with_bodies = fetched.into_iter().filter_map(|message| Some((message.uid, message.body?)));
    // What went meanwhile has no body; what nobody asked for has no marks.
    let wanted = with_bodies.filter(|(uid, _)| marks.contains_key(uid));
    let (mut items, ids) = parse(run, plan, wanted.collect()).await?;
    let mut put: Vec<SyncedItem> = Vec::new();
    for (uid, record_id) in ids {
        let marks = marks.get(&uid).copied().unwrap_or_default();
        put.push(synced(plan, uid, record_id, marks));
    }
    for message in too_large {
        let why = format!("the message is larger than {} MiB", MAX_MESSAGE_BYTES >> 20);
        let rejected = Rejected::new(ErrorCode::PayloadTooLarge, why, &[]);
        let (source, position) = (plan.label.clone(), u64::from(message.uid));
        items.push(ImportItem { source, position, content: Err(rejected) });
        put.push(synced(plan, message.uid, String::new(), &message.marks));
    }
    set_labels(run, &mut items, &put).await?;
    let begun = plan.begun_json.iter().map(|state_json| FolderState {
        folder: plan.folder.clone(),
        state_json: state_json.clone(),
    });
    let commit = SyncCommit { put, set_states: begun.collect(), ..SyncCommit::of(run.run_no()) };
    run.write(items, commit).await
}

fn synced(plan: &FolderPlan, uid: u32, record_id: String, marks: &str) -> SyncedItem {
    SyncedItem {
        folder: plan.folder.clone(),
        no: ItemNo { epoch: plan.epoch, item: i64::from(uid) },
        record_id,
        marks: marks.to_owned(),
    }
}

/// Makes records of messages; which message became which record, `""` for one that is no mail.
async fn parse(
    run: &RunContext,
    plan: &FolderPlan,
    messages: Vec<(u32, Vec<u8>)>,
) -> Result<(Vec<ImportItem>, Vec<(u32, String)>), SyncFault> {
    let mut setting = ImportSetting {
        emitted_at: run.now().to_string(),
        zone: TimeZone::UTC,
        blobs: run.files(),
        texts: run.texts(),
    };
    let source = plan.label.clone();
    let parsing = move || {
        let (mut items, mut ids) = (Vec::new(), Vec::new());
        for (uid, raw) in messages {
            let began = items.len();
            let mut out = |item: ImportItem| -> Flow {
                items.push(ImportItem { source: source.clone(), position: u64::from(uid), ..item });
                Ok(())
            };
            match put_message(&mut Sink::new(&mut setting, &mut out), &raw) {
                Ok(()) | Err(Stop::Cancelled | Stop::ArchiveFull(_)) => {}
                Err(Stop::Failed(error)) => return Err(error),
            }
            let mut records =
                items.iter().skip(began).filter_map(|item| item.content.as_ref().ok());
            let message = records.find(|record| record.stream.as_str() == "messages");
            ids.push((uid, message.map(|record| record.id.to_string()).unwrap_or_default()));
        }
        Ok((items, ids))
    };
    let parsed = tokio::task::spawn_blocking(parsing).await;
    let parsed = parsed.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    parsed.map_err(|error| run.not_kept(&error))
}

/// Gives each message the labels of all its places: those that are known, and those that come with it.
async fn set_labels(
    run: &RunContext,
    items: &mut [ImportItem],
    coming: &[SyncedItem],
) -> Result<(), SyncFault> {
    let named = coming.iter().filter_map(|item| RecordId::new(item.record_id.clone()).ok());
    let known = run.places_of(named.collect()).await?;
    for item in items {
        let Ok(record) = &mut item.content else { continue };
        if record.stream.as_str() != "messages" {
            continue;
        }
        let id = record.id.to_string();
        let places = known.iter().chain(coming).filter(|place| place.record_id == id);
        let labels = labels(places.map(|place| place.marks.as_str()));
        put_labels(record, labels);
    }
    Ok(())
}

/// Sets the labels of a message, behind those that it brings itself.
fn put_labels(record: &mut ImportRecord, labels: Vec<String>) {
    let Some(data) = record.change_data() else { return };
    let mut all: Vec<Json> = match data.get("labels") {
        Some(Json::Array(own)) => own.clone(),
        _ => Vec::new(),
    };
    for label in labels.into_iter().map(Json::String) {
        if !all.contains(&label) {
            all.push(label);
        }
    }
    data.insert("labels".to_owned(), Json::Array(all));
}
