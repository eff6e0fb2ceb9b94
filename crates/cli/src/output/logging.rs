//! Log lines: to standard error, filtered by `PDPP_LOG`, warnings and worse unless told otherwise.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// Shows log lines from here on.
pub fn start(filter: Option<&str>, no_colour: bool) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(filter.unwrap_or("warn")).map_err(|_| {
        Failure::usage("PDPP_LOG is not a valid log filter; use for example PDPP_LOG=info")
    })?;
    // The protocol library logs whole messages and errors, which hold people's data.
    let quiet = "rmcp=off".parse().map_err(|_| Failure::usage("PDPP_LOG cannot be used"))?;
    let filter = filter.add_directive(quiet);
    let started = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(!no_colour && std::io::stderr().is_terminal())
        // A log line that cannot be written is lost; it must not stop the server.
        .log_internal_errors(false)
        .try_init();
    // Somebody who started logging before us has the lines.
    drop(started);
    Ok(())
}
