//! How much data a run uses.

use super::data::long::{Letters, LongRecord};
use super::timing::Pace;

/// The sizes of one run.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Records of the small store.
    pub small_records: u64,
    /// Records of the large store, ten times as many.
    pub large_records: u64,
    /// Bytes of the long fields.
    pub long_bytes: u64,
    /// How long measurements take.
    pub pace: Pace,
}

/// Bytes of the fields that the long ones are compared with.
const SHORT_BYTES: u64 = 1024 * 1024;
const MEGABYTE: u64 = 1024 * 1024;

impl Sizes {
    /// The sizes the bars are written for.
    pub const FULL: Self = Self {
        small_records: 100_000,
        large_records: 1_000_000,
        long_bytes: 256 * MEGABYTE,
        pace: Pace::FULL,
    };
    /// A tenth, for a look in between.
    pub const QUICK: Self = Self {
        small_records: 10_000,
        large_records: 100_000,
        long_bytes: 16 * MEGABYTE,
        pace: Pace::QUICK,
    };

    /// The record with the long field.
    pub fn long(self, letters: Letters) -> LongRecord {
        let id = match letters {
            Letters::Plain => "long-plain",
            Letters::MultiByte => "long-multi",
        };
        LongRecord { id, letters, body_bytes: self.long_bytes }
    }

    /// The record with a field of one megabyte.
    #[expect(clippy::unused_self, reason = "read beside `long`, which needs the sizes")]
    pub fn short(self, letters: Letters) -> LongRecord {
        let id = match letters {
            Letters::Plain => "short-plain",
            Letters::MultiByte => "short-multi",
        };
        LongRecord { id, letters, body_bytes: SHORT_BYTES }
    }

    /// All records with a long field.
    pub fn long_records(self) -> [LongRecord; 4] {
        let letters = [Letters::Plain, Letters::MultiByte];
        let [plain, multi] = letters.map(|letters| self.long(letters));
        let [short_plain, short_multi] = letters.map(|letters| self.short(letters));
        [plain, multi, short_plain, short_multi]
    }

    /// The length of the long fields in words.
    pub fn long_name(self) -> String {
        format!("{} MB", self.long_bytes / MEGABYTE)
    }

    /// A number of records in words: `100k`, `1M`.
    pub fn records_name(records: u64) -> String {
        if records.is_multiple_of(1_000_000) {
            format!("{}M", records / 1_000_000)
        } else {
            format!("{}k", records / 1_000)
        }
    }

    /// What list bars compare: `1M / 100k records`.
    pub fn comparison(self) -> String {
        let (large, small) = (self.large_records, self.small_records);
        format!("{} / {} records", Self::records_name(large), Self::records_name(small))
    }
}
