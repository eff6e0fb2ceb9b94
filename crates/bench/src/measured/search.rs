//! Search through a grant that sees three of eight connections, by how common the words are.

use std::sync::{Arc, Mutex};

use pdpp_contract::ReadApi;
use pdpp_contract::search::SearchRequest;
use pdpp_store::StoreResult;
use pdpp_store::baseline::{PlainRank, PlainSearch};
use serde_json::{Value, json};

use crate::bar::Bar;
use crate::error::BenchError;
use crate::process::{bytes_read, own_peak_bytes};
use crate::report::{ReportLine, Unit};
use crate::stage::{Opened, Stage};
use crate::timing::{Timing, time_both};
use crate::world::{on_a_thread, unexpected};

/// A word in three of ten records.
const COMMON: &str = "zzcommon";
/// Hits on a page, as agents ask by default.
const HITS: u32 = 10;

/// One class of questions and what it costs in both stores.
struct Class {
    name: &'static str,
    large: Timing,
    small: Timing,
    details: Value,
}

/// Measures each class in both stores, and the plain way once.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let word = |rank| stage.words.of_rank(rank);
    let sentence = format!(
        "when did the {} get the zzmiddle {} and what did {} say about it?",
        word(40),
        word(900),
        word(9_000)
    );
    let questions = [
        ("rare word", "zzrare"),
        ("word in 1%", "zzmiddle"),
        ("common word", COMMON),
        ("phrase", "\"zzgreen zzdoor\""),
        ("beginning of a word", "zzmidd*"),
        ("sentence", sentence.as_str()),
    ];
    let mut classes = Vec::new();
    for (name, q) in questions {
        classes.push(class(stage, name, q).await?);
    }
    let mut lines: Vec<ReportLine> = classes.iter().map(|class| line(stage, class)).collect();
    let slowest = |of: fn(&Class) -> Timing| classes.iter().map(of).max_by_key(|own| own.p50);
    if let (Some(large), Some(small)) = (slowest(|class| class.large), slowest(|class| class.small))
    {
        lines.push(ReportLine {
            what: format!("search, slowest class, {}", stage.comparison()),
            value: stage.sizes.pace.ratio(large, small),
            unit: Unit::Ratio,
            bar: Bar::at_most(5.0),
            baseline: format!("small: {}", small.words()),
            details: json!({ "large": large.to_json(), "small": small.to_json() }),
        });
    }
    lines.extend(classes.first().map(|rare| dearest(stage, rare)));
    lines.push(against_plain(stage).await?);
    Ok(lines)
}

async fn class(stage: &Stage, name: &'static str, q: &str) -> Result<Class, BenchError> {
    let (large, small) = time_both(
        stage.sizes.pace,
        async || ask(&stage.large, q).await.map(drop),
        async || ask(&stage.small, q).await.map(drop),
    )
    .await?;
    let before = bytes_read()?;
    let answer_bytes = ask(&stage.large, q).await?;
    let details = json!({
        "large": large.to_json(),
        "small": small.to_json(),
        "answer_bytes": answer_bytes,
        "bytes_read": bytes_read()?.saturating_sub(before),
        "peak_bytes": own_peak_bytes()?,
    });
    Ok(Class { name, large, small, details })
}

/// Asks and answers with the bytes of the page.
async fn ask(store: &Opened, q: &str) -> Result<usize, BenchError> {
    let request = SearchRequest {
        q: q.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: Some(HITS),
        cursor: None,
        filter: Vec::new(),
    };
    let page = store.agent.reader.search(request).await?;
    if page.data.is_empty() && q != "zzrare" {
        return Err(unexpected("a search found nothing"));
    }
    Ok(serde_json::to_string(&page).map_or(0, |text| text.len()))
}

fn line(stage: &Stage, class: &Class) -> ReportLine {
    ReportLine {
        what: format!("search, {}, {}", class.name, stage.comparison()),
        value: class.large.p50.as_secs_f64() * 1e3,
        unit: Unit::Milliseconds,
        bar: Bar::NONE,
        baseline: format!("small: {}", class.small.words()),
        details: class.details.clone(),
    }
}

/// A rare word finds next to nothing in either store: a store in which it costs much more than in the
/// other is one that is looked through.
fn dearest(stage: &Stage, rare: &Class) -> ReportLine {
    let pace = stage.sizes.pace;
    ReportLine {
        what: format!("search, {}, dearer / cheaper of {}", rare.name, stage.comparison()),
        value: pace.ratio(rare.large, rare.small).max(pace.ratio(rare.small, rare.large)),
        unit: Unit::Ratio,
        bar: Bar::at_most(5.0),
        baseline: format!("small: {}", rare.small.words()),
        details: json!({}),
    }
}

/// The plain way, on either backend.
enum Plain {
    /// `ORDER BY rank` in a file of its own.
    Rank(PlainSearch),
    /// `ORDER BY ts_rank` beside the store.
    TsRank(PlainRank),
}

impl Plain {
    async fn build(stage: &Stage) -> Result<Self, BenchError> {
        let location = &stage.large.fixture.location;
        if let Some(database) = location.database.clone() {
            return on_a_thread(move || PlainRank::build(&database, COMMON))
                .await
                .map(Self::TsRank);
        }
        let (store, directory) = (location.store_file.clone(), stage.scratch("plain-search"));
        stage.host.create_directory(&directory)?;
        let index = directory.store_file.clone();
        on_a_thread(move || PlainSearch::build(&store, &index, COMMON)).await.map(Self::Rank)
    }

    fn ranked(&self) -> StoreResult<usize> {
        match self {
            Self::Rank(plain) => plain.ranked(COMMON),
            Self::TsRank(plain) => plain.ranked(COMMON),
        }
    }

    /// What it is called, and its bar.
    fn bar(&self) -> (&'static str, Bar) {
        match self {
            Self::Rank(_) => {
                ("search, common word / plain ORDER BY rank", Bar::at_most(0.05).when_quick(0.5))
            }
            Self::TsRank(_) => {
                ("search, common word / plain ts_rank", Bar::at_most(0.25).when_quick(1.0))
            }
        }
    }
}

/// A common word against the plain way over as many matching rows.
async fn against_plain(stage: &Stage) -> Result<ReportLine, BenchError> {
    let built = Plain::build(stage).await?;
    let (what, bar) = built.bar();
    let plain = Arc::new(Mutex::new(built));
    let (own, ranked) = time_both(
        stage.sizes.pace,
        async || ask(&stage.large, COMMON).await.map(drop),
        async || {
            let plain = Arc::clone(&plain);
            let asked = tokio::task::spawn_blocking(move || {
                plain.lock().map(|plain| plain.ranked()).map_err(|_| ())
            });
            match asked.await {
                Ok(Ok(Ok(10))) => Ok(()),
                _ => Err(unexpected("the plain index did not answer")),
            }
        },
    )
    .await?;
    Ok(ReportLine {
        what: what.to_owned(),
        value: stage.sizes.pace.ratio(own, ranked),
        unit: Unit::Ratio,
        bar,
        baseline: format!("plain: {}", ranked.words()),
        details: json!({ "own": own.to_json(), "plain": ranked.to_json() }),
    })
}
