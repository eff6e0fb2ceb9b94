//! `pdpp grant list`: every package ever issued, and whether it still opens anything.

use serde_json::{Value, json};

use pdpp_auth::Standing;

use super::describe::{left_out, package_document, rolling_words, status};
use crate::app::CliApp;
use crate::failure::{Exit, Failure};
use crate::output::table::{TextTable, time_or_never};
use crate::output::{Output, plain};

/// Lists the packages in the order they were issued.
pub async fn run(app: &CliApp, output: &Output) -> Result<Exit, Failure> {
    let packages = app.auth.packages(&app.owner()).await?;
    let documents: Vec<Value> = packages.iter().map(package_document).collect();
    output.answer(&json!({ "packages": documents }), || {
        if packages.is_empty() {
            let create = app.data_dir.advice("grant create --help");
            return format!("No agent has access. Give access with: {create}\n");
        }
        let heads = ["agent", "status", "#accounts", "left out", "expires", "last used", "package"];
        let mut table = TextTable::new(&heads);
        for package in &packages {
            table.row([
                package.client.to_string(),
                status(package.standing).to_owned(),
                package.grants.len().to_string(),
                left_out(package),
                time_or_never(package.expires_at),
                time_or_never(package.last_used_at),
                package.package_id.to_string(),
            ]);
        }
        let rolling = packages.iter().filter(|package| package.standing == Standing::Live);
        let rolling = rolling.flat_map(|package| {
            let grants = package.grants.iter().filter_map(|summary| summary.grant.as_ref());
            let lines = grants.flat_map(|grant| grant.streams.iter().filter_map(rolling_words));
            lines.map(|line| format!("{}: {line}\n", plain(package.client.as_str())))
        });
        let rolling: String = rolling.collect();
        let gap = if rolling.is_empty() { "" } else { "\n" };
        format!("{}{gap}{rolling}", table.render(output))
    })?;
    Ok(Exit::Done)
}
