//! The first window a fresh process reads from a long field: what it reads from disk, what it holds.

use std::time::Duration;

use pdpp_contract::ReadApi;
use pdpp_contract::window::WindowSelector;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::windows::end_of;
use crate::bar::Bar;
use crate::child::{self, Errand};
use crate::data::long::Letters;
use crate::error::BenchError;
use crate::process::{bytes_read, own_peak_bytes};
use crate::report::{ReportLine, Unit, float};
use crate::requests::{record, window};
use crate::stage::Stage;
use crate::world::{World, unexpected};

/// How long a child waits after signing in.
const SETTLING: Duration = Duration::from_millis(300);
/// Children are asked this often, and the least counts: other threads read, too.
const ROUNDS: usize = 3;

/// Measures with a child process, whose memory and reads nobody else has touched.
pub fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let mut lines = Vec::new();
    for (letters, words) in [(Letters::Plain, "plain"), (Letters::MultiByte, "multi-byte")] {
        let record = stage.sizes.long(letters);
        let errand = Errand::ColdWindow {
            id: record.id.to_owned(),
            warm_id: stage.sizes.short(letters).id.to_owned(),
            start: end_of(stage, record),
        };
        let mut least = Told { record: u64::MAX, window: u64::MAX, grown: u64::MAX };
        for _ in 0..ROUNDS {
            let told = child::send(&errand, &stage.large.fixture.location)?;
            let told: Told = serde_json::from_value(told)
                .map_err(|_| unexpected("a child process left a number out"))?;
            least = least.or_less(told);
        }
        lines.extend(least.lines(&stage.sizes.long_name(), words));
    }
    Ok(lines)
}

/// What a child tells: bytes read to find the record, bytes read for a window of its long field, and
/// by how much its memory has grown.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Told {
    record: u64,
    window: u64,
    grown: u64,
}

impl Told {
    fn or_less(self, other: Self) -> Self {
        Self {
            record: self.record.min(other.record),
            window: self.window.min(other.window),
            grown: self.grown.min(other.grown),
        }
    }

    fn lines(self, name: &str, words: &str) -> [ReportLine; 2] {
        let details = serde_json::to_value(self).unwrap_or_default();
        let first = self.record / 1024;
        let read = ReportLine {
            what: format!("window in {name} read cold, {words}"),
            value: float(self.window),
            unit: Unit::Bytes,
            bar: Bar::at_most(64.0 * 1024.0),
            baseline: format!("finding its record first read {first} KiB, catalogue included"),
            details: details.clone(),
        };
        let grown = ReportLine {
            what: format!("memory growth of windows in {name}, {words}"),
            value: float(self.grown),
            unit: Unit::Bytes,
            bar: Bar::at_most(1024.0 * 1024.0),
            baseline: "peak after as many windows in 1 MB".to_owned(),
            details,
        };
        [read, grown]
    }
}

/// In the child: reads the record, as an agent does before it opens a field, then the window at the
/// end of its long field, which nobody has touched yet. Memory is compared with the peak after the
/// same number of windows in a short field.
pub async fn tell(world: &World, id: &str, warm_id: &str, start: u64) -> Result<Value, BenchError> {
    let reader = world.agent().await?.reader;
    // Signing in leaves a note of when it was; a write empties the caches of readers.
    tokio::time::sleep(SETTLING).await;
    let read = async |id: &str, start: u64| -> Result<(), BenchError> {
        reader.field_window(window(id, WindowSelector::Offset(start))?).await?;
        Ok(())
    };
    let asking = bytes_read()?;
    let before = bytes_read()?;
    // Asking is a read itself; it costs what the first question cost.
    let asking = before - asking;
    reader.record(record(id)?).await?;
    let found = bytes_read()?;
    read(id, start).await?;
    let window = (bytes_read()? - found).saturating_sub(asking);
    for place in 0..8 {
        read(warm_id, place * 4_096).await?;
    }
    let peak = own_peak_bytes()?;
    for place in 0..8 {
        read(id, start / 8 * place).await?;
    }
    let grown = own_peak_bytes()? - peak;
    let told = Told { record: (found - before).saturating_sub(asking), window, grown };
    Ok(serde_json::to_value(told).unwrap_or_default())
}
