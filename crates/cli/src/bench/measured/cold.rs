//! The first window a fresh process reads from a long field: what it reads from disk, what it holds.

use pdpp_contract::ReadApi;
use pdpp_contract::window::WindowSelector;
use serde_json::json;

use super::windows::end_of;
use crate::bench::child::{self, Errand};
use crate::bench::data::long::Letters;
use crate::bench::process::{bytes_read, own_peak_bytes};
use crate::bench::report::{Bar, Line, Unit, float};
use crate::bench::requests::window;
use crate::bench::stage::Stage;
use crate::bench::world::World;
use crate::failure::Failure;

/// Children are asked this often, and the least counts: other threads read, too.
const ROUNDS: usize = 3;

/// Measures with a child process, whose memory and reads nobody else has touched.
pub fn measure(stage: &Stage) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for (letters, words) in [(Letters::Plain, "plain"), (Letters::MultiByte, "multi-byte")] {
        let record = stage.sizes.long(letters);
        let errand = Errand::ColdWindow {
            id: record.id.to_owned(),
            warm_id: stage.sizes.short(letters).id.to_owned(),
            start: end_of(stage, record),
        };
        let mut read = u64::MAX;
        let mut grown = u64::MAX;
        for _ in 0..ROUNDS {
            let found = child::send(&errand, &stage.large.fixture.data_dir)?;
            read = read.min(child::number(&found, "bytes_read")?);
            grown = grown.min(child::number(&found, "grown_bytes")?);
        }
        let name = stage.sizes.long_name();
        lines.push(Line {
            what: format!("window in {name} read cold, {words}"),
            value: float(read),
            unit: Unit::Bytes,
            bar: Bar::AtMost(64.0 * 1024.0),
            baseline: "first window of a fresh process, after sign-in".to_owned(),
            details: json!({ "bytes_read": read }),
        });
        lines.push(Line {
            what: format!("memory growth of windows in {name}, {words}"),
            value: float(grown),
            unit: Unit::Bytes,
            bar: Bar::AtMost(1024.0 * 1024.0),
            baseline: "peak after windows in 1 MB".to_owned(),
            details: json!({ "grown_bytes": grown }),
        });
    }
    Ok(lines)
}

/// In the child: reads and tells. The first read is the cold one; memory is compared with the peak
/// after the same number of windows in a short field.
pub async fn tell(
    world: &World,
    id: &str,
    warm_id: &str,
    start: u64,
) -> Result<serde_json::Value, Failure> {
    let reader = world.agent().await?.reader;
    let read = async |id: &str, start: u64| -> Result<(), Failure> {
        reader.field_window(window(id, WindowSelector::Offset(start))?).await?;
        Ok(())
    };
    let asking = bytes_read()?;
    let before = bytes_read()?;
    read(id, start).await?;
    // Asking is a read itself; it costs what the first question cost.
    let bytes_read = (bytes_read()? - before).saturating_sub(before - asking);
    for place in 0..8 {
        read(warm_id, place * 4_096).await?;
    }
    let peak = own_peak_bytes()?;
    for place in 0..8 {
        read(id, start / 8 * place).await?;
    }
    let grown_bytes = own_peak_bytes()? - peak;
    Ok(json!({ "bytes_read": bytes_read, "grown_bytes": grown_bytes }))
}
