//! The commands, one file each, and the door they all go through.

pub mod audit;
pub mod backup;
pub mod bench;
pub mod completions;
pub mod connect;
pub mod connection;
pub mod demo;
pub mod doctor;
pub mod grant;
pub mod health;
pub mod history;
pub mod import;
pub mod man;
pub mod mcp;
pub mod migrate_store;
pub mod owner;
pub mod restore;
pub mod serve;
pub mod setup;
pub mod verify;

use crate::app::App;
use crate::cli::{Cli, Command};
use crate::config::Environment;
use crate::data_dir::DataDir;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Runs the command of `cli` to its end.
pub fn run(cli: Cli, environment: &Environment, output: &Output) -> Result<Exit, Failure> {
    // These two describe the program and need no store.
    match &cli.command {
        Command::Completions(args) => return completions::run(args),
        Command::Man(args) => return man::run(args),
        _ => {}
    }
    let global = cli.global;
    let directory = environment.directory(global.data_dir)?;
    let database = environment.database(global.database_url, global.database_url_file);
    // An agent's client waits for this one: it brings its own small runtime and opens the store late.
    if let Command::Mcp(args) = cli.command {
        if database.is_err() {
            // The address goes with the grant; that it was revoked says more.
            args.check_credential(&directory)?;
        }
        return mcp::run(args, environment, directory.with_database(database?));
    }
    let data_dir = directory.with_database(database?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(Exit::Other, "runtime", format!("cannot start working threads: {error}"))
    })?;
    let told = data_dir.clone();
    let done = match cli.command {
        // These two speak to a server; no store is opened.
        Command::Connect(args) => {
            runtime.block_on(connect::run(args, environment, data_dir, output))
        }
        // Opens a store only when it has something to ask of it.
        Command::Setup(args) => runtime.block_on(setup::run(args, environment, data_dir, output)),
        Command::Doctor(args) => runtime.block_on(doctor::run(args, environment, data_dir, output)),
        Command::Health(args) => runtime.block_on(health::run(&args, output)),
        command => runtime.block_on(run_on_store(command, data_dir, output)),
    };
    // A thread that still waits for standard input must not keep a failed command alive.
    runtime.shutdown_background();
    done.map_err(|failure| {
        let message = told.complete(&failure.message);
        Failure { message, ..failure }
    })
}

async fn run_on_store(
    command: Command,
    data_dir: DataDir,
    output: &Output,
) -> Result<Exit, Failure> {
    match command {
        Command::Demo(args) => demo::run(args, data_dir, output).await,
        Command::Serve(args) => serve::run(args, data_dir, output).await,
        Command::Import(args) => import::run(args, data_dir, output).await,
        // Only what puts something into a store makes one; a wrong --data-dir must not look empty.
        Command::Connection(args) => {
            connection::run(args, &App::open_existing(data_dir).await?, output).await
        }
        Command::Grant(args) => {
            grant::run(args, &App::open_existing(data_dir).await?, output).await
        }
        Command::Owner(args) => owner::run(args, data_dir, output).await,
        Command::Audit(args) => {
            args.check()?;
            audit::run(args, &App::open_existing(data_dir).await?, output).await
        }
        Command::Verify(args) => verify::run(data_dir, &args, output).await,
        Command::History(args) => {
            history::run(args, &App::open_existing(data_dir).await?, output).await
        }
        Command::Backup(args) => backup::run(args, data_dir, output).await,
        Command::Restore(args) => restore::run(args, data_dir, output).await,
        Command::MigrateStore(args) => migrate_store::run(&args, output).await,
        Command::Bench(args) => bench::run(args, &data_dir, output).await,
        Command::BenchChild(args) => bench::run_child(args, data_dir, output).await,
        // Answered before a store was opened.
        Command::Completions(_)
        | Command::Man(_)
        | Command::Mcp(_)
        | Command::Connect(_)
        | Command::Setup(_)
        | Command::Doctor(_)
        | Command::Health(_) => Ok(Exit::Done),
    }
}
