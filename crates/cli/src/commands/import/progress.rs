//! How far an import is: a bar for a person, plain lines for a log.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pdpp_contract::ConnectionName;
use pdpp_engine::import::ImportProgress;

use crate::output::table::counted;

/// With a known end: a bar, the rate and the time left.
const WITH_END: &str =
    "{prefix}  {bar:30} {percent:>3}%  {msg}  {binary_bytes_per_sec}  {eta} left";
/// From a pipe nobody knows the end.
const WITHOUT_END: &str = "{spinner} {binary_bytes}  {msg}  {binary_bytes_per_sec}  {elapsed}";

/// What an import calls after each commit.
type Listener = Box<dyn Fn(&ImportProgress) + Send + Sync>;

/// Shows how far an import is, on standard error.
pub enum Progress {
    /// Nobody wants to know.
    Silent,
    /// One line after each commit.
    Lines,
    /// One line after each batch of a dry run, which commits nothing.
    DryLines,
    /// A moving bar, and the bytes of the exports before this one.
    Bar(ProgressBar, u64),
}

impl Progress {
    /// Chooses by who is reading.
    pub fn start(total_bytes: Option<u64>, quiet: bool, dry_run: bool) -> Self {
        if quiet {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return if dry_run { Self::DryLines } else { Self::Lines };
        }
        let bar = ProgressBar::with_draw_target(total_bytes, ProgressDrawTarget::stderr());
        let template = if total_bytes.is_some() { WITH_END } else { WITHOUT_END };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self::Bar(bar, 0)
    }

    /// What to call after each commit.
    pub fn listener(&self) -> Listener {
        match self {
            Self::Silent => Box::new(|_| {}),
            Self::Lines => Box::new(|progress| {
                let then = if progress.written > 0 { "; changes are saved" } else { "" };
                say("read", progress.seen, then);
            }),
            Self::DryLines => Box::new(|progress| say("checked", progress.seen, "")),
            Self::Bar(bar, _) => {
                let bar = bar.clone();
                Box::new(move |progress| {
                    // The position draws, so the words go first.
                    bar.set_message(format!("{} records", progress.seen));
                    bar.set_position(progress.bytes);
                })
            }
        }
    }

    /// The same, with the bar at the bytes that were read of the export: its records may be larger
    /// or smaller than what they were made from.
    pub fn listener_reading(&self, read_bytes: Arc<AtomicU64>) -> Listener {
        match self {
            Self::Bar(bar, before) => {
                let (bar, before) = (bar.clone(), *before);
                Box::new(move |progress| {
                    bar.set_message(format!("{} records", progress.seen));
                    bar.set_position(before + read_bytes.load(Ordering::Relaxed));
                })
            }
            Self::Silent | Self::Lines | Self::DryLines => self.listener(),
        }
    }

    /// Names the account that is being filled.
    pub fn name(&self, account: &ConnectionName) {
        if let Self::Bar(bar, _) = self {
            bar.set_prefix(account.to_string());
        }
    }

    /// An export of so many bytes is done; the next one follows.
    pub fn advance(&mut self, size_bytes: u64) {
        if let Self::Bar(bar, before) = self {
            *before += size_bytes;
            bar.set_position(*before);
        }
    }

    /// Takes the bar away; the report says the rest.
    pub fn finish(&self) {
        if let Self::Bar(bar, _) = self {
            bar.finish_and_clear();
        }
    }
}

/// Unchanged and rejected ones are counted too, so no line claims that all were stored. A closed
/// standard error must not stop the import.
fn say(done: &str, items: u64, then: &str) {
    let items = counted(items, "item", "items");
    let _ = writeln!(std::io::stderr().lock(), "{done} {items}{then}");
}
