//! `pdpp owner token`: tokens for the owner's own programs.

use clap::{Args, Subcommand, ValueEnum};
use pdpp_auth::{Lifetime, OwnerTokenSummary};
use pdpp_contract::ids::DisplayName;
use serde_json::{Value, json};

use crate::app::CliApp;
use crate::commands::grant::{standing, status};
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::table::{TextTable, counted, time_or_never};
use crate::output::{Output, Style, without_nulls};

/// Manage tokens for the owner's own programs, never for agents
#[derive(Debug, Args)]
pub struct TokenArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create a token for everything, or for the metrics only
    Create {
        /// What it gives access to: everything, or only `/metrics`
        #[arg(long, value_name = "KIND", value_enum, default_value_t = Kind::Owner)]
        kind: Kind,
        /// A label for it
        #[arg(long, value_name = "TEXT")]
        label: Option<DisplayName>,
        /// How long: 30m, 12h, 90d, 2w, or until a date [default: 90d]
        #[arg(long, value_name = "TIME")]
        expires: Option<Lifetime>,
    },
    /// List the owner's tokens
    List,
    /// Revoke a token, from its next call on
    Revoke {
        /// Its fingerprint or label
        what: String,
    },
}

/// What a token opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Everything the owner can do over HTTP
    Owner,
    /// The metrics at `/metrics`
    Metrics,
}

/// Runs one of the actions.
pub async fn run(args: TokenArgs, data_dir: DataDir, output: &Output) -> Result<Exit, Failure> {
    match args.action {
        // The first thing an owner does may be to make a token.
        Action::Create { kind, label, expires } => {
            create(kind, label, expires, &CliApp::open(data_dir).await?, output).await?;
        }
        Action::List => list(&CliApp::open_existing(data_dir).await?, output).await?,
        Action::Revoke { what } => {
            revoke(&what, &CliApp::open_existing(data_dir).await?, output).await?;
        }
    }
    Ok(Exit::Done)
}

async fn create(
    kind: Kind,
    label: Option<DisplayName>,
    expires: Option<Lifetime>,
    app: &CliApp,
    output: &Output,
) -> Result<(), Failure> {
    let (owner, auth) = (app.owner(), &app.auth);
    let (issued, name, opens) = match kind {
        Kind::Owner => {
            let issued = auth.create_owner_token(&owner, label.clone(), expires).await?;
            (issued, "owner", "gives access to everything. Never give it to an agent.")
        }
        Kind::Metrics => {
            let issued = auth.create_metrics_token(&owner, label.clone(), expires).await?;
            (issued, "metrics", "gives access to /metrics only. Use it in your monitoring.")
        }
    };
    let token = issued.access_token.reveal();
    let document = without_nulls(json!({
        "access_token": token,
        "kind": name,
        "fingerprint": issued.fingerprint.as_str(),
        "label": label,
        "expires_at": issued.expires_at.to_string(),
    }));
    output.answer(&document, || {
        format!(
            "Token        {}\nFingerprint  {}\nExpires      {:.0}\n\
             It is shown only once and {opens}\n",
            output.styled(Style::Strong, token),
            issued.fingerprint,
            issued.expires_at,
        )
    })
}

async fn list(app: &CliApp, output: &Output) -> Result<(), Failure> {
    let tokens = app.auth.owner_tokens(&app.owner()).await?;
    let documents: Vec<Value> = tokens.iter().map(document).collect();
    output.answer(&json!({ "tokens": documents }), || {
        if tokens.is_empty() {
            return "No owner tokens.\n".to_owned();
        }
        let mut table =
            TextTable::new(&["fingerprint", "kind", "label", "status", "expires", "last used"]);
        for token in &tokens {
            table.row([
                token.fingerprint.to_string(),
                token.kind.as_str().to_owned(),
                token.label.as_ref().map(ToString::to_string).unwrap_or_default(),
                status(token.standing).to_owned(),
                time_or_never(token.expires_at),
                time_or_never(token.last_used_at),
            ]);
        }
        table.render(output)
    })
}

fn document(token: &OwnerTokenSummary) -> Value {
    let time = |at: Option<jiff::Timestamp>| at.map(|at| at.to_string());
    without_nulls(json!({
        "fingerprint": token.fingerprint.as_str(),
        "kind": token.kind.as_str(),
        "label": token.label,
        "standing": standing(token.standing),
        "created_at": token.created_at.to_string(),
        "expires_at": time(token.expires_at),
        "revoked_at": time(token.revoked_at),
        "last_used_at": time(token.last_used_at),
    }))
}

async fn revoke(what: &str, app: &CliApp, output: &Output) -> Result<(), Failure> {
    let ended = app.auth.revoke_owner_token(&app.owner(), what).await?;
    output.answer(&json!({ "revoked": ended }), || match ended {
        0 => "Nothing to revoke: it was revoked before.\n".to_owned(),
        ended => format!("Revoked {}\n", counted(ended, "token", "tokens")),
    })
}
