//! The store: whether it opens.

use super::{DoctorContext, Findings, clients};
use crate::app::CliApp;
use crate::data_dir::DataDir;
use crate::data_dir::database_address::DatabaseAddress;
use crate::data_dir::ownership::{DATA_DIR_OPEN, STORE_CLOSED};
use crate::failure::{Exit, Failure, NO_STORE, STORE_DAMAGED};
use crate::output::table::counted;

pub const CHECK: &str = "store";

/// The open store, for checks that need one.
pub async fn check(context: &DoctorContext, findings: &mut Findings) -> Option<CliApp> {
    let address = context.data_dir.address();
    if let Some((address, Err(why))) = address.map(|address| (address, address.check())) {
        let what = format!("cannot read its address: {}", why.message);
        findings.fault(CHECK, what, unread_remedy(address, &why, &context.data_dir));
        return None;
    }
    match opened(context).await {
        Ok((app, connections)) => {
            let held = counted(connections, "account", "accounts");
            findings.good(CHECK, format!("opens, {held}"));
            Some(app)
        }
        Err(failure) => {
            tell(&failure, context, findings);
            None
        }
    }
}

/// Reports a store that does not open.
fn tell(failure: &Failure, context: &DoctorContext, findings: &mut Findings) {
    let remedy = remedy(failure, &context.data_dir);
    match failure.code {
        NO_STORE => findings.note(CHECK, "no store yet", begin(context)),
        // The check of the directory has said so, with the command that closes it.
        DATA_DIR_OPEN => {}
        STORE_CLOSED => findings.failed(CHECK, failure, &context.data_dir),
        _ if failure.exit == Exit::Unreachable && context.data_dir.address().is_some() => {
            findings.unreachable(CHECK, failure.message.as_str(), remedy);
        }
        _ => findings.fault(CHECK, failure.message.as_str(), remedy),
    }
}

/// How to come to a store: by naming the one that clients here read, or by making one.
pub fn begin(context: &DoctorContext) -> String {
    match clients::database_option(context) {
        // A new one in a file would stand empty beside it.
        Some(option) => {
            let look = context.data_dir.advice("doctor");
            format!("clients on this machine use a database; check that one: {look} {option}")
        }
        None => {
            let (demo, import) =
                (context.data_dir.advice("demo"), context.data_dir.advice("import"));
            format!("start with {demo} or {import}")
        }
    }
}

/// What helps when the address of a database cannot be read.
fn unread_remedy(address: &DatabaseAddress, why: &Failure, store: &DataDir) -> String {
    let named_by = address.told_by();
    match why.remedy(store) {
        _ if why.exit == Exit::Data => {
            format!("restore {named_by}, or set the right file with --database-url-file FILE")
        }
        Some(advice) => advice,
        None => format!("fix the URL of {named_by}"),
    }
}

async fn opened(context: &DoctorContext) -> Result<(CliApp, u64), Failure> {
    let app = CliApp::open_existing(context.data_dir.clone()).await?;
    let connections = app.store.list_connections().await?.len();
    Ok((app, u64::try_from(connections).unwrap_or(u64::MAX)))
}

/// What helps when a store does not open.
pub fn remedy(failure: &Failure, store: &DataDir) -> String {
    let verify = store.advice("verify");
    let words = match (failure.code, store.address()) {
        (STORE_DAMAGED, _) => {
            return format!("check the damage with {verify}, then restore a backup");
        }
        ("store_too_new", _) => "it was written by a newer version; update this program",
        ("store_unfinished", _) => "wait until the restore or move is done, or run it again",
        ("store_being_filled", _) => "wait until the restore or move is done",
        (_, Some(address)) => return database_remedy(failure, store, &address.told_by()),
        ("not_a_store", None) => {
            "move that file away and restore a backup, or import the data again"
        }
        ("storage_full", None) => "free some space on its disk",
        _ => "check that the file and its directory belong to the user who runs pdpp",
    };
    words.to_owned()
}

