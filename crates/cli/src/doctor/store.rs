//! The store: whether it opens.

use super::{Findings, Scene};
use crate::app::App;
use crate::failure::{Failure, STORE_DAMAGED};
use crate::ownership::STORE_CLOSED;
use crate::table::counted;

const CHECK: &str = "store";

/// The open store, for checks that need one.
pub async fn check(scene: &Scene, findings: &mut Findings) -> Option<App> {
    match opened(scene).await {
        Ok((app, connections)) => {
            let held = counted(connections, "connection", "connections");
            findings.good(CHECK, format!("opens, with {held}"));
            Some(app)
        }
        Err(failure) if failure.code == "no_store" => {
            let begin = "begin with pdpp demo, or with pdpp import";
            findings.note(CHECK, "there is no store yet", begin);
            None
        }
        Err(failure) if failure.code == STORE_CLOSED => {
            findings.failed(CHECK, &failure);
            None
        }
        Err(failure) => {
            findings.fault(CHECK, failure.message.as_str(), remedy(&failure));
            None
        }
    }
}

async fn opened(scene: &Scene) -> Result<(App, u64), Failure> {
    let app = App::open_existing(scene.data_dir.clone()).await?;
    let connections = app.store.list_connections().await?.len();
    Ok((app, u64::try_from(connections).unwrap_or(u64::MAX)))
}

fn remedy(failure: &Failure) -> &'static str {
    match failure.code {
        "not_a_store" => "move that file away and restore a backup, or import the data anew",
        STORE_DAMAGED => "see what is left with pdpp verify, then restore a backup",
        "store_too_new" => "a newer version has written it; update this program",
        "storage_full" => "make room on its disk",
        _ => "check that the file and its directory belong to the user who runs pdpp",
    }
}

#[cfg(test)]
pub mod tests {
    use std::path::Path;

    use super::*;
    use crate::data_dir::DataDir;
    use crate::setup::Places;

    /// A machine with nothing on it but this data directory.
    pub fn scene(data_dir: &Path) -> Scene {
        Scene {
            data_dir: DataDir::new(data_dir.to_owned()),
            cache_root: data_dir.join("providers"),
            places: Places::default(),
            variables: Vec::new(),
            now: "2026-11-01T00:00:00Z".parse().unwrap(),
            listen: "127.0.0.1:0".parse().unwrap(),
            address: None,
        }
    }
}
