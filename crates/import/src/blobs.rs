//! Files that records refer to: attachments, pictures, voice notes.

use std::io::{self, Read};

use pdpp_contract::blob::BlobId;
use pdpp_contract::hex;
use sha2::{Digest, Sha256};

/// Bytes read at once.
const PIECE_BYTES: usize = 64 * 1024;

/// A file that was taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBlob {
    /// Its digest.
    pub id: BlobId,
    /// Its length.
    pub size_bytes: u64,
}

/// Where files go.
pub trait Blobs: Send {
    /// Keeps the whole of `content`. The same bytes twice are kept once.
    fn keep(&mut self, content: &mut dyn Read) -> io::Result<KeptBlob>;
}

/// Keeps nothing and only measures, for dry runs.
pub struct DiscardBlobs;

impl Blobs for DiscardBlobs {
    fn keep(&mut self, content: &mut dyn Read) -> io::Result<KeptBlob> {
        each_piece(content, &mut |_| Ok(()))
    }
}

/// Hands `content` on piece by piece and says what it was.
pub fn each_piece(
    content: &mut dyn Read,
    take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<KeptBlob> {
    let mut digest = Sha256::new();
    let mut size_bytes = 0;
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        let read = match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let piece = buffer.get(..read).unwrap_or_default();
        digest.update(piece);
        size_bytes += u64::try_from(read).unwrap_or(0);
        take(piece)?;
    }
    Ok(KeptBlob { id: BlobId(digest.finalize().into()), size_bytes })
}

/// A short name for content: the first half of its SHA-256, in hexadecimal.
///
/// The parts are delimited by their length, so that no two lists of parts meet.
pub fn content_key(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        digest.update(part);
    }
    let digest: [u8; 32] = digest.finalize().into();
    hex(&digest[..16])
}