/// The same for one in a database, by how that was named.
fn database_remedy(failure: &Failure, store: &DataDir, named_by: &str) -> String {
    let words = match failure.code {
        "not_a_store" => {
            return format!("use an empty database instead of {named_by}");
        }
        "usage" => return format!("fix the URL of {named_by}"),
        "storage_full" => "free some space on the disk of its server",
        "store_refused" => {
            return format!("check user and password in {named_by}");
        }
        "store_unfit" => {
            return failure.remedy(store).unwrap_or_else(|| "use another database".to_owned());
        }
        "store_not_allowed" => "make its user the owner of the tables",
        _ => {
            return format!(
                "check that Postgres is running, and that {named_by} has the right server, user, password and \
                 database: try psql with the same URL"
            );
        }
    };
    words.to_owned()
}

#[cfg(test)]
pub mod tests {
    use std::path::Path;

    use pdpp_contract::NextStep;
    use pdpp_store::StoreError;

    use super::*;
    use crate::data_dir::database_address::{DatabaseAddress, NamedBy};
    use crate::setup::ClientPaths;

    #[test]
    fn only_a_database_that_does_not_answer_is_looked_for() {
        let address = DatabaseAddress::from_url("postgres://h/x", NamedBy::Option).unwrap();
        let store = DataDir::new("d".into()).with_database(Some(address));
        for (error, words) in [
            (StoreError::BadUrl("invalid port".into()), "fix the URL of --database-url"),
            (StoreError::Full, "free some space on the disk of its server"),
            (StoreError::Unavailable("refused".into()), "check that Postgres is running"),
            (StoreError::NotLetIn("wrong".into()), "check user and password in --database-url"),
            (StoreError::Unfit { what: "it is old", advice: "use a newer one" }, "use a newer one"),
        ] {
            let said = remedy(&Failure::from(error), &store);
            assert!(said.starts_with(words), "{said}");
        }
    }

    /// What becomes of a failure beside its message: numbers, codes, what to do, and findings.
    fn consequences(failure: &Failure, context: &DoctorContext) -> String {
        let mut findings = Findings::default();
        tell(failure, context, &mut findings);
        findings.failed("other", failure, &context.data_dir);
        let found = findings.iter().map(|found| (found.check, found.state, found.remedy.clone()));
        format!(
            "{:?} {} {:?} {:?} {:?}",
            failure.exit,
            failure.code,
            failure.clone().located(&context.data_dir).next,
            found.collect::<Vec<_>>(),
            findings.exit()
        )
    }

    #[test]
    fn rewording_a_message_changes_nothing_else() {
        let mut file = context(Path::new("d"));
        file.data_dir = file.data_dir.named();
        let address = DatabaseAddress::from_url("postgres://h/x", NamedBy::Option).unwrap();
        let mut database = context(Path::new("d"));
        database.data_dir = database.data_dir.with_database(Some(address));
        let failures = crate::failure::tests::every_failure();
        assert!(failures.len() > 80, "{}", failures.len());
        for failure in failures {
            for context in [&file, &database] {
                let other = "a pdpp grant list of 'other' words; run pdpp verify, see `pdpp x`";
                let reworded = Failure { message: other.to_owned(), ..failure.clone() };
                let (before, after) =
                    (consequences(&failure, context), consequences(&reworded, context));
                assert_eq!(before, after, "{}", failure.message);
                assert!(reworded.sentence().starts_with(other));
                // A command that a failure names works on the same store.
                if let Some(NextStep::See(_) | NextStep::Run { .. }) = failure.next {
                    let said = reworded.clone().located(&file.data_dir).sentence();
                    assert!(said.contains(" --data-dir d"), "{said}");
                }
            }
        }
    }

    /// A machine with nothing on it but this data directory.
    pub fn context(data_dir: &Path) -> DoctorContext {
        DoctorContext {
            data_dir: DataDir::new(data_dir.to_owned()),
            cache_root: data_dir.join("providers"),
            places: ClientPaths::default(),
            variables: Vec::new(),
            now: "2026-11-01T00:00:00Z".parse().unwrap(),
            listen: "127.0.0.1:0".parse().unwrap(),
            address: None,
        }
    }
}
