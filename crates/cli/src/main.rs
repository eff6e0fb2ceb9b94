//! The `pdpp` program: reads the command line, runs one command, answers with an exit code.

mod agents;
mod app;
mod cli;
mod commands;
mod config;
mod connect;
mod data_dir;
mod demo_data;
mod doctor;
mod failure;
mod output;
mod platform;
mod server;
mod setup;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use cli::Cli;
use config::Environment;
use failure::{Exit, Failure};
use output::Output;

fn main() -> ExitCode {
    let environment = Environment::read();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let output = Output::new(asks_for_json(&arguments), environment.no_colour);
    let wants_stack = environment.wants_stack;
    failure::panics::guarded(output, wants_stack, || answer(&environment, &arguments)).into()
}

fn answer(environment: &Environment, arguments: &[OsString]) -> Exit {
    // Before anything else, also before the line makes sense: an owner's credential near an agent.
    if let Err(failure) = agents::check_start(arguments, config::variables()) {
        Output::new(asks_for_json(arguments), environment.no_colour).failure(&failure);
        return failure.exit;
    }
    match Cli::try_parse_from(arguments) {
        Ok(cli) => run(cli, environment),
        Err(mut refusal) => {
            cli::unknown_command::name_known(&mut refusal, arguments);
            refuse(&refusal, arguments)
        }
    }
}

fn run(cli: Cli, environment: &Environment) -> Exit {
    let output = Output::new(cli.global.json, environment.no_colour);
    let done = output::logging::start(environment.log_filter.as_deref(), environment.no_colour)
        .and_then(|()| commands::run(cli, environment, &output));
    done.unwrap_or_else(|failure| {
        output.failure(&failure);
        failure.exit
    })
}

/// Answers a command line that is none: help and version are answers, the rest is wrong usage.
fn refuse(refusal: &clap::Error, arguments: &[OsString]) -> Exit {
    let asked_for = matches!(refusal.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asks_for_json(arguments) && !asked_for {
        let words = refusal.render().to_string();
        let message = words.trim().trim_start_matches("error: ");
        Output::new(true, true).failure(&Failure::usage(message));
    } else {
        // Nobody may be there to read it.
        let _ = refusal.print();
    }
    if asked_for { Exit::Done } else { Exit::Usage }
}

/// Whether a line that nobody has parsed asks for JSON.
fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}
