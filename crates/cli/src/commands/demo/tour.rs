//! What to try in the demo: commands to copy, each with what it shows.

use std::path::Path;

use pdpp_contract::ConnectionName;
use pdpp_store::connections::ConnectionRef;

use super::sample_store::CLIENT;
use crate::app::CliApp;
use crate::data_dir::database_address::DatabaseAddress;
use crate::failure::Failure;
use crate::output::words::Words;
use crate::output::{Output, Style, quoted};

/// What a client calls the demo, beside the real thing.
const ENTRY: &str = "pdpp-demo";
/// Answered by a calendar entry, a mail and a note.
const QUESTION: &str = "when does the new boiler get installed and what does it cost?";
/// A note of more than two million characters …
const TRANSCRIPT: &str = "work/harbor/retrospective, raw transcript 🎙️.md";
/// … and what somebody said near its end.
const CONFESSION: &str = "spare key";
/// A field of personal mail that the agent was not given …
const HIDDEN: &str = "body_text";
/// … and one that no mail has.
const INVENTED: &str = "body_txet";

/// Makes long JSON readable, with what most machines have.
const READABLE: &str = " | python3 -m json.tool";

/// The addresses and the commands.
pub async fn words(
    app: &CliApp,
    base: &str,
    token: &str,
    output: &Output,
) -> Result<String, Failure> {
    let personal = ConnectionRef::Name(ConnectionName::new("personal-mail")?);
    let personal = app.connection(&personal).await?.id;
    let (transcript, needle) = (escaped(TRANSCRIPT), escaped(CONFESSION));
    let strong = |text: &str| output.styled(Style::Strong, text);
    let call = |path: &str| format!("  curl -s -H \"$AGENT\" '{base}{path}'");
    let mut words = Words::new(format!("Serving sample data at {}", strong(base)));
    words.line(format!("  MCP endpoint   {base}/mcp"));
    words.line(format!("  owner pages    {base}/owner"));
    words.line(format!("  agent token    {token}"));
    words.block(&own_client(app, output));
    words.line(strong("\nOr try it in a second terminal"));
    words.line(format!("  AGENT='Authorization: Bearer {token}'"));
    words.line("\n1. Search all accounts that the agent can read, best match first:");
    let question = format!("/v1/search?limit=3&q={}", escaped(QUESTION));
    words.line(call(&question) + READABLE);
    words.line("\n2. Read around a match in a text of two million characters:");
    let window = format!(
        "/v1/streams/notes/records/{transcript}/field-window?field=body&q={needle}\
         &before_chars=200&after_chars=200"
    );
    words.line(call(&window) + READABLE);
    words.line(
        "\n3. Ask for a field the agent has no access to, and for one that does not exist: same answer.",
    );
    let mail = format!("/v1/streams/messages/records?connection_id={}", escaped(personal.as_str()));
    for field in [HIDDEN, INVENTED] {
        words.line(call(&format!("{mail}&fields={field}")) + "; echo");
    }
    words.block(&by_address(base));
    words.line(strong("\nThen look at the activity"));
    words.line(format!("  {} audit {}     # what was read and refused", program(), options(app)));
    words.line("Stop with Ctrl-C.");
    Ok(words.into_text())
}

/// How a client of the person's own gets in.
fn own_client(app: &CliApp, output: &Output) -> String {
    let (program, options) = (program(), options(app));
    let mut words = Words::new(output.styled(Style::Strong, "\nConnect your own agent"));
    words.line(format!("  {program} setup claude-code --client {CLIENT} --name {ENTRY} {options}"));
    words.line(
        "  (or claude-desktop, codex, cursor, vscode, gemini, opencode; undo it with the same",
    );
    words.line("  command and --remove)");
    words.line(format!("Then ask: {QUESTION}"));
    words.into_text()
}

/// How clients get in that take an address: one with a model, one without.
fn by_address(base: &str) -> String {
    let mut words = Words::new(
        "\n4. The same over MCP, without a model (Node 22.19 or newer) or with Claude Code:",
    );
    words.line(format!(
        "  npx -y @modelcontextprotocol/inspector@2 --cli --server-url {base}/mcp --transport http \\"
    ));
    words.line("    --header \"$AGENT\" --method tools/call --tool-name search \\");
    words.line("    --tool-args-json '{\"query\":\"boiler\",\"limit\":3}'");
    words.line(format!("  claude mcp add --transport http {ENTRY} {base}/mcp --header \"$AGENT\""));
    words.into_text()
}

/// This program as a shell finds it, wherever it was started from.
fn program() -> String {
    let path = std::env::current_exe().ok();
    path.map_or_else(|| "pdpp".to_owned(), |path| quoted(&path.display().to_string()))
}

/// What a command needs to find the sample store from another terminal.
fn options(app: &CliApp) -> String {
    // A relative path would mean another place there.
    let named = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        quoted(&path.display().to_string())
    };
    let directory = format!("--data-dir {}", named(app.data_dir.path()));
    match app.data_dir.address().and_then(DatabaseAddress::lasting_file) {
        Some(file) => format!("{directory} --database-url-file {}", named(file)),
        None => directory,
    }
}

/// The text as it stands in a URL, whatever it contains.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                escaped.push(char::from(byte));
            }
            other => {
                escaped.push('%');
                escaped.push_str(&pdpp_contract::hex(&[other]).to_ascii_uppercase());
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_with_slashes_and_pictures_becomes_one_path_segment() {
        let escaped = escaped(TRANSCRIPT);
        assert!(escaped.is_ascii() && !escaped.contains(['/', ' ', '\'']), "{escaped}");
        assert!(escaped.starts_with("work%2Fharbor%2Fretrospective%2C%20raw"), "{escaped}");
    }

    #[test]
    fn the_transcript_is_in_the_sample() {
        let notes = crate::demo_data::CONNECTIONS.iter().find(|one| one.name == "notes").unwrap();
        let line = notes.lines().find(|line| line.contains(TRANSCRIPT)).unwrap();
        assert!(line.len() > 2_000_000 && line.contains(CONFESSION));
    }
}
