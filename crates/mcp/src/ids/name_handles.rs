//! Handles for a remote provider: they carry names, sealed with a key of this installation.

use aes_gcm_siv::aead::Aead;
use aes_gcm_siv::{Aes256GcmSiv, Key, KeyInit, Nonce};
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pdpp_contract::handles::{
    AnswerPlace, ContentMark, FieldWindowRef, Handle, HandleKind, Handles, RecordRef, StreamRef,
};
use pdpp_contract::{ApiError, ConnectionId, ErrorCode, RecordId, StreamName};
use sha2::{Digest, Sha256};

const VERSION: u8 = 1;
/// A constant nonce makes equal handles alike; this cipher stays safe with one.
const NONCE: [u8; 12] = *b"pdpp name v1";
/// Longest handle; longer ones are not made.
const LONGEST: usize = 1_400;

/// Seals names with one key. Opening reads nothing: the provider decides what may be read.
pub struct NameHandles {
    key: [u8; 32],
}

impl NameHandles {
    /// Handles sealed with a key, which other installations must not have.
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    fn cipher(&self, kind: HandleKind) -> Aes256GcmSiv {
        let purpose: &[u8] = match kind {
            HandleKind::Record => b"record",
            HandleKind::FieldWindow => b"field window",
            HandleKind::Cursor => b"cursor",
            HandleKind::Stream => b"stream",
            HandleKind::Place => b"place",
        };
        let key: [u8; 32] = Sha256::new()
            .chain_update(b"pdpp name handles v1")
            .chain_update(self.key)
            .chain_update(purpose)
            .finalize()
            .into();
        Aes256GcmSiv::new(&Key::<Aes256GcmSiv>::from(key))
    }
}

#[async_trait]
impl Handles for NameHandles {
    fn seal(&self, handle: &Handle) -> Option<String> {
        let mut content = vec![VERSION];
        let kind = match handle {
            Handle::Record(record) => {
                names(record, &mut content);
                HandleKind::Record
            }
            Handle::FieldWindow(window) | Handle::Cursor(window) => {
                content.extend_from_slice(&window.start_chars.to_be_bytes());
                content.extend_from_slice(&window.limit_chars.to_be_bytes());
                content.push(u8::from(window.content.is_some()) | u8::from(window.of_bytes) << 1);
                content.extend_from_slice(&window.content.map_or([0; 16], |mark| mark.0));
                names(&window.record, &mut content);
                content.push(0);
                content.extend_from_slice(window.field_path.as_bytes());
                match handle {
                    Handle::Cursor(_) => HandleKind::Cursor,
                    _ => HandleKind::FieldWindow,
                }
            }
            Handle::Stream(stream) => {
                content.extend_from_slice(stream.connection_id.as_str().as_bytes());
                content.push(0);
                content.extend_from_slice(stream.stream.as_str().as_bytes());
                HandleKind::Stream
            }
            Handle::Place(place) => {
                content.extend_from_slice(&place.question.to_be_bytes());
                content.extend_from_slice(&place.index.to_be_bytes());
                HandleKind::Place
            }
        };
        let sealed = self.cipher(kind).encrypt(&Nonce::from(NONCE), content.as_slice()).ok()?;
        Some(URL_SAFE_NO_PAD.encode(sealed)).filter(|text| text.len() <= LONGEST)
    }

    async fn open(&self, kind: HandleKind, text: &str) -> Result<Handle, ApiError> {
        let sealed = URL_SAFE_NO_PAD.decode(text).map_err(|_| not_a_handle())?;
        let content = self.cipher(kind).decrypt(&Nonce::from(NONCE), sealed.as_slice());
        let content = content.map_err(|_| not_a_handle())?;
        let content = content.strip_prefix(&[VERSION]).ok_or_else(not_a_handle)?;
        opened(kind, content).ok_or_else(not_a_handle)
    }
}

fn opened(kind: HandleKind, content: &[u8]) -> Option<Handle> {
    match kind {
        HandleKind::Record => {
            let (record, rest) = named(content)?;
            rest.is_empty().then_some(Handle::Record(record))
        }
        HandleKind::FieldWindow | HandleKind::Cursor => {
            let (start, rest) = content.split_first_chunk()?;
            let (limit, rest) = rest.split_first_chunk()?;
            let (flags, rest) = rest.split_first()?;
            let (mark, rest) = rest.split_first_chunk()?;
            let (record, path) = named(rest)?;
            let window = FieldWindowRef {
                record,
                field_path: path.to_owned(),
                start_chars: u64::from_be_bytes(*start),
                limit_chars: u32::from_be_bytes(*limit),
                content: (*flags & 1 == 1).then_some(ContentMark(*mark)),
                of_bytes: *flags & 2 == 2,
            };
            Some(match kind {
                HandleKind::Cursor => Handle::Cursor(window),
                _ => Handle::FieldWindow(window),
            })
        }
        HandleKind::Stream => {
            let (connection, stream) = std::str::from_utf8(content).ok()?.split_once('\0')?;
            Some(Handle::Stream(StreamRef {
                connection_id: ConnectionId::new(connection).ok()?,
                stream: StreamName::new(stream).ok()?,
            }))
        }
        HandleKind::Place => {
            let (question, rest) = content.split_first_chunk()?;
            let (index, _) = rest.split_first_chunk()?;
            let (question, index) = (u64::from_be_bytes(*question), u32::from_be_bytes(*index));
            Some(Handle::Place(AnswerPlace { question, index }))
        }
    }
}

/// Names hold no U+0000, so it can stand between them.
fn names(record: &RecordRef, content: &mut Vec<u8>) {
    content.extend_from_slice(record.connection_id.as_str().as_bytes());
    content.push(0);
    content.extend_from_slice(record.stream.as_str().as_bytes());
    content.push(0);
    content.extend_from_slice(record.record_id.as_str().as_bytes());
}

/// The record, and what follows it.
fn named(content: &[u8]) -> Option<(RecordRef, &str)> {
    let mut parts = std::str::from_utf8(content).ok()?.splitn(4, '\0');
    let record = RecordRef {
        connection_id: ConnectionId::new(parts.next()?).ok()?,
        stream: StreamName::new(parts.next()?).ok()?,
        record_id: RecordId::new(parts.next()?).ok()?,
        number: None,
    };
    Some((record, parts.next().unwrap_or_default()))
}

fn not_a_handle() -> ApiError {
    ApiError::new(ErrorCode::InvalidCursor, "this handle was not made here; use one from an answer")
}
