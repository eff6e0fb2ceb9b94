//! What is measured, one file each. A new thing is a file, a line in [`Measurement`] and one in `measure`.

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

use super::report::ReportLine;
use super::stage::Stage;
use crate::error::BenchError;

/// Something that can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measurement {
    /// Windows into long fields.
    Windows,
    /// The first window that a fresh process reads.
    Cold,
    /// Looking for a phrase in a long field.
    Matches,
    /// Pages of lists.
    Lists,
    /// Exact counts.
    Counts,
    /// Search, by how common the words are.
    Search,
    /// What records outside a grant cost.
    Hidden,
    /// Pages of changes.
    Changes,
    /// Aggregates over time.
    Aggregates,
    /// Importing records.
    Import,
    /// The store on disk.
    Size,
    /// Starting the program.
    Start,
    /// What an agent's client waits for.
    Agents,
    /// Many readers at once, also beside a writer.
    Readers,
    /// The memory of a server.
    Memory,
}

impl Measurement {
    /// every measurement, in the order in which they are measured.
    pub const ALL: [Self; 15] = [
        Self::Windows,
        Self::Cold,
        Self::Matches,
        Self::Lists,
        Self::Counts,
        Self::Search,
        Self::Hidden,
        Self::Changes,
        Self::Aggregates,
        Self::Import,
        Self::Size,
        Self::Start,
        Self::Agents,
        Self::Readers,
        Self::Memory,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Windows => "windows",
            Self::Cold => "cold",
            Self::Matches => "matches",
            Self::Lists => "lists",
            Self::Counts => "counts",
            Self::Search => "search",
            Self::Hidden => "hidden",
            Self::Changes => "changes",
            Self::Aggregates => "aggregates",
            Self::Import => "import",
            Self::Size => "size",
            Self::Start => "start",
            Self::Agents => "agents",
            Self::Readers => "readers",
            Self::Memory => "memory",
        }
    }

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
    pub async fn measure(self, stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
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
