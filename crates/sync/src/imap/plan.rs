//! What has to be done about one folder: what is new, what has other flags, what went.

use std::collections::{HashMap, HashSet};

use pdpp_store::accounts::sync::{ItemNo, SyncedItem};
use serde::{Deserialize, Serialize};

use super::flags::marks;
use super::session::{FetchedMessage, Listed, MailSession, OpenedFolder};
use crate::fault::SyncFault;
use crate::run::RunContext;

/// What is remembered of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FolderMemory {
    uid_validity: u32,
    #[serde(default)]
    uid_next: Option<u32>,
    #[serde(default)]
    highest_modseq: Option<u64>,
}

/// A message that was not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    pub uid: u32,
    pub size_bytes: u32,
    pub marks: String,
}

/// What has to be done about one folder.
#[derive(Debug)]
pub struct FolderPlan {
    /// Its name at the server.
    pub folder: String,
    /// Its name as a label.
    pub label: String,
    /// The numbering of its messages.
    pub epoch: i64,
    /// Messages to read.
    pub new: Vec<NewMessage>,
    /// Messages that are known under other flags.
    pub changed: Vec<SyncedItem>,
    /// Messages that are not there any more.
    pub gone: Vec<SyncedItem>,
    /// What is remembered when all that is done; `None` for a folder that went.
    pub state_json: Option<String>,
    /// What is remembered while its first messages are read: that there is such a folder.
    pub begun_json: Option<String>,
}

impl FolderPlan {
    /// The plan for a folder that the server has no more.
    pub async fn of_gone(run: &RunContext, folder: &str) -> Result<Self, SyncFault> {
        Ok(Self {
            folder: folder.to_owned(),
            label: String::new(),
            epoch: 0,
            new: Vec::new(),
            changed: Vec::new(),
            gone: run.folder_items(folder).await?,
            state_json: None,
            begun_json: None,
        })
    }
}

/// Opens a folder and compares it. `None` when it went in the meantime.
pub async fn make(
    session: &mut MailSession,
    run: &RunContext,
    folder: &Listed,
    label: &str,
    state: Option<&str>,
) -> Result<Option<FolderPlan>, SyncFault> {
    let is_unknown = state.is_none();
    let memory: Option<FolderMemory> = state.and_then(|text| serde_json::from_str(text).ok());
    let since = memory.as_ref().and_then(|known| Some((known.uid_validity, known.highest_modseq?)));
    let Some(mut opened) = session.open(&folder.name, since).await? else { return Ok(None) };
    let epoch = i64::from(opened.uid_validity);
    let mut comparison = Comparison {
        run,
        folder: &folder.name,
        label,
        epoch,
        new: Vec::new(),
        changed: Vec::new(),
        gone: Vec::new(),
    };
    let memory = memory.filter(|known| known.uid_validity == opened.uid_validity);
    let is_told = match &memory {
        Some(memory) => comparison.by_changes(session, memory, &mut opened).await?,
        None => false,
    };
    if !is_told {
        comparison.by_listing(session, opened.exists).await?;
    }
    let Comparison { new, changed, gone, .. } = comparison;
    let remembered = FolderMemory {
        uid_validity: opened.uid_validity,
        uid_next: opened.uid_next,
        highest_modseq: opened.highest_modseq.filter(|number| *number > 0),
    };
    let begun = FolderMemory { uid_next: None, highest_modseq: None, ..remembered.clone() };
    let written = |memory: &FolderMemory| serde_json::to_string(memory).ok();
    Ok(Some(FolderPlan {
        folder: folder.name.clone(),
        label: label.to_owned(),
        epoch,
        new,
        changed,
        gone,
        state_json: written(&remembered),
        begun_json: if is_unknown { written(&begun) } else { None },
    }))
}

struct Comparison<'a> {
    run: &'a RunContext,
    folder: &'a str,
    label: &'a str,
    epoch: i64,
    new: Vec<NewMessage>,
    changed: Vec<SyncedItem>,
    gone: Vec<SyncedItem>,
}

