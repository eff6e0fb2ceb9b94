//! Keeps an owner's credential out of the conversation on standard input: a message that carries one
//! anywhere is answered here and goes no further.

use std::sync::Arc;

use pdpp_contract::credentials::message_holds_owner_credential;
use rmcp::model::ErrorData;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::Mutex;

use super::refusing::{hides, owner_credential, refused};
use super::strict::{self, Unreadable};

/// Where whole lines go to the client, one writer at a time.
pub(super) type Lines<W> = Arc<Mutex<W>>;

/// Passes the client's lines on until it closes its end.
pub(super) async fn pass_in<W: AsyncWrite + Unpin>(
    client: impl AsyncRead + Unpin,
    mut server: DuplexStream,
    answers: Lines<W>,
) {
    let mut client = BufReader::new(client);
    let mut line = Vec::new();
    while matches!(client.read_until(b'\n', &mut line).await, Ok(1..)) {
        let passed = match passage(&line) {
            Passage::On => server.write_all(&line).await,
            Passage::Answered(answer) => write_line(&answers, &mut answer.to_string().into()).await,
            Passage::Dropped => Ok(()),
        };
        if passed.is_err() {
            return;
        }
        line.clear();
    }
}

/// Passes lines on until there are no more.
pub(super) async fn pass_out<W: AsyncWrite + Unpin>(server: DuplexStream, answers: Lines<W>) {
    let mut server = BufReader::new(server);
    let mut line = Vec::new();
    while matches!(server.read_until(b'\n', &mut line).await, Ok(1..)) {
        if write_line(&answers, &mut line).await.is_err() {
            return;
        }
        line.clear();
    }
}

/// Writes a line with its end in one piece: each piece takes a switch to another thread.
pub(super) async fn write_line<W: AsyncWrite + Unpin>(
    answers: &Lines<W>,
    line: &mut Vec<u8>,
) -> std::io::Result<()> {
    if !line.ends_with(b"\n") {
        line.push(b'\n');
    }
    let mut answers = answers.lock().await;
    answers.write_all(line).await?;
    answers.flush().await
}

/// What becomes of a line.
enum Passage {
    /// The handler gets it.
    On,
    /// It is refused with this answer.
    Answered(Value),
    /// Nobody waits for an answer.
    Dropped,
}

/// Lets a line pass unless it carries an owner's credential that the handler would not refuse.
fn passage(line: &[u8]) -> Passage {
    if !message_holds_owner_credential(line) {
        return match strict::check(line) {
            Err(Unreadable::RepeatedMember) => repeated_member(line),
            // What is no JSON is answered by the library.
            Ok(_) | Err(Unreadable::NotJson) => Passage::On,
        };
    }
    let message: Value = serde_json::from_slice(line).unwrap_or_default();
    if message.is_object() && message.get("id").is_none() {
        return Passage::Dropped;
    }
    let id = message.get("id").filter(|id| !hides(id)).cloned().unwrap_or_default();
    let refused_there = match message.get("method").and_then(Value::as_str) {
        Some("tools/call") => message.pointer("/params/arguments").is_some_and(hides),
        Some("resources/read") => message.pointer("/params/uri").is_some_and(hides),
        _ => false,
    };
    if refused_there && !id.is_null() {
        return Passage::On;
    }
    let error = refused(&owner_credential());
    Passage::Answered(json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// Which of two members counts would depend on who reads the message, so nobody does.
fn repeated_member(line: &[u8]) -> Passage {
    let message: Value = serde_json::from_slice(line).unwrap_or_default();
    let Some(id) = message.get("id") else { return Passage::Dropped };
    let error = ErrorData::invalid_request(strict::REPEATED_MEMBER, None);
    Passage::Answered(json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> String {
        format!("pdpp_owner_{}", "a1B".repeat(17).get(..49).unwrap())
    }

    fn refused_id(line: &str) -> Option<Value> {
        let Passage::Answered(answer) = passage(line.as_bytes()) else {
            return None;
        };
        assert_eq!(answer["error"]["data"]["code"], "owner_credential_refused", "{answer}");
        assert!(!answer.to_string().contains(&token()), "{answer}");
        Some(answer["id"].clone())
    }

    #[test]
    fn a_credential_is_refused_wherever_a_message_holds_it() {
        let token = token();
        let call = r#"{"jsonrpc":"2.0","id":7,"method":"#;
        for rest in [
            format!(
                r#""tools/call","params":{{"name":"search","arguments":{{"query":"{token}","query":"x"}}}}}}"#
            ),
            format!(
                r#""tools/call","params":{{"name":"search","arguments":{{}},"_meta":{{"a":"{token}"}}}}}}"#
            ),
            format!(r#""initialize","params":{{"clientInfo":{{"name":"{token}"}}}}}}"#),
            format!(r#""completion/complete","params":{{"argument":{{"value":"{token}"}}}}}}"#),
        ] {
            assert_eq!(refused_id(&format!("{call}{rest}\n")), Some(json!(7)), "{rest}");
        }
        let named = format!(r#"{{"jsonrpc":"2.0","id":"{token}","method":"tools/list"}}"#);
        assert_eq!(refused_id(&named), Some(Value::Null));
        assert_eq!(refused_id(&format!("no JSON, {token}")), Some(Value::Null));
    }

    #[test]
    fn an_argument_that_stands_twice_is_refused() {
        let call = r#"{"id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"a","query":"b"}}}"#;
        let Passage::Answered(answer) = passage(call.as_bytes()) else { panic!("it passed") };
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(3), &json!(-32_600)));
        let told = r#"{"method":"notifications/cancelled","params":{"a":1,"a":2}}"#;
        assert!(matches!(passage(told.as_bytes()), Passage::Dropped));
    }

    #[test]
    fn other_messages_pass() {
        assert_eq!(refused_id(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#), None);
        let refused_by_the_handler = format!(
            r#"{{"id":1,"method":"tools/call","params":{{"arguments":{{"query":"{}"}}}}}}"#,
            token()
        );
        assert!(matches!(passage(refused_by_the_handler.as_bytes()), Passage::On));
        let told = format!(r#"{{"method":"notifications/progress","params":"{}"}}"#, token());
        assert!(matches!(passage(told.as_bytes()), Passage::Dropped));
    }
}
