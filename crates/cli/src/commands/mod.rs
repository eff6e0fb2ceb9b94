//! The commands, one file each, and the door they all go through.

pub mod account;
pub mod audit;
pub mod bench;
pub mod connect;
pub mod connection;
pub mod data;
pub mod demo;
pub mod doctor;
pub mod grant;
pub mod health;
pub mod import;
pub mod maintenance;
pub mod mcp;
pub mod owner;
pub mod serve;
pub mod setup;
pub mod shell;

use self::data::{export, search, show};
use self::maintenance::{backup, compact, history, migrate_store, restore, verify};
use self::shell::{completions, man};
use crate::app::CliApp;
use crate::cli::{Cli, Command, GlobalOptions};
use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Runs the command of `cli` to its end.
pub fn run(cli: Cli, environment: &Environment, output: &Output) -> Result<Exit, Failure> {
    match cli.command {
        // These describe the program and need no store.
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        // Before there are threads: it gives up what it does not need.
        Command::ReadText(args) => import::read_text::run(&args),
        // These two are told everything by arguments of their own.
        Command::Health(args) => run_to_end(health::run(&args, output)),
        Command::MigrateStore(args) => run_to_end(migrate_store::run(&args, output)),
        command => {
            let data_dir = data_dir(&command, cli.global, environment)?;
            let told = data_dir.clone();
            run_there(command, environment, data_dir, output)
                .map_err(|failure| failure.located(&told))
        }
    }
}

/// Where the command works, as its options and the environment say.
fn data_dir(
    command: &Command,
    global: GlobalOptions,
    environment: &Environment,
) -> Result<DataDir, Failure> {
    let GlobalOptions { data_dir, database_url, database_url_file, json: _ } = global;
    // A client's entry names everything; what its environment says was meant for somebody else.
    let is_told_all = matches!(command, Command::Mcp(_)) && data_dir.is_some();
    let names_database = database_url.is_some() || database_url_file.is_some();
    let directory = environment.directory(data_dir)?;
    if is_told_all && !names_database {
        return Ok(directory);
    }
    let database = environment.database_if_needed(database_url, database_url_file);
    Ok(directory.with_database(database))
}

fn run_there(
    command: Command,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        // An agent's client waits for this one: it brings its own small runtime and opens the store late.
        Command::Mcp(args) => mcp::run(args, environment, data_dir),
        // Speaks to a server; no store is opened.
        Command::Connect(args) => run_to_end(connect::run(args, environment, &data_dir, output)),
        // An address that cannot be read is what it is there to find.
        Command::Doctor(args) => run_to_end(doctor::run(args, environment, data_dir, output)),
        // These two open a store only when they have something to ask of it.
        Command::Setup(args) => run_to_end(setup::run(args, environment, data_dir, output)),
        Command::Restore(args) => run_to_end(restore::run(args, data_dir, output)),
        command => {
            data_dir.check_database()?;
            run_to_end(run_on_store(command, environment, data_dir, output))
        }
    }
}

fn run_to_end(running: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    block_on(tokio::runtime::Builder::new_multi_thread(), running)
}

/// Runs a command to its end on a runtime of its own.
fn block_on<T>(
    mut runtime: tokio::runtime::Builder,
    running: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let runtime = runtime.enable_all().build().map_err(|error| {
        Failure::new(Exit::Other, "runtime", format!("cannot start the runtime: {error}"))
    })?;
    let done = runtime.block_on(running);
    // A thread that still waits for standard input must not keep a failed command alive.
    runtime.shutdown_background();
    done
}

async fn run_on_store(
    command: Command,
    environment: &Environment,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        Command::Demo(args) => demo::run(args, data_dir, output).await,
        Command::Serve(args) => serve::run(args, environment, data_dir, output).await,
        Command::Import(args) => import::run(args, data_dir, output).await,
        // Only what puts something into a store makes one; a wrong --data-dir must not look empty.
        Command::Connection(args) => {
            connection::run(args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Search(args) => {
            search::run(args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Show(args) => {
            show::run(args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Export(args) => {
            export::run(args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Grant(args) => {
            let app = CliApp::open_existing(data_dir).await?;
            grant::run(args, environment.places(), &app, output).await
        }
        Command::Account(args) => account::run(args, environment, data_dir, output).await,
        Command::Owner(args) => owner::run(args, environment, data_dir, output).await,
        Command::Audit(args) => {
            args.check()?;
            audit::run(args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Verify(args) => verify::run(data_dir, &args, output).await,
        Command::History(args) => {
            history::run(args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Compact(args) => {
            compact::run(&args, &CliApp::open_existing(data_dir).await?, output).await
        }
        Command::Backup(args) => backup::run(args, data_dir, output).await,
        Command::Bench(args) => bench::run(args, &data_dir, output).await,
        Command::BenchChild(args) => bench::run_child(args, &data_dir, output).await,
        // Answered before a store was opened.
        Command::Completions(_)
        | Command::Man(_)
        | Command::Mcp(_)
        | Command::Connect(_)
        | Command::Doctor(_)
        | Command::Setup(_)
        | Command::Restore(_)
        | Command::MigrateStore(_)
        | Command::ReadText(_)
        | Command::Health(_) => Ok(Exit::Done),
    }
}
