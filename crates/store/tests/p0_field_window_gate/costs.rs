//! The promises about cost: what a window reads and holds does not grow with its field.

use crate::long_field::LongField;
use crate::probe::{Cost, Job, Kind, cost};

/// Where and by which test costs are measured.
pub struct Measured<'a> {
    pub test: &'a str,
    pub store: &'a str,
    pub fields: &'a [LongField],
}

const WINDOW_BYTES: u64 = 64 << 10;
/// The same from nothing: a new connection, its schema, a page of each index on the way.
const COLD_BYTES: u64 = 192 << 10;
/// A larger tree may be one page deeper at each of two lookups.
const WINDOW_BYTES_GROWTH: u64 = 16 << 10;
const WINDOW_MEMORY_GROWTH: u64 = 1 << 20;
/// A walk through all chunks fills the page cache, which has a fixed size.
const MATCH_MEMORY_GROWTH: u64 = 12 << 20;

impl Measured<'_> {
    fn cost(&self, field: &LongField, kind: Kind) -> Cost {
        let (store, record) = (self.store.to_owned(), field.record.to_owned());
        let cost = cost(self.test, &Job { store, record, kind });
        println!("{} {} {kind:?}: {cost:?}", self.test, field.record);
        cost
    }

    fn smallest(&self) -> &LongField {
        self.fields.first().unwrap()
    }

    fn largest(&self) -> &LongField {
        self.fields.last().unwrap()
    }

    /// A window reads little, wherever it lies and however long its field is.
    pub fn read_bytes_do_not_grow(&self) {
        let most = |field: &LongField| {
            let windows = field.starts().map(|start| self.cost(field, Kind::Window { start }));
            let window = windows.iter().map(|cost| cost.answer_bytes).max().unwrap();
            let cold = windows.iter().map(|cost| cost.finding_bytes + cost.answer_bytes).max();
            (window, cold.unwrap())
        };
        let (smallest, smallest_cold) = most(self.smallest());
        for field in self.fields {
            let (window, cold) = most(field);
            let of = field.record;
            assert!(window <= WINDOW_BYTES, "{of}: a window reads {window} bytes");
            assert!(cold <= COLD_BYTES, "{of}: a first window reads {cold} bytes");
            assert!(window <= smallest + WINDOW_BYTES_GROWTH, "{of}: {smallest} became {window}");
            assert!(
                cold <= smallest_cold + WINDOW_BYTES_GROWTH,
                "{of}: {smallest_cold} became {cold}"
            );
        }
        let whole = self.cost(self.largest(), Kind::Whole).answer_bytes;
        let field_bytes = u64::try_from(self.largest().bytes).unwrap();
        assert!(whole >= field_bytes, "the counter sees what is read: {whole}");
    }

    /// Neither a window nor a search holds more of a longer field.
    pub fn memory_does_not_grow(&self) {
        let window = |field: &LongField| {
            let ends = field.starts().map(|start| self.cost(field, Kind::Window { start }));
            ends.map(|cost| cost.peak_bytes).into_iter().max().unwrap()
        };
        let absent = |field: &LongField| self.cost(field, Kind::AbsentMatch).peak_bytes;
        let grows = |small: u64, large: u64| large.saturating_sub(small);

        let smallest = window(self.smallest());
        let by_window = grows(smallest, window(self.largest()));
        assert!(by_window <= WINDOW_MEMORY_GROWTH, "a window holds {by_window} bytes more");
        let by_match = grows(absent(self.smallest()), absent(self.largest()));
        assert!(by_match <= MATCH_MEMORY_GROWTH, "a search holds {by_match} bytes more");

        let by_whole = grows(smallest, self.cost(self.largest(), Kind::Whole).peak_bytes);
        let field_bytes = u64::try_from(self.largest().bytes).unwrap();
        assert!(by_whole >= field_bytes, "the counter sees what is held: {by_whole}");
    }
}