impl Comparison<'_> {
    /// Compares by what the server says has changed. `false`, and nothing is planned, when that cannot be
    /// everything.
    async fn by_changes(
        &mut self,
        session: &mut MailSession,
        memory: &FolderMemory,
        opened: &mut OpenedFolder,
    ) -> Result<bool, SyncFault> {
        let (Some(before), Some(now)) = (memory.highest_modseq, opened.highest_modseq) else {
            return Ok(false);
        };
        let known_count = self.run.count_items(self.folder, self.epoch).await?;
        let reported = if opened.is_resynced {
            std::mem::take(&mut opened.changed)
        } else if before == now {
            Vec::new()
        } else {
            session.changed_since(before).await?
        };
        let by_uid: HashMap<u32, FetchedMessage> =
            reported.into_iter().map(|message| (message.uid, message)).collect();
        let known = self.find(by_uid.keys().copied()).await?;
        let vanished: HashSet<i64> = if opened.vanished.is_empty() {
            HashSet::new()
        } else {
            // The server may name numbers that never were: only those count that are known.
            let all = self.run.folder_items(self.folder).await?;
            let of_now = all.into_iter().filter(|item| item.no.epoch == self.epoch);
            let is_gone = |item: &SyncedItem| {
                let uid = u32::try_from(item.no.item).unwrap_or(0);
                opened.vanished.iter().any(|range| range.contains(&uid))
            };
            self.gone = of_now.filter(is_gone).collect();
            self.gone.iter().map(|item| item.no.item).collect()
        };
        let mut unknown: Vec<u32> = by_uid
            .keys()
            .copied()
            .filter(|uid| {
                !known.contains_key(&i64::from(*uid)) && !vanished.contains(&i64::from(*uid))
            })
            .collect();
        unknown.sort_unstable();
        let left = known_count - u64::try_from(self.gone.len()).unwrap_or(0).min(known_count);
        let expected = left + u64::try_from(unknown.len()).unwrap_or(0);
        // An earlier run may have broken off, or the server may not tell what went.
        if expected != u64::from(opened.exists) {
            self.gone.clear();
            return Ok(false);
        }
        for (uid, item) in known {
            let flags = u32::try_from(uid).ok().and_then(|uid| by_uid.get(&uid)?.flags.clone());
            self.note_known(item, flags.as_deref());
        }
        if !unknown.is_empty() {
            for chunk in unknown.chunks(2_000) {
                for message in session.sizes(chunk).await? {
                    self.note_new(&message);
                }
            }
        }
        Ok(true)
    }

    /// Compares everything with everything.
    async fn by_listing(
        &mut self,
        session: &mut MailSession,
        exists: u32,
    ) -> Result<(), SyncFault> {
        let listed = if exists == 0 { Vec::new() } else { session.list_messages().await? };
        let all = self.run.folder_items(self.folder).await?;
        let mut known: HashMap<i64, SyncedItem> = HashMap::new();
        for item in all {
            if item.no.epoch == self.epoch {
                known.insert(item.no.item, item);
            } else {
                // Of an earlier numbering: the same messages come again under new numbers.
                self.gone.push(item);
            }
        }
        for message in listed {
            match known.remove(&i64::from(message.uid)) {
                Some(item) => self.note_known(item, message.flags.as_deref()),
                None => self.note_new(&message),
            }
        }
        self.gone.extend(known.into_values());
        Ok(())
    }

    async fn find(
        &self,
        uids: impl Iterator<Item = u32>,
    ) -> Result<HashMap<i64, SyncedItem>, SyncFault> {
        let number = |uid| ItemNo { epoch: self.epoch, item: i64::from(uid) };
        let found = self.run.find_items(self.folder, uids.map(number).collect()).await?;
        Ok(found.into_iter().map(|item| (item.no.item, item)).collect())
    }

    fn note_known(&mut self, item: SyncedItem, flags: Option<&[String]>) {
        let Some(flags) = flags else { return };
        let now = marks(self.label, flags);
        if now != item.marks {
            self.changed.push(SyncedItem { marks: now, ..item });
        }
    }

    fn note_new(&mut self, message: &FetchedMessage) {
        let flags = message.flags.as_deref().unwrap_or_default();
        self.new.push(NewMessage {
            uid: message.uid,
            size_bytes: message.size_bytes.unwrap_or(0),
            marks: marks(self.label, flags),
        });
    }
}
