//! Field windows: the same price at the end of a long field as at its start, and as in a short one.

use pdpp_contract::ReadApi;
use pdpp_contract::window::WindowSelector;
use serde_json::json;

use crate::bar::Bar;
use crate::data::long::{Letters, LongRecord};
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::requests::{WINDOW_CHARS, window};
use crate::stage::Stage;
use crate::timing::{Pace, Timing, time_both};

/// Measures windows in plain and in multi-byte text.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let (pace, mut lines) = (stage.sizes.pace, Vec::new());
    for (letters, words) in [(Letters::Plain, "plain"), (Letters::MultiByte, "multi-byte")] {
        let (long, short) = (stage.sizes.long(letters), stage.sizes.short(letters));
        let name = stage.sizes.long_name();
        let (end, start) = time_both(
            pace,
            async || read(stage, long, end_of(stage, long)).await,
            async || read(stage, long, 0).await,
        )
        .await?;
        let what = format!("window at the end / start of {name}, {words}");
        lines.push(line(pace, (what, Bar::at_most(2.0)), ("end", end), ("start", start)));
        let (in_long, in_short) = time_both(
            pace,
            async || read(stage, long, end_of(stage, long)).await,
            async || read(stage, short, end_of(stage, short)).await,
        )
        .await?;
        let what = format!("window in {name} / in 1 MB, {words}");
        let bar = Bar::at_most(1.5).when_quick(2.0);
        lines.push(line(pace, (what, bar), ("long", in_long), ("short", in_short)));
    }
    Ok(lines)
}

fn line(
    pace: Pace,
    (what, bar): (String, Bar),
    of: (&str, Timing),
    to: (&str, Timing),
) -> ReportLine {
    ReportLine {
        what,
        value: pace.ratio(of.1, to.1),
        unit: Unit::Ratio,
        bar,
        baseline: format!("{}: {}", to.0, to.1.words()),
        details: json!({ of.0: of.1.to_json(), to.0: to.1.to_json() }),
    }
}

/// Where the last whole window of a long record begins.
pub fn end_of(stage: &Stage, record: LongRecord) -> u64 {
    stage.large.fixture.facts.chars(record.id).saturating_sub(WINDOW_CHARS.into())
}

async fn read(stage: &Stage, record: LongRecord, start: u64) -> Result<(), BenchError> {
    let request = window(record.id, WindowSelector::Offset(start))?;
    stage.large.agent.reader.field_window(request).await?;
    Ok(())
}
