//! `pdpp setup`: lets a client on this machine start our server.

mod address;
mod credential;
mod leftover;
mod listing;
mod removing;
mod writing;

use std::path::PathBuf;

use clap::Args;
use pdpp_contract::ClientName;
use pdpp_mcp::remote::ProviderUrl;
use serde_json::json;

use crate::cli::CACHE_HELP;
use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::{Output, note, quoted};
use crate::setup::{
    BrokenSettings, ClientPaths, ConfigFile, Entry, EntryName, KnownClient, LaunchSpec, program,
    snippet,
};

const PROVIDER_HELP: &str = "Read from this PDPP server instead of the store on this machine; sign in first with `pdpp connect`";

/// Set up a client on this machine
///
/// Adds pdpp to the settings of the client: shows the change, keeps a copy of the file, and leaves
/// everything else in it as it is. Without CLIENT it lists the clients on this machine.
#[derive(Debug, Args)]
pub struct SetupArgs {
    /// The client to set up
    #[arg(value_enum)]
    client: Option<KnownClient>,
    /// Print the entry for its settings and change nothing
    #[arg(long, requires = "client", conflicts_with_all = ["remove", "dry_run"])]
    print: bool,
    /// Remove pdpp from its settings
    #[arg(long, requires = "client")]
    remove: bool,
    /// Show the change without making it
    #[arg(long, requires = "client")]
    dry_run: bool,
    /// The agent whose access to use: the name given to `pdpp grant create --client` [default: CLIENT]
    #[arg(long = "client", value_name = "NAME", id = "grant_of", conflicts_with = "provider_url")]
    grant_of: Option<ClientName>,
    #[arg(long, value_name = "URL", help = PROVIDER_HELP)]
    provider_url: Option<String>,
    #[arg(long, value_name = "DIR", help = CACHE_HELP)]
    cache_root: Option<PathBuf>,
    /// Name of the entry in the settings
    #[arg(long, value_name = "NAME", default_value = "pdpp")]
    name: EntryName,
}

/// What one run is about.
struct Plan<'a> {
    client: KnownClient,
    launch: LaunchSpec,
    store: &'a DataDir,
    name: &'a EntryName,
    places: &'a ClientPaths,
    dry_run: bool,
}

impl Plan<'_> {
    fn entry(&self) -> Result<Entry, Failure> {
        self.launch.entry(self.name, &program(self.places)?)
    }

    /// This setup once more, as it is advised.
    fn command(&self) -> String {
        let own = self.client.name();
        let mut line = format!("setup {own}");
        let mut add = |option: &str, value: &str| {
            line.push_str(&format!(" {option} {}", quoted(value)));
        };
        if !self.name.is_default() {
            add("--name", self.name.as_str());
        }
        match &self.launch {
            LaunchSpec::Local { client, .. } if client.as_str() != own => {
                add("--client", client.as_str());
            }
            LaunchSpec::Local { .. } => {}
            LaunchSpec::Provider { url, .. } => add("--provider-url", url.as_str()),
        }
        line
    }

    fn file(&self) -> Result<ConfigFile, Failure> {
        let path = self.places.config_file(self.client).ok_or_else(|| {
            Failure::usage("cannot find your settings; set HOME to your home directory")
        })?;
        ConfigFile::read(path)
    }
}

/// Sets a client up, takes it back, or says what there is.
pub async fn run(
    args: SetupArgs,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    let places = environment.places();
    let Some(client) = args.client else {
        return listing::run(&args.name, places, &data_dir, output);
    };
    if !args.remove && args.provider_url.is_none() {
        data_dir.check_database()?;
    }
    let launch = launch(&args, client, environment, &data_dir)?;
    let plan =
        Plan { client, launch, store: &data_dir, name: &args.name, places, dry_run: args.dry_run };
    if args.print {
        return print(&plan, output);
    }
    if args.remove {
        return removing::run(&plan, output);
    }
    writing::run(&plan, output).await
}

fn launch(
    args: &SetupArgs,
    client: KnownClient,
    environment: &Environment,
    data_dir: &DataDir,
) -> Result<LaunchSpec, Failure> {
    let Some(url) = &args.provider_url else {
        let own = || ClientName::new(client.name());
        let client = args.grant_of.clone().map_or_else(own, Ok)?;
        let address = address::file_for(&client, data_dir);
        return Ok(LaunchSpec::Local { client, data_dir: data_dir.path().to_owned(), address });
    };
    let url: ProviderUrl = url.parse()?;
    let cache_root = environment.cache_root(args.cache_root.clone(), data_dir);
    Ok(LaunchSpec::Provider { url, cache_root })
}

/// The entry on standard output, ready to be pasted; where it belongs is said beside it.
fn print(plan: &Plan<'_>, output: &Output) -> Result<Exit, Failure> {
    let entry = plan.entry()?;
    let file = plan.file()?;
    let text = snippet(plan.client, &entry).map_err(|fault| refused(plan, &file, &fault))?;
    let line: Vec<&str> = entry.line().collect();
    let document = json!({
        "client": plan.client.name(),
        "name": entry.name,
        "file": file.path(),
        "format": plan.client.format().name(),
        "command": line,
        "snippet": text,
        "address_file": address::missing(plan),
    });
    if !output.is_json() {
        note(&format!("Add this to {}:", file.path().display()));
        if let Some(path) = address::missing(plan) {
            let path = path.display();
            note(&format!("First write the database URL to {path}, readable only by you."));
        }
    }
    output.answer(&document, || text.clone())?;
    Ok(Exit::Done)
}

/// Why a client's settings are left as they are.
fn refused(plan: &Plan<'_>, file: &ConfigFile, fault: &BrokenSettings) -> Failure {
    let (path, title, name) = (file.path().display(), plan.client.title(), plan.name.as_str());
    let broken = |what: &str| {
        let message = format!("cannot parse {path} ({what}); it was not changed, fix it first");
        Failure::new(Exit::Data, "config_broken", message)
    };
    match fault {
        BrokenSettings::Syntax(what) | BrokenSettings::Shape(what) => broken(what),
        BrokenSettings::NotOurs => {
            let message = format!(
                "{title} already has another server named {name} in {path}; choose a name with --name"
            );
            Failure::new(Exit::Other, "name_taken", message)
        }
    }
}
