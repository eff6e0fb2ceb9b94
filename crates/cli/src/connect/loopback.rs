//! The answer from the browser: one request to a port and a path that only we know.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::failure::{Exit, Failure};

/// How long the owner may take.
const PATIENCE: Duration = Duration::from_mins(15);
/// How long one connection may take to say what it wants.
const SLOW: Duration = Duration::from_secs(10);
const DONE: &str = "You are connected. You can close this page.";
const REFUSED: &str = "Nothing was connected. You can close this page.";

/// A port that waits for one answer.
pub struct Loopback {
    listener: TcpListener,
    path: String,
}

/// What the browser brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallbackResponse {
    pub code: Option<String>,
    pub state: Option<String>,
    pub iss: Option<String>,
    pub error: Option<String>,
}

impl Loopback {
    /// Takes a free port; `secret` becomes part of the path.
    pub async fn open(secret: &str) -> Result<Self, Failure> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(|error| {
            let message = format!("cannot listen for the browser: {error}");
            Failure::new(Exit::Other, "listen", message)
        })?;
        Ok(Self { listener, path: format!("/callback/{secret}") })
    }

    /// Where the browser is sent.
    pub fn address(&self) -> Option<String> {
        let port = self.listener.local_addr().ok()?.port();
        Some(format!("http://127.0.0.1:{port}{}", self.path))
    }

    /// Waits for the answer to the question with this state. Other requests, such as for an icon, are
    /// turned away.
    pub async fn answer(self, state: &str) -> Result<CallbackResponse, Failure> {
        let waiting = async {
            loop {
                let Ok((stream, _)) = self.listener.accept().await else { continue };
                let taken = tokio::time::timeout(SLOW, take(stream, &self.path, state)).await;
                if let Ok(Some(answer)) = taken {
                    return answer;
                }
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.map_err(|_| {
            let message = "no answer from the browser; run the command again";
            Failure::new(Exit::NoCredential, "timeout", message)
        })
    }
}

async fn take(stream: TcpStream, path: &str, state: &str) -> Option<CallbackResponse> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let target = line.strip_prefix("GET ")?.split(' ').next()?.to_owned();
    loop {
        line.clear();
        if stream.read_line(&mut line).await.ok()? == 0 || line == "\r\n" {
            break;
        }
    }
    let (given, query) = target.split_once('?').unwrap_or((&target, ""));
    let answer = (given == path).then(|| parse(query));
    let (status, text) = match &answer {
        None => ("404 Not Found", REFUSED),
        Some(answer) if answer.code.is_some() && answer.state.as_deref() == Some(state) => {
            ("200 OK", DONE)
        }
        Some(_) => ("200 OK", REFUSED),
    };
    let response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nReferrer-Policy: \
         no-referrer\r\nCache-Control: no-store\r\nContent-Length: {}\r\nConnection: close\r\n\r\n\
         {text}",
        text.len()
    );
    let stream = stream.get_mut();
    let _ = stream.write_all(response.as_bytes()).await;
    let _ = stream.shutdown().await;
    answer
}

fn parse(query: &str) -> CallbackResponse {
    let mut answer = CallbackResponse::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let value = Some(value.into_owned());
        match &*name {
            "code" => answer.code = value,
            "state" => answer.state = value,
            "iss" => answer.iss = value,
            "error" => answer.error = value,
            _ => {}
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_from_the_address() {
        let answer = parse("code=a%2Fb&state=c+d&iss=https%3A%2F%2Fx&other=1");
        assert_eq!(answer.code.as_deref(), Some("a/b"));
        assert_eq!(answer.state.as_deref(), Some("c d"));
        assert_eq!(answer.iss.as_deref(), Some("https://x"));
        assert_eq!(parse("error=access_denied").error.as_deref(), Some("access_denied"));
    }
}
