//! `pdpp grant show`: what an agent may read, field by field.

use clap::Args;
use pdpp_auth::PackageSummary;
use pdpp_contract::access::GrantSelector;
use serde_json::{Value, json};

use super::describe::{
    LeftOut, access_words, package_document, rolling_words, status, stream_words,
};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::words::Words;
use crate::output::{Output, Style, plain, text};

/// Show what an agent can read, field by field
#[derive(Debug, Args)]
pub struct ShowGrantArgs {
    /// An agent's name, a package id or a grant id
    what: GrantSelector,
}

/// Shows every package that holds what is named.
pub async fn run(args: ShowGrantArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let packages = app.auth.package(&app.owner(), &args.what).await?;
    if output.is_json() {
        let documents: Vec<Value> = packages.iter().map(package_document).collect();
        output.answer(&json!({ "packages": documents }), String::new)?;
        return Ok(Exit::Done);
    }
    for package in &packages {
        text(&words(package, app, output).await?)?;
    }
    Ok(Exit::Done)
}

async fn words(package: &PackageSummary, app: &CliApp, output: &Output) -> Result<String, Failure> {
    let client = output.styled(Style::Strong, &plain(package.client.as_str()));
    let mut words = Words::new(format!("{client}  {}", status(package.standing)));
    words.line(format!("package    {}", package.package_id));
    words.line(format!("access     {}", access_words(package.access_mode)));
    words.line(format!("issued     {:.0}", package.created_at));
    if let Some(at) = package.expires_at {
        words.line(format!("expires    {at:.0}"));
    }
    if let Some(at) = package.revoked_at {
        words.line(format!("revoked    {at:.0}"));
    }
    if let Some(at) = package.last_used_at {
        words.line(format!("last used  {at:.0}"));
    }
    for summary in &package.grants {
        let name = app.name_of(&summary.connection_id).await?;
        let state = status(summary.standing);
        words.line(format!("\n{name}  {state}  {}", summary.grant_id));
        let Some(grant) = &summary.grant else {
            words.line("  this version cannot read the grant; it gives no access");
            continue;
        };
        for stream in &grant.streams {
            words.line(format!("  {}", plain(&stream_words(stream))));
            if let Some(rolling) = rolling_words(stream) {
                words.line(format!("    {rolling}"));
            }
        }
        for line in LeftOut::of(grant).words() {
            words.line(format!("  {line}"));
        }
    }
    words.line("");
    Ok(words.into_text())
}
