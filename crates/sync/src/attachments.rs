//! Files that come with what is synced, kept as blobs.

use std::io::{self, Read};

use pdpp_auth::OwnerAccess;
use pdpp_contract::ApiError;
use pdpp_engine::Engine;
use pdpp_engine::blobs::NewBlob;
use pdpp_import::blobs::{Blobs, KeptBlob, each_piece};
use tokio::runtime::Handle;

/// Keeps files in the store. It is used on a thread outside the runtime.
pub struct SyncedFiles {
    engine: Engine,
    owner: OwnerAccess,
    runtime: Handle,
}

impl SyncedFiles {
    /// Keeps files for the owner.
    pub fn new(engine: Engine, owner: OwnerAccess, runtime: Handle) -> Self {
        Self { engine, owner, runtime }
    }

    fn write(&self, blob: &mut NewBlob, bytes: &[u8]) -> io::Result<()> {
        self.runtime.block_on(blob.write(bytes.to_vec())).map_err(not_kept)
    }
}

impl Blobs for SyncedFiles {
    fn keep(&mut self, content: &mut dyn Read) -> io::Result<KeptBlob> {
        let new = self.runtime.block_on(self.engine.new_blob(&self.owner));
        let mut blob = new.map_err(not_kept)?;
        let kept = each_piece(content, &mut |bytes| self.write(&mut blob, bytes))?;
        self.runtime.block_on(blob.keep(Some(kept.id), String::new())).map_err(not_kept)?;
        Ok(kept)
    }
}

fn not_kept(error: ApiError) -> io::Error {
    io::Error::other(error.message)
}
