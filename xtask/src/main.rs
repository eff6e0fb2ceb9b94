//! `cargo xtask`: the house rules and the test runs, as one small program.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool: what it prints is what it is for"
)]

mod breaks;
mod browser;
mod check;
mod clients;
mod corpora;
mod deny;
mod heavy;
mod needs;
mod package;
mod run;
mod scratch;
mod test;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  check                 format, lints, tidy, dependency rules, docs; nothing is run
  test [--without X]…   every test; brings what the tests need (X: postgres, dovecot, browser, clients)
  heavy                 the long runs: full-size tests and the benchmark, in release
  breaks [WORD]…        leaves out each guard of a grant in turn and sees a test fail for it
                        (--after DESCRIPTION goes on behind that entry)
  tidy                  the house rules alone
  deny                  licences, sources and walls between third-party crates
  package [KIND]…       packages from this tree (KIND: archive, deb, mcpb; --program FILE packs one that is built)
  release [--home URL]  all packages with bill of materials, registry entry and checksums, in target/dist";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<()> {
    // Every path below is written from the root of the repository, wherever the caller stands.
    std::env::set_current_dir(run::root()?)?;
    let Some((command, rest)) = arguments.split_first() else {
        bail!("no command given\n\n{USAGE}");
    };
    match (command.as_str(), rest) {
        ("test", rest) => test::test(rest),
        ("check", []) => check::check(),
        ("heavy", []) => heavy::heavy(),
        ("breaks", rest) => breaks::breaks(rest),
        ("tidy", []) => tidy::tidy(),
        ("deny", []) => deny::deny(),
        ("package", rest) => package::package(rest),
        ("release", rest) => package::release(rest),
        ("help" | "--help" | "-h", _) => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("cannot do `{}`\n\n{USAGE}", arguments.join(" ")),
    }
}
