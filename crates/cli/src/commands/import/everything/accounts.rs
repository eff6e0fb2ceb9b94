//! Which account each export goes to: one for each source.

use std::collections::BTreeMap;

use pdpp_contract::ConnectionName;
use pdpp_contract::ids::DisplayName;
use pdpp_import::survey::FoundExport;
use pdpp_store::connections::ConnectionRef;

use crate::app::CliApp;
use crate::commands::import::redeclaring;
use crate::failure::Failure;

/// An account of the plan.
pub struct PlannedAccount {
    /// Its short name.
    pub name: ConnectionName,
    /// What people call it.
    pub label: String,
    /// The label it gets; none leaves the one it has.
    pub display_name: Option<DisplayName>,
    /// Whether the import makes it.
    pub is_new: bool,
    /// What goes into it.
    pub exports: Vec<FoundExport>,
}

/// Gives every source its account.
pub async fn plan(
    exports: Vec<FoundExport>,
    (prefix, display_name): (Option<&ConnectionName>, Option<&DisplayName>),
    app: &CliApp,
) -> Result<Vec<PlannedAccount>, Failure> {
    let mut sources: BTreeMap<String, (String, Vec<FoundExport>)> = BTreeMap::new();
    for found in exports {
        let (key, label) = found.format.source();
        sources.entry(key).or_insert_with(|| (label, Vec::new())).1.push(found);
    }
    let is_single = sources.len() == 1;
    let mut accounts = Vec::new();
    for (key, (source, exports)) in sources {
        let (name, is_new) = name(&key, prefix, is_single, app).await?;
        let label = match display_name {
            Some(label) if is_single => label.to_string(),
            Some(label) => format!("{label} {source}"),
            None => source,
        };
        let display_name =
            if is_new || display_name.is_some() { DisplayName::new(&label).ok() } else { None };
        accounts.push(PlannedAccount { name, label, display_name, is_new, exports });
    }
    Ok(accounts)
}

/// The account of a source: the one that earlier imports with these names made, or a new one.
async fn name(
    key: &str,
    prefix: Option<&ConnectionName>,
    is_single: bool,
    app: &CliApp,
) -> Result<(ConnectionName, bool), Failure> {
    let own = match prefix {
        Some(prefix) => format!("{prefix}-{key}"),
        None => key.to_owned(),
    };
    // What one import put under the name alone goes on there when the next one finds more sources.
    let alone = prefix.map(ToString::to_string);
    let candidates: Vec<String> =
        [Some(own.clone()), alone.clone()].into_iter().flatten().collect();
    for candidate in &candidates {
        if let Ok(name) = ConnectionName::new(candidate)
            && holds(&name, app).await?.as_deref() == Some(key)
        {
            return Ok((name, false));
        }
    }
    let wanted = if is_single { alone.unwrap_or(own) } else { own };
    let mut number = 1;
    loop {
        let tried = if number == 1 { wanted.clone() } else { format!("{wanted}-{number}") };
        let name =
            ConnectionName::new(&tried).map_err(|error| Failure::usage(error.to_string()))?;
        match holds(&name, app).await? {
            None => return Ok((name, true)),
            Some(held) if held == key => return Ok((name, false)),
            // A name that was given is meant.
            Some(_) if is_single && prefix.is_some() => return Ok((name, false)),
            Some(_) => number += 1,
        }
    }
}

/// The connector key of an account; `None` when there is no such account.
async fn holds(name: &ConnectionName, app: &CliApp) -> Result<Option<String>, Failure> {
    if app.store.find_connection(&ConnectionRef::Name(name.clone())).await?.is_none() {
        return Ok(None);
    }
    let declared = redeclaring::declared(app, name).await?;
    Ok(Some(declared.map_or_else(String::new, |source| source.connector_key().to_string())))
}
