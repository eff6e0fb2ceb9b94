//! What is measured, one file each. A new thing is a file, a line in [`Subject`] and one in `measure`.

mod agents;
mod aggregates;
mod changes;
pub mod cold;
mod counts;
mod hidden;
mod import;
mod lists;
mod matches;
mod memory;
mod readers;
mod search;
mod size;
mod start;
mod wide;
mod windows;

use clap::ValueEnum;

use super::report::Line;
use super::stage::Stage;
use crate::failure::Failure;

/// Something that can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    Windows,
    Cold,
    Matches,
    Lists,
    Counts,
    Search,
    Hidden,
    Changes,
    Aggregates,
    Import,
    Size,
    Start,
    Agents,
    Readers,
    Memory,
}

impl Subject {
    /// Whether it is about what the store answers, whichever it is; the others are about files and
    /// processes.
    pub fn is_on_postgres(self) -> bool {
        matches!(
            self,
            Self::Windows
                | Self::Lists
                | Self::Counts
                | Self::Search
                | Self::Hidden
                | Self::Changes
                | Self::Aggregates
        )
    }

    /// Measures it.
    pub async fn measure(self, stage: &Stage) -> Result<Vec<Line>, Failure> {
        match self {
            Self::Windows => windows::measure(stage).await,
            Self::Cold => cold::measure(stage),
            Self::Matches => matches::measure(stage).await,
            Self::Lists => lists::measure(stage).await,
            Self::Counts => counts::measure(stage).await,
            Self::Search => search::measure(stage).await,
            Self::Hidden => hidden::measure(stage).await,
            Self::Changes => changes::measure(stage).await,
            Self::Aggregates => aggregates::measure(stage).await,
            Self::Import => import::measure(stage).await,
            Self::Size => Ok(size::measure(stage)),
            Self::Start => start::measure(stage),
            Self::Agents => agents::measure(stage).await,
            Self::Readers => readers::measure(stage).await,
            Self::Memory => memory::measure(stage).await,
        }
    }
}
