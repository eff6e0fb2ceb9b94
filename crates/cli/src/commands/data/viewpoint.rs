//! Whose answers are shown: the owner's, or those of an agent.

use pdpp_auth::LivePackage;
use pdpp_engine::GrantedReader;

use super::AsArgs;
use crate::app::CliApp;
use crate::failure::Failure;
use crate::output::{note, plain};

/// A reader, and the agent it answers as.
pub struct Viewpoint {
    /// Reads what the owner, or that agent, can see.
    pub reader: GrantedReader,
    /// The agent's package; absent for the owner.
    pub package: Option<LivePackage>,
}

impl Viewpoint {
    /// The owner's, or that of the agent that is named. An agent whose access has ended is refused
    /// like its next call would be.
    pub async fn open(args: &AsArgs, app: &CliApp) -> Result<Self, Failure> {
        let owner = app.owner();
        let Some(what) = &args.agent else {
            return Ok(Self { reader: app.engine.owner_reader(owner).await?, package: None });
        };
        let mut packages = app.auth.access_of(&owner, what).await?.into_iter();
        let Some(package) = packages.next() else {
            return Err(pdpp_auth::AuthError::GrantRevoked.into());
        };
        for other in packages {
            note(&format!(
                "answers as {} with its newest access; another is active: --as {}",
                plain(package.client.as_str()),
                other.package_id
            ));
        }
        Ok(Self { reader: app.engine.reader(&package.access), package: Some(package) })
    }
}
