//! Runs an importer on a thread of its own and hands its items on, a few at a time.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use pdpp_contract::import::ImportItem;

use crate::sink::{Flow, ImportNotes, ImportSetting, Sink, Stop};

/// Items travel together up to this many …
const CHUNK_ITEMS: usize = 128;
/// … or this many bytes.
const CHUNK_BYTES: usize = 128 * 1024;

enum Chunk {
    Items(Vec<ImportItem>),
    Failed(io::Error),
    End,
}

/// The items of an importer, as they come. After an error there are no more.
pub struct Feed {
    receive: Receiver<Chunk>,
    items: std::vec::IntoIter<ImportItem>,
    ended: bool,
    notes: ImportNotes,
}

impl Feed {
    /// What the importer notes; complete when the items have ended.
    pub fn notes(&self) -> ImportNotes {
        self.notes.clone()
    }
}

/// Starts `import` and yields what it finds.
///
/// At most two chunks wait, so an importer that is faster than its reader holds little.
pub fn feed<I>(mut setting: ImportSetting, import: I) -> Feed
where
    I: FnOnce(&mut Sink<'_>) -> Flow + Send + 'static,
{
    let (send, receive) = sync_channel(1);
    let notes = ImportNotes::default();
    let noted = notes.clone();
    // A panic drops the sender without an end; the feed then says that the reader stopped.
    thread::spawn(move || {
        let mut chunk = Vec::new();
        let mut chunk_bytes = 0;
        let mut out = |item: ImportItem| {
            chunk_bytes += item.size_bytes();
            chunk.push(item);
            if chunk.len() < CHUNK_ITEMS && chunk_bytes < CHUNK_BYTES {
                return Ok(());
            }
            chunk_bytes = 0;
            deliver(&send, Chunk::Items(std::mem::take(&mut chunk)))
        };
        let outcome = import(&mut Sink::new(&mut setting, &mut out).with_notes(noted));
        let last = match outcome {
            Ok(()) => Chunk::End,
            Err(Stop::Failed(error)) => Chunk::Failed(error),
            // A cap of one archive is dealt with where the archive is read.
            Err(Stop::Cancelled | Stop::ArchiveFull(_)) => return,
        };
        let delivered = deliver(&send, Chunk::Items(chunk));
        let _ = delivered.and_then(|()| deliver(&send, last));
    });
    Feed { receive, items: Vec::new().into_iter(), ended: false, notes }
}

fn deliver(send: &SyncSender<Chunk>, chunk: Chunk) -> Flow {
    send.send(chunk).map_err(|_| Stop::Cancelled)
}

impl Iterator for Feed {
    type Item = io::Result<ImportItem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            if let Some(item) = self.items.next() {
                return Some(Ok(item));
            }
            match self.receive.recv() {
                Ok(Chunk::Items(items)) => self.items = items.into_iter(),
                Ok(Chunk::End) => self.ended = true,
                Ok(Chunk::Failed(error)) => {
                    self.ended = true;
                    return Some(Err(error));
                }
                Err(_) => {
                    self.ended = true;
                    return Some(Err(io::Error::other("the reader stopped unexpectedly")));
                }
            }
        }
        None
    }
}
