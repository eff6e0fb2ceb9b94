//! The promises about cost: what a window reads and holds does not grow with its field.

use crate::long_field::LongField;
use crate::probe::{Cost, Job, Kind, cost};

const WINDOW_BYTES: u64 = 64 << 10;
/// The same from nothing: a new connection, its schema, a page of each index on the way.
const COLD_BYTES: u64 = 192 << 10;
/// A larger tree may be one page deeper at each of two lookups.
const BYTES_GROWTH: u64 = 16 << 10;
const WINDOW_MEMORY_GROWTH: u64 = 1 << 20;
/// A walk through all chunks fills the page cache, which has a fixed size.
const MATCH_MEMORY_GROWTH: u64 = 12 << 20;

/// Where and by which test costs are measured.
pub struct Measured<'a> {
    pub test: &'a str,
    pub store: &'a str,
    pub fields: &'a [LongField],
}

/// What was measured.
pub struct Costs {
    /// Per field, smallest first: windows at its start, in its middle and at its end.
    pub windows: Vec<[Cost; 3]>,
    /// The largest field, read at once.
    pub whole: Cost,
}

impl Measured<'_> {
    /// The costs of windows of every size, and of the whole largest field.
    pub fn costs(&self) -> Costs {
        let windows = |field: &LongField| {
            field.starts().map(|start| self.cost(field, Kind::Window { start }))
        };
        Costs {
            windows: self.fields.iter().map(windows).collect(),
            whole: self.cost(self.largest(), Kind::Whole),
        }
    }

    /// The cost of one read of one field.
    pub fn cost(&self, field: &LongField, kind: Kind) -> Cost {
        let (store, record) = (self.store.to_owned(), field.record.to_owned());
        let cost = cost(self.test, &Job { store, record, kind });
        println!("{} {} {kind:?}: {cost:?}", self.test, field.record);
        cost
    }

    pub fn largest(&self) -> &LongField {
        self.fields.last().unwrap()
    }

    fn largest_bytes(&self) -> u64 {
        u64::try_from(self.largest().bytes).unwrap()
    }

    /// A window reads little, wherever it lies and however long its field is.
    pub fn read_bytes_do_not_grow(&self, costs: &Costs) {
        let most = |windows: &[Cost; 3]| {
            let window = windows.iter().map(|cost| cost.answer_bytes).max().unwrap();
            let cold = windows.iter().map(|cost| cost.finding_bytes + cost.answer_bytes).max();
            (window, cold.unwrap())
        };
        let per_size: Vec<(u64, u64)> = costs.windows.iter().map(most).collect();
        let (smallest, smallest_cold) = per_size[0];
        for (field, (window, cold)) in self.fields.iter().zip(per_size) {
            let of = field.record;
            assert!(window <= WINDOW_BYTES, "{of}: a window reads {window} bytes");
            assert!(cold <= COLD_BYTES, "{of}: a first window reads {cold} bytes");
            assert!(window <= smallest + BYTES_GROWTH, "{of}: {smallest} became {window}");
            assert!(cold <= smallest_cold + BYTES_GROWTH, "{of}: {smallest_cold} became {cold}");
        }
        let seen = costs.whole.answer_bytes;
        assert!(seen >= self.largest_bytes(), "the counter sees what is read: {seen}");
    }

    /// Neither a window nor a search holds more of a longer field.
    pub fn memory_does_not_grow(&self, costs: &Costs) {
        let window = |costs: &[Cost; 3]| costs.iter().map(|cost| cost.peak_memory).max().unwrap();
        let search = |field: &LongField| self.cost(field, Kind::AbsentMatch).peak_memory;

        let smallest = window(&costs.windows[0]);
        for (field, costs) in self.fields.iter().zip(&costs.windows) {
            let growth = window(costs).saturating_sub(smallest);
            let of = field.record;
            assert!(growth <= WINDOW_MEMORY_GROWTH, "{of}: a window holds {growth} bytes more");
        }
        let growth = search(self.largest()).saturating_sub(search(&self.fields[0]));
        assert!(growth <= MATCH_MEMORY_GROWTH, "a search holds {growth} bytes more");

        let seen = costs.whole.peak_memory.saturating_sub(smallest);
        assert!(seen >= self.largest_bytes(), "the counter sees what is held: {seen}");
    }
}
