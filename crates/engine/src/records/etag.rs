//! A digest of exactly what is served, so that it changes when the view does and not before.

use pdpp_contract::hex;
use pdpp_contract::json::write_object;
use pdpp_contract::record::Record;
use sha2::{Digest, Sha256};

/// The digest of a record's visible content.
pub(crate) fn of(record: &Record) -> String {
    let mut hasher = Sha256::new();
    let mut part = |text: &str| {
        hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(text.as_bytes());
    };
    part(record.connection_id.as_str());
    part(record.stream.as_str());
    part(record.id.as_str());
    part(&record.emitted_at);
    part(record.display_name.as_deref().unwrap_or_default());
    let mut data = String::new();
    if let Some(fields) = &record.data {
        write_object(fields, &mut data);
    }
    part(&data);
    for (name, expanded) in &record.expanded {
        part(name);
        part(&serde_json::to_string(expanded).unwrap_or_default());
    }
    for preview in &record.previews {
        part(&preview.field);
        part(preview.digest.as_deref().unwrap_or_default());
    }
    let digest: [u8; 32] = hasher.finalize().into();
    hex(&digest[..16])
}
