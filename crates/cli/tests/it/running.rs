//! A server under test: started on a free port, stopped when the test is over. A store in Postgres
//! gets two of them, and requests go to them in turn.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::front::Front;
use crate::http::{self, Reply};
use crate::program::Home;

/// A running `pdpp serve` or `pdpp demo`, or two behind one address.
pub struct Running {
    children: Vec<Child>,
    front: Option<Front>,
    /// What it said when it was ready.
    pub ready: Value,
}

impl Running {
    /// Starts `pdpp serve` on a free port and waits until it is ready.
    pub fn serve(home: &Home) -> Self {
        if home.database_url().is_some() { Self::in_turn(home, &[]) } else { Self::alone(home) }
    }

    /// The same, and never more than one.
    pub fn alone(home: &Home) -> Self {
        Self::start(home, &["serve", "--json", "--listen", "127.0.0.1:0"])
    }

    /// Two servers behind one address.
    pub fn in_turn(home: &Home, more: &[&str]) -> Self {
        let front = Front::open();
        let (mut children, mut ready) = (Vec::new(), Value::Null);
        for _ in 0..2 {
            // The line that says when it is ready names the public address, so the port is chosen here.
            let address = free_address();
            let (listen, public) = (address.to_string(), front.url());
            let own = ["serve", "--json", "--listen", &listen, "--public-url", &public];
            let line = [&own[..], &["--trusted-proxy", "127.0.0.1"], more].concat();
            let mut one = Self::start(home, &line);
            front.add(address);
            children.append(&mut one.children);
            ready = one.ready.clone();
        }
        Self { children, front: Some(front), ready }
    }

    /// Starts `pdpp demo`; in Postgres two servers over its store.
    pub fn demo(home: &Home) -> Self {
        let demo = Self::start(home, &["demo", "--json", "--listen", "127.0.0.1:0"]);
        let Some(url) = home.demo_url() else { return demo };
        let mut servers = Self::in_turn(home, &["--database-url", &url]);
        servers.ready["access_token"] = demo.ready["access_token"].clone();
        servers
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
        Self { children: vec![child], front: None, ready }
    }

    pub fn pid(&self) -> u32 {
        self.children[0].id()
    }

    pub fn base_url(&self) -> &str {
        self.ready["base_url"].as_str().unwrap()
    }

    /// From now on every request goes to one of the two; `None`: in turn again.
    pub fn only(&self, server: Option<usize>) {
        self.front.as_ref().expect("there are two").only(server);
    }

    /// Kills one of the servers at once, as the system does when there is no memory left.
    #[cfg(unix)]
    pub fn kill_nine(&self, server: usize) {
        let pid = self.children[server].id();
        let killed =
            std::process::Command::new("sh").args(["-c", &format!("kill -KILL {pid}")]).status();
        assert!(killed.unwrap().success());
    }

    /// Reads a path of the server with a token.
    pub fn get(&self, path: &str, token: &str) -> Reply {
        http::get(&format!("{}{path}", self.base_url()), Some(token))
    }

    /// Asks the server to stop as a service manager would; answers its exit code.
    #[cfg(unix)]
    pub fn terminate(mut self) -> Option<i32> {
        let mut code = Some(0);
        for child in &mut self.children {
            let told = std::process::Command::new("sh")
                .args(["-c", &format!("kill -TERM {}", child.id())])
                .status();
            assert!(told.unwrap().success());
            let ended = child.wait().unwrap().code();
            code = if code == Some(0) { ended } else { code };
        }
        code
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// An address that nobody uses now.
fn free_address() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
