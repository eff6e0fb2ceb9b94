//! What a grant hides must not show in how long an answer takes.

use pdpp_contract::search::SearchRequest;
use pdpp_contract::{ErrorCode, ReadApi};
use serde_json::json;

use crate::bar::Bar;
use crate::data::mail::{ImportLine, wrapped};
use crate::error::BenchError;
use crate::report::{ReportLine, Unit};
use crate::requests::record;
use crate::stage::Stage;
use crate::timing::time_both;
use crate::world::{Agent, GRANTED, World, unexpected};

/// Visible records of each connection: together more than a search looks at one by one.
const VISIBLE: u64 = 1_200;
/// Hidden ones, of which each holds the word that is looked for.
const HIDDEN: u64 = 334;
/// A word of hidden records alone, and one of none.
const HIDDEN_WORD: &str = "zzhidden";
const ABSENT_WORD: &str = "zzabsent";
/// The time of the grant; hidden records are older.
const LIMIT: &str = "@2018-01-01..2022-01-01";

/// Searches and reads that find nothing, beside something hidden and beside nothing.
pub async fn measure(stage: &Stage) -> Result<Vec<ReportLine>, BenchError> {
    let world = World::open(&*stage.host, &stage.own_store("hidden").await?).await?;
    for connection in 0..GRANTED {
        let visible = (0..VISIBLE).map(move |number| mail(connection, number, false));
        let hidden = (0..HIDDEN).map(move |number| mail(connection, VISIBLE + number, true));
        world.import(connection, visible.chain(hidden)).await?;
    }
    let agent = world.agent_with(LIMIT).await?;
    let searches = time_both(
        stage.sizes.pace,
        async || search(&agent, HIDDEN_WORD).await,
        async || search(&agent, ABSENT_WORD).await,
    )
    .await?;
    let hidden_id = id(0, VISIBLE);
    let reads = time_both(
        stage.sizes.pace,
        async || missing(&agent, &hidden_id).await,
        async || missing(&agent, "m0-09999").await,
    )
    .await?;
    let line = |what: &str, (hidden, absent): (_, _), most: f64, quick: f64| ReportLine {
        what: what.to_owned(),
        value: stage.sizes.pace.ratio(hidden, absent),
        unit: Unit::Ratio,
        bar: Bar::at_most(most).when_quick(quick),
        baseline: format!("absent: {}", absent.words()),
        details: json!({ "hidden": hidden.to_json(), "absent": absent.to_json() }),
    };
    let matches = GRANTED * HIDDEN;
    let what = format!("search, {matches} hidden matches / none, grant limited in time");
    Ok(vec![line(&what, searches, 1.25, 1.5), line("record, hidden / absent", reads, 1.1, 1.3)])
}

fn id(connection: u64, number: u64) -> String {
    format!("m{connection}-{number:05}")
}

fn mail(connection: u64, number: u64, hidden: bool) -> ImportLine {
    let (id, day) = (id(connection, number), number % 28 + 1);
    let (year, word) = if hidden { (2012, HIDDEN_WORD) } else { (2020, "zzvisible") };
    let data = format!(
        r#"{{"id":"{id}","thread_id":"t{id}","folder":"Folder 00","from":"a@b.example","to":[],"subject":"{id}","sent_at":"{year}-06-{day:02}T12:00:00Z","size":1,"body":"A letter with {word} in it."}}"#
    );
    wrapped("messages", &id, &data)
}

async fn search(agent: &Agent, word: &str) -> Result<(), BenchError> {
    let request = SearchRequest {
        q: word.to_owned(),
        streams: Vec::new(),
        connection_id: None,
        limit: None,
        cursor: None,
        filter: Vec::new(),
    };
    let page = agent.reader.search(request).await?;
    if page.data.is_empty() { Ok(()) } else { Err(unexpected("a hidden record was found")) }
}

async fn missing(agent: &Agent, id: &str) -> Result<(), BenchError> {
    match agent.reader.record(record(id)?).await {
        Err(error) if error.code == ErrorCode::NotFound => Ok(()),
        _ => Err(unexpected("a record that is not in view was not refused as missing")),
    }
}
