//! Values inside a container that lives in chunks: the container as a stream of bytes.

use std::io::Read;

use pdpp_contract::record::TextKind;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::chunks::{Walk, chunk};
use super::connect::Snapshot;
use super::errors::corrupt;
use crate::chunks::ChunkedText;
use crate::error::{StoreError, StoreResult};
use crate::field_path::FieldPath;
use crate::nested_text::{find_nested, top_pointer};
use crate::text::TextRead;
use crate::text_outcome::{Outcome, read_inline};

/// Chunks that wait for the parser: enough to keep it busy, little to hold.
const WAITING: usize = 8;

impl Snapshot<'_> {
    /// Reads a nested value that is short itself but whose container is long. Long nested strings
    /// are kept on their own and never get here.
    pub(super) async fn read_nested(
        &self,
        record_no: i64,
        path: &FieldPath,
        read: &TextRead,
    ) -> StoreResult<Outcome> {
        let container = self.find_text(record_no, &top_pointer(path.field())).await?;
        // Nothing lies below a plain string, also when it reads like JSON.
        let Some(container) = container.filter(|text| text.kind == TextKind::Json) else {
            return Ok(Outcome::NoField);
        };
        let (chunks, incoming) = channel(WAITING);
        let segments = path.nested().to_vec();
        // The parser pulls and cannot wait, so it has a thread that may.
        let parser = tokio::task::spawn_blocking(move || {
            let reader = ChunkReader { incoming, buffer: Vec::new(), at: 0 };
            find_nested(reader, &segments).map_err(|_| ())
        });
        self.send_chunks(&container, chunks).await?;
        match parser.await.map_err(StoreError::unavailable)? {
            Ok(Some(value)) => Ok(read_inline(&value, read)),
            Ok(None) => Ok(Outcome::NoField),
            Err(()) => Err(corrupt("text_chunks", "text", container.text_no)),
        }
    }

    /// Sends a text chunk by chunk, until its end or until nobody listens any more.
    async fn send_chunks(&self, text: &ChunkedText, chunks: Sender<Vec<u8>>) -> StoreResult<()> {
        let mut walk = Walk::through(text);
        while let Some(run) = walk.next_run(self).await? {
            for row in run {
                let (_, chunk) = chunk(&row)?;
                if chunks.send(chunk.as_bytes().to_vec()).await.is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Reads what arrives in chunks as bytes.
struct ChunkReader {
    incoming: Receiver<Vec<u8>>,
    buffer: Vec<u8>,
    at: usize,
}

impl Read for ChunkReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.buffer.len() {
            self.buffer = self.incoming.blocking_recv().unwrap_or_default();
            self.at = 0;
        }
        let mut rest = self.buffer.get(self.at..).unwrap_or_default();
        let length = rest.read(out)?;
        self.at += length;
        Ok(length)
    }
}
