//! Messages that moved, were flagged or went: their records follow.

use std::collections::{BTreeMap, BTreeSet};

use pdpp_contract::import::{ImportItem, ImportRecord, Rejected};
use pdpp_contract::{Json, JsonObject, RecordId, StreamName};
use pdpp_store::accounts::sync::{FolderState, SyncCommit, SyncedItem};

use super::flags::labels;
use super::plan::FolderPlan;
use crate::fault::SyncFault;
use crate::run::RunContext;

/// When the source had the message no more.
const DELETED_AT_SOURCE: &str = "deleted_at_source";
/// Messages that are written at once.
const CHUNK_ITEMS: usize = 200;

/// Writes what changed in a folder that is not new, and in the end how far it was read.
pub async fn settle(
    run: &RunContext,
    plan: &FolderPlan,
    mirror_deletions: bool,
) -> Result<(), SyncFault> {
    for chunk in plan.changed.chunks(CHUNK_ITEMS) {
        let commit = SyncCommit { put: chunk.to_vec(), ..SyncCommit::of(run.run_no()) };
        write(run, plan, chunk, commit, mirror_deletions).await?;
    }
    for chunk in plan.gone.chunks(CHUNK_ITEMS) {
        let drop = chunk.iter().map(|item| (item.folder.clone(), item.no)).collect();
        let commit = SyncCommit { drop, ..SyncCommit::of(run.run_no()) };
        write(run, plan, chunk, commit, mirror_deletions).await?;
    }
    let mut commit = SyncCommit::of(run.run_no());
    match &plan.state_json {
        Some(state_json) => commit
            .set_states
            .push(FolderState { folder: plan.folder.clone(), state_json: state_json.clone() }),
        None => commit.drop_states.push(plan.folder.clone()),
    }
    run.write(Vec::new(), commit).await
}

async fn write(
    run: &RunContext,
    plan: &FolderPlan,
    touched: &[SyncedItem],
    commit: SyncCommit,
    mirror_deletions: bool,
) -> Result<(), SyncFault> {
    let ids: BTreeSet<&str> = touched.iter().map(|item| item.record_id.as_str()).collect();
    let ids: Vec<RecordId> = ids.into_iter().filter_map(|id| RecordId::new(id).ok()).collect();
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_touched = |place: &SyncedItem| {
        touched.iter().any(|item| item.no == place.no && item.folder == place.folder)
    };
    let known = run.places_of(ids.clone()).await?.into_iter().filter(|place| !is_touched(place));
    for place in known.chain(commit.put.iter().cloned()) {
        places.entry(place.record_id).or_default().push(place.marks);
    }
    let mut items = Vec::new();
    for (position, id) in (1..).zip(&ids) {
        let left = places.get(id.as_str()).map(Vec::as_slice).unwrap_or_default();
        for content in followed(run, id, left, mirror_deletions).await? {
            items.push(ImportItem { source: plan.label.clone(), position, content });
        }
    }
    run.write(items, commit).await
}

/// The records of a message as they are to be when these places are left.
async fn followed(
    run: &RunContext,
    id: &RecordId,
    left: &[String],
    mirror_deletions: bool,
) -> Result<Vec<Result<ImportRecord, Rejected>>, SyncFault> {
    let Ok(stream) = StreamName::new("messages") else { return Ok(Vec::new()) };
    // The owner may have erased it.
    let Some(mut data) = run.whole_record(&stream, id).await? else { return Ok(Vec::new()) };
    let now = run.now().to_string();
    if left.is_empty() && mirror_deletions {
        return Ok(deletions(id, &data, &now));
    }
    if left.is_empty() {
        if data.contains_key(DELETED_AT_SOURCE) {
            return Ok(Vec::new());
        }
        data.insert(DELETED_AT_SOURCE.to_owned(), Json::String(now.clone()));
        run.note_kept();
    } else {
        data.remove(DELETED_AT_SOURCE);
        let labels = labels(left.iter().map(String::as_str));
        let labels = labels.into_iter().map(Json::String).collect();
        data.insert("labels".to_owned(), Json::Array(labels));
    }
    Ok(vec![ImportRecord::new("messages", &[id.as_str()], &now, data)])
}

/// Takes a message and its attachments out.
fn deletions(id: &RecordId, data: &JsonObject, now: &str) -> Vec<Result<ImportRecord, Rejected>> {
    let count = match data.get("attachment_count") {
        Some(Json::Number(count)) => count.parse().unwrap_or(0),
        _ => 0_u32,
    };
    let attachment =
        |number: u32| ImportRecord::deletion("attachments", &[&format!("{id}-{number}")], now);
    let message = ImportRecord::deletion("messages", &[id.as_str()], now);
    std::iter::once(message).chain((1..=count).map(attachment)).collect()
}
