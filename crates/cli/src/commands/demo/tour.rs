//! What to try in the demo: three commands to copy, each with what it shows.

use pdpp_contract::ConnectionName;
use pdpp_store::connections::ConnectionRef;

use crate::app::App;
use crate::failure::Failure;
use crate::output::{Output, Style};
use crate::words::{Words, hex};

/// Answered by a calendar entry, a mail and a note.
const QUESTION: &str = "when does the new boiler get installed and what does it cost?";
/// A note of more than two million characters …
const TRANSCRIPT: &str = "work/harbor/retrospective, raw transcript 🎙️.md";
/// … and what somebody said near its end.
const CONFESSION: &str = "spare key";

/// The addresses and the three commands.
pub async fn words(app: &App, base: &str, token: &str, output: &Output) -> Result<String, Failure> {
    let personal = ConnectionRef::Name(ConnectionName::new("personal-mail")?);
    let personal = app.connection(&personal).await?.id;
    let transcript = escaped(TRANSCRIPT);
    let (needle, read) =
        (escaped(CONFESSION), format!("curl -s -H 'Authorization: Bearer {token}'"));
    let strong = |text: &str| output.styled(Style::Strong, text);
    let step = |what: &str, path: &str| format!("\n{what}\n  {read} '{base}{path}'");
    let mut words = Words::new(format!("Serving an invented life at {}", strong(base)));
    words.line(format!("  an agent's token  {token}"));
    words.line(step(
        "1. A question, answered from every source the grant shows, best hit first:",
        &format!("/v1/search?limit=3&q={}", escaped(QUESTION)),
    ));
    words.line(step(
        "2. A window deep in a text of two million characters, around what you look for:",
        &format!(
            "/v1/streams/notes/records/{transcript}/field-window?field=body&q={needle}\
             &before_chars=200&after_chars=200"
        ),
    ));
    words.line(step(
        "3. A field the agent was not given is refused, as if it did not exist:",
        &format!(
            "/v1/streams/messages/records?connection_id={}&fields=body_text",
            escaped(personal.as_str())
        ),
    ));
    // A quote inside the path must not end the quotation.
    let demo = app.data_dir.path().display().to_string().replace('\'', "'\\''");
    words.line(format!("\nSee what was read:\n  pdpp audit --data-dir '{demo}'"));
    words.line("Stop with Ctrl-C.");
    Ok(words.into_text())
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
                escaped.push_str(&hex(&[other]).to_ascii_uppercase());
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
        let notes = crate::demo_data::notes::records();
        let line = notes.iter().find(|line| line.contains(TRANSCRIPT)).unwrap();
        assert!(line.len() > 2_000_000 && line.contains(CONFESSION));
    }
}
