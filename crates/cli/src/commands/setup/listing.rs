//! `pdpp setup` without a client: which ones are here, and which of them read here already.

use serde_json::{Value, json};

use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::output::table::TextTable;
use crate::output::words::Words;
use crate::setup::{ClientPaths, ConfigFile, EntryName, Installation, KnownClient, entry_of};

/// How far a client is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    SetUp,
    NotSetUp,
    BrokenSettings,
    Unreadable,
}

impl State {
    /// The word for scripts.
    fn name(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::NotSetUp => "not_set_up",
            Self::BrokenSettings => "settings_are_broken",
            Self::Unreadable => "settings_cannot_be_read",
        }
    }

    /// The words for people.
    fn words(self) -> &'static str {
        match self {
            Self::SetUp => "set up",
            Self::NotSetUp => "not set up",
            Self::BrokenSettings => "settings are invalid",
            Self::Unreadable => "settings are not readable",
        }
    }
}

/// What is known about one client.
struct Line {
    client: KnownClient,
    is_here: bool,
    state: State,
    file: String,
}

/// Shows every client that can be set up.
pub fn run(
    name: &EntryName,
    places: &ClientPaths,
    store: &DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let lines: Vec<Line> =
        KnownClient::ALL.into_iter().map(|client| line(client, name, places)).collect();
    let document = json!({"clients": lines.iter().map(document).collect::<Vec<_>>()});
    output.answer(&document, || words(&lines, store, output))?;
    Ok(Exit::Done)
}

fn line(client: KnownClient, name: &EntryName, places: &ClientPaths) -> Line {
    let path = places.config_file(client);
    let file = path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let read = path.map(ConfigFile::read);
    let state = match read {
        Some(Ok(read)) => match entry_of(client, read.text(), name.as_str()) {
            Ok(Some(_)) => State::SetUp,
            Ok(None) => State::NotSetUp,
            Err(_) => State::BrokenSettings,
        },
        Some(Err(_)) => State::Unreadable,
        None => State::NotSetUp,
    };
    Line { client, is_here: places.seen(client) != Installation::No, state, file }
}

fn document(line: &Line) -> Value {
    json!({
        "client": line.client.name(),
        "found": line.is_here,
        "state": line.state.name(),
        "file": line.file,
    })
}

fn words(lines: &[Line], store: &DataDir, output: &Output) -> String {
    let mut table = TextTable::new(&["client", "installed", "status", "settings"]);
    for line in lines {
        let here = if line.is_here { "yes" } else { "no" };
        let cells = [line.client.name(), here, line.state.words(), &line.file];
        table.row(cells.map(str::to_owned));
    }
    let mut words = Words::default();
    words.block(&table.render(output));
    if lines.iter().any(|line| line.state != State::SetUp) {
        words.line(format!("\nSet up a client with: {}", store.advice("setup CLIENT")));
    }
    words.into_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_to_set_up_what_is_set_up() {
        let line =
            |state| Line { client: KnownClient::ALL[0], is_here: true, state, file: "f".into() };
        let store = DataDir::new("d".into()).named();
        let said = |lines: &[Line]| words(lines, &store, &Output::new(false, true));
        assert!(!said(&[line(State::SetUp), line(State::SetUp)]).contains("pdpp setup"));
        let one_left = said(&[line(State::SetUp), line(State::NotSetUp)]);
        assert!(
            one_left.ends_with("Set up a client with: pdpp setup CLIENT --data-dir d\n"),
            "{one_left}"
        );
    }
}
