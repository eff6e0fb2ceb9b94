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
            let import = scene.data_dir.advice("import");
            let begin = format!("begin with pdpp demo, or with {import}");
            findings.note(CHECK, "there is no store yet", begin);
            None
        }
        Err(failure) if failure.code == STORE_CLOSED => {
            findings.failed(CHECK, &failure);
            None
        }
        Err(failure) => {
            findings.fault(CHECK, failure.message.as_str(), remedy(&failure, scene));
            None
        }
    }
}

async fn opened(scene: &Scene) -> Result<(App, u64), Failure> {
    let app = App::open_existing(scene.data_dir.clone()).await?;
    let connections = app.store.list_connections().await?.len();
    Ok((app, u64::try_from(connections).unwrap_or(u64::MAX)))
}

fn remedy(failure: &Failure, scene: &Scene) -> String {
    let verify = scene.data_dir.advice("verify");
    if let Some(address) = scene.data_dir.address() {
        let database = address.told_by();
        return match failure.code {
            "not_a_store" => format!("name an empty database instead of that of {database}"),
            STORE_DAMAGED => format!("see what is left with {verify}, then restore a backup"),
            "store_too_new" => "a newer version has written it; update this program".to_owned(),
            "store_not_allowed" => "let its user own the tables of the store".to_owned(),
            "store_unfinished" | "store_in_use" => {
                "start the restore or the move again, or wait until it is done".to_owned()
            }
            _ => format!(
                "see that Postgres runs, and that {database} names the right server, user, \
                 password and database: psql with the same URL"
            ),
        };
    }
    let words = match failure.code {
        "not_a_store" => "move that file away and restore a backup, or import the data anew",
        STORE_DAMAGED => {
            return format!("see what is left with {verify}, then restore a backup");
        }
        "store_too_new" => "a newer version has written it; update this program",
        "storage_full" => "make room on its disk",
        _ => "check that the file and its directory belong to the user who runs pdpp",
    };
    words.to_owned()
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
