//! Files that come with an export, kept as blobs while it is read.

use std::io::{self, Read};

use pdpp_auth::OwnerAccess;
use pdpp_contract::ApiError;
use pdpp_engine::Engine;
use pdpp_engine::blobs::NewBlob;
use pdpp_import::blobs::{Blobs, KeptBlob, each_piece};
use tokio::runtime::Handle;

use crate::app::CliApp;

/// Keeps files in the store of an app. It is used on the reader's thread, outside the runtime.
pub struct Attached {
    engine: Engine,
    owner: OwnerAccess,
    runtime: Handle,
}

impl Attached {
    /// Keeps files for the owner.
    pub fn new(app: &CliApp) -> Self {
        Self { engine: app.engine.clone(), owner: app.owner(), runtime: Handle::current() }
    }

    fn write(&self, blob: &mut NewBlob, bytes: &[u8]) -> io::Result<()> {
        self.runtime.block_on(blob.write(bytes.to_vec())).map_err(not_kept)
    }
}

impl Blobs for Attached {
    fn keep(&mut self, content: &mut dyn Read) -> io::Result<KeptBlob> {
        let mut blob =
            self.runtime.block_on(self.engine.new_blob(&self.owner)).map_err(not_kept)?;
        let kept = each_piece(content, &mut |bytes| self.write(&mut blob, bytes))?;
        self.runtime.block_on(blob.keep(Some(kept.id), String::new())).map_err(not_kept)?;
        Ok(kept)
    }
}

fn not_kept(error: ApiError) -> io::Error {
    io::Error::other(error.message)
}
