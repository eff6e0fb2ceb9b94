//! `pdpp grant create`: issues a package without a browser.

use clap::{Args, ValueEnum};
use pdpp_auth::{AllowSpec, IssuedPackage, Lifetime, PackageRequest};
use pdpp_contract::{AccessMode, ClientName};
use serde_json::{Value, json};

use super::describe::{LeftOut, connection_of, rolling_words, stream_document, stream_words};
use super::earlier::{self, ActivePackages, EarlierGrants};
use crate::app::CliApp;
use crate::app::issue::issue;
use crate::failure::{Exit, Failure};
use crate::output::words::Words;
use crate::output::{self, Output, Style, plain, quoted};
use crate::setup::KnownClient;

/// Give an agent access to exactly what you name
///
/// A SPEC is CONNECTION, CONNECTION/STREAM or CONNECTION/STREAM:field,field, optionally followed by
/// @SINCE..UNTIL to limit the time: work-mail/messages:subject,sent_at@2026-01-01..2026-07-01
///
/// A bound is a year, a month, a date or an RFC 3339 time, or a number of days (d), weeks (w), months
/// (mo) or years (y) from today, which moves every day at 00:00 UTC: @30d.. is the last 30 days,
/// @12mo.. the last 12 months, @..+30d everything before the day in 30 days. SINCE is included, UNTIL is
/// not.
#[derive(Debug, Args)]
pub struct CreateArgs {
    /// The agent's name
    #[arg(long, value_name = "NAME")]
    client: ClientName,
    /// What it can read; can be repeated
    #[arg(long, value_name = "SPEC", required = true)]
    allow: Vec<AllowSpec>,
    /// How long: 30m, 12h, 90d, 2w, or until a date [default: 90d; 1h for single use]
    #[arg(long, value_name = "TIME")]
    expires: Option<Lifetime>,
    #[expect(clippy::doc_markdown, reason = "words of the help page, which shows no backticks")]
    /// continuous, or single_use: one token that cannot be renewed
    #[arg(long, value_enum, default_value = "continuous", hide_possible_values = true)]
    access: Access,
    /// Include codes, secrets or both (codes,secrets), which are left out by default: one-time codes,
    /// password resets and sign-in links; keys, tokens and passwords
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    show: Vec<Sensitive>,
    /// Leave out codes, secrets or both; this is the default unless --show names them
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    leave_out: Vec<Sensitive>,
    /// Revoke the earlier grants of this agent; without it they stay active
    #[arg(long)]
    replace: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Access {
    Continuous,
    SingleUse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sensitive {
    Codes,
    Secrets,
}

/// Issues the package and shows its token, this once.
pub async fn run(args: CreateArgs, app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    if let Some(both) = args.show.iter().find(|shown| args.leave_out.contains(shown)) {
        let what = match both {
            Sensitive::Codes => "codes",
            Sensitive::Secrets => "secrets",
        };
        let message = format!("{what} cannot be both shown and left out; name them in one option");
        return Err(Failure::usage(message));
    }
    let request = PackageRequest {
        client: args.client.clone(),
        allow: args.allow,
        expires_in: args.expires,
        access_mode: match args.access {
            Access::Continuous => AccessMode::Continuous,
            Access::SingleUse => AccessMode::SingleUse,
        },
        leave_out_codes: !args.show.contains(&Sensitive::Codes),
        leave_out_secrets: !args.show.contains(&Sensitive::Secrets),
    };
    let earlier = earlier::find(&args.client, app).await?;
    let issue = issue(app, request).await?;
    match show(&args.client, &issue.package, earlier, args.replace, app, output).await {
        Ok(()) => Ok(Exit::Done),
        Err(failure) => Err(issue.undo(app, failure).await),
    }
}

/// Shows the token. Nobody will see it again, so one that could not be shown is a failure.
async fn show(
    client: &ClientName,
    issued: &IssuedPackage,
    earlier: ActivePackages,
    replace: bool,
    app: &CliApp,
    output: &Output,
) -> Result<(), Failure> {
    // The new grant comes first: an agent that is refused one keeps what it had.
    let earlier = earlier.settle(replace, app).await?;
    if !output.is_json() {
        return output::received(&words(client, issued, &earlier, app, output).await?);
    }
    let mut document = json!({
        "package_id": issued.package_id,
        "grants": grant_documents(issued, app).await?,
        "access_token": issued.access_token.reveal(),
        "expires_at": issued.expires_at.to_string(),
    });
    earlier.add_to(&mut document);
    output::received(&document.to_string())
}

async fn grant_documents(issued: &IssuedPackage, app: &CliApp) -> Result<Vec<Value>, Failure> {
    let mut documents = Vec::new();
    for grant in &issued.grants {
        let connection = connection_of(grant, app).await?;
        let streams: Vec<Value> = grant.streams.iter().map(stream_document).collect();
        documents.push(json!({
            "grant_id": grant.grant_id,
            "connection_id": connection.id,
            "connector_key": connection.connector_key,
            "leave_out_codes": grant.leave_out_codes,
            "leave_out_secrets": grant.leave_out_secrets,
            "streams": streams,
        }));
    }
    Ok(documents)
}

async fn words(
    client: &ClientName,
    issued: &IssuedPackage,
    earlier: &EarlierGrants,
    app: &CliApp,
    output: &Output,
) -> Result<String, Failure> {
    let client = plain(client.as_str());
    let mut words = Words::new(format!("{client} can read, until {:.0}:", issued.expires_at));
    for grant in &issued.grants {
        let connection = connection_of(grant, app).await?;
        for stream in &grant.streams {
            words.line(format!("  {}/{}", connection.name, plain(&stream_words(stream))));
            if let Some(rolling) = rolling_words(stream) {
                words.line(format!("    {rolling}"));
            }
        }
    }
    for line in issued.grants.first().map(LeftOut::of).unwrap_or_default().of_a_new_grant() {
        words.line(format!("  {line}"));
    }
    for added in &issued.added_key_fields {
        let name = app.name_of(&added.connection_id).await?;
        words.line(format!("Added the key field {} to {name}/{}", added.field, added.stream));
    }
    words.block(&earlier.words(&client, app).await?);
    let (token, package) = (issued.access_token.reveal(), &issued.package_id);
    words.line(format!("\nPackage  {package}"));
    words.line(format!("Token    {}", output.styled(Style::Strong, token)));
    words.line(format!("The token is shown only once. It is saved on this machine for {client}."));
    words.line("\nSet up a client on this machine:");
    words.line(match KnownClient::ALL.iter().find(|known| known.name() == client) {
        Some(known) => format!("  {}", app.data_dir.advice(&format!("setup {}", known.name()))),
        None => {
            let setup = format!("setup CLIENT --client {}", quoted(&client));
            format!("  {}", app.data_dir.advice(&setup))
        }
    });
    words.line("Or try it while `pdpp serve` is running:");
    let bearer = format!("'Authorization: Bearer {token}'");
    words.line(format!("  curl -H {bearer} http://127.0.0.1:7667/v1/streams"));
    let which = if earlier.leaves_one() { quoted(&client) } else { package.to_string() };
    let revoke = app.data_dir.advice(&format!("grant revoke {which}"));
    words.line(format!("Revoke it with:\n  {revoke}"));
    Ok(words.into_text())
}
