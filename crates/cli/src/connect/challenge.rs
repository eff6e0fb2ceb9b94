//! What a server says to somebody without a token: where it describes itself, and what to ask for.

use pdpp_mcp::remote::{ProviderUrl, Web, WebAnswer};
use serde_json::json;

use super::discovery::unreachable;
use crate::failure::Failure;

/// Longest challenge that is read.
const MAX_BYTES: usize = 8 * 1024;

/// The parts of a challenge that signing in needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Challenge {
    /// The address of the resource's metadata.
    pub metadata: Option<String>,
    /// What to ask for.
    pub scope: Option<String>,
}

/// Knocks without a token: at the plain interface, else at the address itself, which may be that of
/// an MCP server. A server that says nothing is looked for where servers usually describe themselves.
pub async fn challenge(web: Web, provider: &ProviderUrl) -> Result<Challenge, Failure> {
    let plain = web.get(&format!("{}/v1/schema", provider.as_str()), None).await;
    if let Some(challenge) = of(&plain.map_err(unreachable)?) {
        return Ok(challenge);
    }
    let question = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let answer = web.post_json(provider.as_str(), &question).await.map_err(unreachable)?;
    Ok(of(&answer).unwrap_or_default())
}

fn of(answer: &WebAnswer) -> Option<Challenge> {
    let text = answer.challenge().filter(|_| answer.status == 401)?;
    (text.len() <= MAX_BYTES).then(|| parse(text)).flatten()
}

/// Reads `Bearer name="value", name=value`; `None` when it is about something else.
fn parse(text: &str) -> Option<Challenge> {
    let (scheme, mut rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let mut challenge = Challenge::default();
    while let Some((name, value, after)) = next(rest) {
        match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => challenge.metadata = Some(value),
            "scope" => challenge.scope = Some(value).filter(|scope| !scope.trim().is_empty()),
            _ => {}
        }
        rest = after;
    }
    Some(challenge)
}

/// The next parameter and what stands behind it.
fn next(text: &str) -> Option<(&str, String, &str)> {
    let text = text.trim_start_matches([' ', ',', '\t']);
    let (name, value) = text.split_once('=')?;
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find([',', ' ']).unwrap_or(value.len());
        let (value, after) = value.split_at_checked(end)?;
        return Some((name.trim(), value.to_owned(), after));
    };
    let (mut read, mut escaped) = (String::new(), false);
    for (at, letter) in quoted.char_indices() {
        match letter {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return Some((name.trim(), read, quoted.get(at + 1..)?)),
            other => {
                read.push(other);
                escaped = false;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(Option<String>, Option<String>)> {
        parse(text).map(|challenge| (challenge.metadata, challenge.scope))
    }

    #[test]
    fn a_challenge_is_read_in_every_spelling() {
        let address = Some("https://a.example/x".to_owned());
        let scope = Some("one two".to_owned());
        for text in [
            r#"Bearer resource_metadata="https://a.example/x", scope="one two""#,
            r#"bearer realm="a, \"b\" = c",scope="one two",resource_metadata=https://a.example/x"#,
            r#"BEARER  error="invalid_token", Scope="one two" , Resource_Metadata="https://a.example/x""#,
        ] {
            assert_eq!(read(text), Some((address.clone(), scope.clone())), "{text}");
        }
    }

    #[test]
    fn what_is_no_challenge_says_nothing() {
        assert_eq!(read("Basic realm=\"x\""), None);
        assert_eq!(read("Bearer"), Some((None, None)));
        for broken in ["Bearer =", "Bearer scope=\"never ends", "Bearer ,,,", "Bearer scope=\"\""] {
            assert_eq!(read(broken), Some((None, None)), "{broken}");
        }
    }
}
