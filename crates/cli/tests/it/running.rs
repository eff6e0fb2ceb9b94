//! A server under test: started on a free port, stopped when the test is over.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::http::{self, Reply};
use crate::program::Home;

/// A running `pdpp serve` or `pdpp demo`.
pub struct Running {
    child: Child,
    /// What it said when it was ready.
    pub ready: Value,
}

impl Running {
    /// Starts `pdpp serve` on a free port and waits until it is ready.
    pub fn serve(home: &Home) -> Self {
        Self::start(home, &["serve", "--json", "--listen", "127.0.0.1:0"])
    }

    /// Starts the program and waits for the line that says where it is.
    pub fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut command = home.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let Ok(ready) = serde_json::from_str(&line) else {
            let _ = child.kill();
            panic!("not ready: {line:?}, {:?}", child.wait());
        };
        Self { child, ready }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Reads a path of the server with a token.
    pub fn get(&self, path: &str, token: &str) -> Reply {
        let base = self.ready["base_url"].as_str().unwrap();
        http::get(&format!("{base}{path}"), Some(token))
    }

    /// Asks the server to stop as a service manager would; answers its exit code.
    #[cfg(unix)]
    pub fn terminate(mut self) -> Option<i32> {
        let told = std::process::Command::new("sh")
            .args(["-c", &format!("kill -TERM {}", self.child.id())])
            .status();
        assert!(told.unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
