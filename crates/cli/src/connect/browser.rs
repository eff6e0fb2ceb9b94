//! Opening an address in the person's browser.

use std::process::{Command, Stdio};

/// What is known about browsers on this machine.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    /// The program that the person chose, with `BROWSER`.
    pub program: Option<String>,
    /// There is a screen to show one on.
    pub has_screen: bool,
}

impl Browser {
    /// Whether a page could be shown at all.
    pub fn can_show(&self) -> bool {
        self.program.is_some() || self.has_screen
    }

    /// Tries to open the address. The address is also printed, so a failure costs nothing.
    pub fn open(&self, url: &str) {
        let usual = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut command = match (&self.program, cfg!(windows)) {
            (Some(program), _) => Command::new(program),
            (None, true) => {
                let mut command = Command::new("rundll32");
                command.arg("url.dll,FileProtocolHandler");
                command
            }
            (None, false) => Command::new(usual),
        };
        let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null());
        // Whoever has no browser reads the address.
        let _ = quiet.stderr(Stdio::null()).spawn();
    }
}
