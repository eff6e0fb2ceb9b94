//! What tells groups apart: bytes that order them by bucket, then by value.

use crate::aggregate::time_buckets::Bucket;

/// Comes before what is there, so that groups without it come last.
const PRESENT: u8 = 0;
const ABSENT: u8 = 1;

/// The bytes of one group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GroupId {
    bytes: Vec<u8>,
    /// How many of them say which bucket.
    bucket_bytes: usize,
}

impl GroupId {
    /// Begins again, with the memory of the group before.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.bucket_bytes = 0;
    }

    /// Adds the bucket; it comes before the value.
    pub(super) fn push_bucket(&mut self, bucket: Option<Bucket>) {
        match bucket {
            Some(bucket) => {
                self.bytes.push(PRESENT);
                self.bytes.extend_from_slice(&bucket.to_bytes());
            }
            None => self.bytes.push(ABSENT),
        }
        self.bucket_bytes = self.bytes.len();
    }

    /// Adds the value.
    pub(super) fn push_value(&mut self, value: Option<&[u8]>) {
        self.bytes.push(if value.is_some() { PRESENT } else { ABSENT });
        self.bytes.extend_from_slice(value.unwrap_or_default());
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The part that orders groups by time; empty when they are not grouped so.
    pub(super) fn time_order(&self) -> &[u8] {
        self.bytes.get(..self.bucket_bytes).unwrap_or_default()
    }

    pub(super) fn bucket(&self) -> Option<Bucket> {
        Bucket::from_bytes(self.time_order().get(1..)?)
    }

    pub(super) fn value(&self) -> Option<&[u8]> {
        let (tag, value) = self.bytes.get(self.bucket_bytes..)?.split_first()?;
        (*tag == PRESENT).then_some(value)
    }
}
