//! What an agent could read before it gets a new grant: it stays, or it ends with `--replace`.

use pdpp_auth::{PackageSummary, Standing};
use pdpp_contract::ClientName;
use pdpp_contract::access::GrantSelector;
use serde_json::{Value, json};

use super::describe::{package_document, stream_words};
use crate::app::CliApp;
use crate::failure::Failure;
use crate::output::plain;
use crate::output::words::Words;

/// The earlier packages of an agent that are still live, not yet decided upon.
pub struct ActivePackages(Vec<PackageSummary>);

/// What became of them.
pub enum EarlierGrants {
    /// They stay live.
    Active(Vec<PackageSummary>),
    /// They were ended.
    Revoked(Vec<PackageSummary>),
}

/// Looks for live packages of an agent.
pub async fn find(client: &ClientName, app: &CliApp) -> Result<ActivePackages, Failure> {
    let mut packages = app.auth.packages(&app.owner()).await?;
    packages.retain(|one| one.client == *client && one.standing == Standing::Live);
    Ok(ActivePackages(packages))
}

impl ActivePackages {
    /// Ends them when the owner wants that.
    pub async fn settle(self, replace: bool, app: &CliApp) -> Result<EarlierGrants, Failure> {
        if !replace {
            return Ok(EarlierGrants::Active(self.0));
        }
        for package in &self.0 {
            let which = GrantSelector::Package(package.package_id.clone());
            app.auth.revoke(&app.owner(), &which).await?;
        }
        Ok(EarlierGrants::Revoked(self.0))
    }
}

impl EarlierGrants {
    /// Whether the new package is all that its agent has.
    pub fn leaves_one(&self) -> bool {
        matches!(self, Self::Revoked(_)) || matches!(self, Self::Active(live) if live.is_empty())
    }

    /// Adds what became of them to the answer for scripts.
    pub fn add_to(&self, document: &mut Value) {
        let Some(members) = document.as_object_mut() else {
            return;
        };
        let (live, ended) = match self {
            Self::Active(packages) => (packages.iter().map(package_document).collect(), None),
            Self::Revoked(packages) => (Vec::new(), Some(packages)),
        };
        members.insert("also_live".to_owned(), Value::Array(live));
        if let Some(ended) = ended {
            let ids: Vec<_> = ended.iter().map(|package| &package.package_id).collect();
            members.insert("replaced".to_owned(), json!(ids));
        }
    }

    /// The same for people.
    pub async fn words(&self, client: &str, app: &CliApp) -> Result<String, Failure> {
        let mut words = Words::default();
        match self {
            Self::Active(packages) => {
                for package in packages {
                    let (id, what) = (&package.package_id, contents(package, app).await?);
                    let end = app.data_dir.advice(&format!("grant revoke {id}"));
                    words.line(format!(
                        "\n{client} also has an earlier grant ({id}), active for whoever holds its \
                         token: {what}; revoke it with {end}"
                    ));
                }
                // The credential that is kept here was replaced with the new one.
                if !packages.is_empty() {
                    words.line(format!(
                        "On this machine {client} uses only the new grant. To combine them, repeat \
                         --allow in one grant, with --replace to revoke the earlier ones."
                    ));
                }
            }
            Self::Revoked(packages) => {
                for package in packages {
                    words.line(format!("\nRevoked the earlier grant {}", package.package_id));
                }
            }
        }
        Ok(words.into_text())
    }
}

/// What a package opens, in the words of `--allow`.
async fn contents(package: &PackageSummary, app: &CliApp) -> Result<String, Failure> {
    let mut all = Vec::new();
    for grant in package.grants.iter().filter(|grant| grant.standing == Standing::Live) {
        let name = app.name_of(&grant.connection_id).await?;
        for stream in grant.grant.iter().flat_map(|grant| &grant.streams) {
            all.push(format!("{name}/{}", plain(&stream_words(stream))));
        }
    }
    Ok(all.join(" "))
}
