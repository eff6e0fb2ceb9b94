//! `pdpp connect`: sign in at a PDPP server, so that agents on this machine can read there.

use std::path::PathBuf;

use clap::Args;
use pdpp_contract::ports::Clock as _;
use pdpp_mcp::remote::{ProviderUrl, Web};
use serde_json::{Value, json};

use crate::agents::{KeptCredential, ProviderCache, refuse_owner_credential};
use crate::app::clock::SystemClock;
use crate::cli::CACHE_HELP;
use crate::config::Environment;
use crate::connect::{SignIn, sign_in};
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::platform::entropy::SystemEntropy;

/// Sign in to a PDPP server, for agents on this machine
///
/// Opens your browser, where the owner chooses what the agents can read, and saves the credential. Then
/// run `pdpp setup CLIENT --provider-url PROVIDER_URL`.
#[derive(Debug, Args)]
pub struct ConnectArgs {
    /// The server's address, such as `https://data.example.org`
    provider_url: String,
    /// Show a code to enter on another device instead of opening a browser
    #[arg(long)]
    device: bool,
    #[arg(long, value_name = "DIR", help = CACHE_HELP)]
    cache_root: Option<PathBuf>,
}

/// Signs in and keeps what came of it. The token itself is never shown.
pub async fn run(
    args: ConnectArgs,
    environment: &Environment,
    data_dir: &DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    check_name(&args.provider_url)?;
    let provider: ProviderUrl = args.provider_url.parse()?;
    let cache = ProviderCache::new(environment.cache_root(args.cache_root, data_dir));
    // An owner's credential in the cache stops us before anything is asked or replaced.
    let earlier = cache.find(&provider)?;
    let kept = sign_in(SignIn {
        provider: &provider,
        browser: &environment.browser,
        by_code: args.device,
        entropy: &SystemEntropy,
        earlier,
    })
    .await?;
    let kept = kept.dated(SystemClock.now());
    refuse_owner_credential(
        &json!({"credential": {"access_token": kept.access_token}}),
        "the response",
    )?;
    let info = token_info(&provider, &kept).await?;
    cache.keep(&provider, &kept)?;
    let document = json!({
        "provider_url": provider.as_str(),
        "resource": kept.resource,
        "client_id": kept.client.id,
        "package_id": kept.package_id,
        "expires_at": info.get("package_expires_at").cloned().unwrap_or(Value::Null),
        "grants": info.get("grants").cloned().unwrap_or(Value::Null),
    });
    output.answer(&document, || words(&provider, &info))?;
    Ok(Exit::Done)
}

/// Refuses a single word, which is somebody's typing error more often than a machine's name. With
/// `https://` in front it is meant.
fn check_name(typed: &str) -> Result<(), Failure> {
    if typed.contains(['.', ':', '/']) {
        return Ok(());
    }
    let message = "not a server address; write it like https://data.example.org";
    Err(Failure::usage(message))
}

/// What the token opens, when the server tells. A server that calls it the owner's is believed.
async fn token_info(provider: &ProviderUrl, kept: &KeptCredential) -> Result<Value, Failure> {
    let url = format!("{}/v1/token", provider.as_str());
    let answer = Web.get(&url, Some(&kept.access_token)).await;
    let Some(answer) = answer.ok().filter(|answer| answer.status == 200) else {
        return Ok(Value::Null);
    };
    refuse_owner_credential(&answer.json, "the response")?;
    Ok(answer.json)
}

fn words(provider: &ProviderUrl, info: &Value) -> String {
    let mut text = format!("Connected to {}\n", provider.as_str());
    for grant in info["grants"].as_array().into_iter().flatten() {
        let name = |value: &Value| -> String {
            let text = value.as_str().unwrap_or("?");
            text.chars().filter(|c| !c.is_control()).take(80).collect()
        };
        let streams = grant["streams"].as_array();
        let streams: Vec<String> =
            streams.into_iter().flatten().map(|stream| name(&stream["name"])).collect();
        let called = match &grant["display_name"] {
            Value::Null => &grant["connection_id"],
            called => called,
        };
        text.push_str(&format!("  {}: {}\n", name(called), streams.join(", ")));
    }
    let url = provider.as_str();
    text.push_str(&format!("Next, set up a client: pdpp setup CLIENT --provider-url {url}\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_called_what_their_owner_calls_them() {
        let provider: ProviderUrl = "https://data.example.org".parse().unwrap();
        let streams = json!([{"name": "messages"}, {"name": "threads"}]);
        let info = json!({"grants": [
            {"connection_id": "cin_1", "display_name": "Work\u{1b} mail", "streams": streams},
            {"connection_id": "cin_2", "streams": streams},
        ]});
        let said = words(&provider, &info);
        assert!(said.contains("  Work mail: messages, threads\n"), "{said}");
        assert!(said.contains("  cin_2: messages, threads\n"), "{said}");
    }
}
