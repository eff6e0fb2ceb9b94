//! Runs an importer on a thread of its own and hands its items on, a few at a time.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use pdpp_contract::import::ImportItem;

use crate::sink::{Flow, Setting, Sink, Stop};

/// Items travel together up to this many …
const PARCEL_ITEMS: usize = 128;
/// … or this many bytes.
const PARCEL_BYTES: usize = 128 * 1024;

enum Parcel {
    Items(Vec<ImportItem>),
    Failed(io::Error),
    End,
}

/// The items of an importer, as they come. After an error there are no more.
pub struct Feed {
    receive: Receiver<Parcel>,
    items: std::vec::IntoIter<ImportItem>,
    ended: bool,
}

/// Starts `import` and yields what it finds.
///
/// At most two parcels wait, so an importer that is faster than its reader holds little.
pub fn feed<I>(mut setting: Setting, import: I) -> Feed
where
    I: FnOnce(&mut Sink<'_>) -> Flow + Send + 'static,
{
    let (send, receive) = sync_channel(1);
    // A panic drops the sender without an end; the feed then says that the reader stopped.
    thread::spawn(move || {
        let mut parcel = Vec::new();
        let mut parcel_bytes = 0;
        let mut out = |item: ImportItem| {
            parcel_bytes += item.size_bytes();
            parcel.push(item);
            if parcel.len() < PARCEL_ITEMS && parcel_bytes < PARCEL_BYTES {
                return Ok(());
            }
            parcel_bytes = 0;
            deliver(&send, Parcel::Items(std::mem::take(&mut parcel)))
        };
        let outcome = import(&mut Sink::new(&mut setting, &mut out));
        let last = match outcome {
            Ok(()) => Parcel::End,
            Err(Stop::Failed(error)) => Parcel::Failed(error),
            // A cap of one archive is dealt with where the archive is read.
            Err(Stop::Gone | Stop::ArchiveFull(_)) => return,
        };
        let delivered = deliver(&send, Parcel::Items(parcel));
        let _ = delivered.and_then(|()| deliver(&send, last));
    });
    Feed { receive, items: Vec::new().into_iter(), ended: false }
}

fn deliver(send: &SyncSender<Parcel>, parcel: Parcel) -> Flow {
    send.send(parcel).map_err(|_| Stop::Gone)
}

impl Iterator for Feed {
    type Item = io::Result<ImportItem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            if let Some(item) = self.items.next() {
                return Some(Ok(item));
            }
            match self.receive.recv() {
                Ok(Parcel::Items(items)) => self.items = items.into_iter(),
                Ok(Parcel::End) => self.ended = true,
                Ok(Parcel::Failed(error)) => {
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
