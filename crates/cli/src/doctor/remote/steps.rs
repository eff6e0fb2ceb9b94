//! The steps of a visit and how each of them ended.

use pdpp_mcp::remote::{Web, WebAnswer, WebFault};

use super::address::ServerAddress;
use crate::doctor::Findings;

/// One thing that clients do on their way to the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerStep {
    /// The name resolves, somebody takes the connection, TLS works.
    Reach,
    /// The server says that it works.
    Health,
    /// What the server reads from answers; looked at only when it does not.
    Store,
    /// `/mcp` without a token is refused with the way to sign in.
    Challenge,
    /// The document about `/mcp`, at its own address.
    Resource,
    /// The same document at the root, where some clients look first.
    ResourceAtRoot,
    /// The document about signing in.
    Server,
    /// What `OpenID` clients ask for is answered with a document or not at all.
    OpenId,
    /// Browsers may ask from other pages.
    Preflight,
    /// Strangers may introduce themselves, or be known by a document.
    Register,
    /// The owner is led to the login page.
    SignIn,
}

impl ServerStep {
    /// What people call it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Reach => "reaching the server",
            Self::Health => "the health check",
            Self::Store => "the store of the server",
            Self::Challenge => "the first call to /mcp",
            Self::Resource => "the /mcp metadata",
            Self::ResourceAtRoot => "the /mcp metadata at the root",
            Self::Server => "the sign-in metadata",
            Self::OpenId => "the OpenID metadata",
            Self::Preflight => "the CORS preflight",
            Self::Register => "registration",
            Self::SignIn => "the login page",
        }
    }
}

/// What was done so far at one address.
pub struct ServerVisit {
    pub address: ServerAddress,
    pub web: Web,
    taken: Vec<(ServerStep, bool)>,
}

impl ServerVisit {
    pub fn new(address: ServerAddress) -> Self {
        Self { address, web: Web, taken: Vec::new() }
    }

    /// The step worked.
    pub fn good(
        &mut self,
        step: ServerStep,
        check: &'static str,
        what: &str,
        findings: &mut Findings,
    ) {
        self.taken.push((step, true));
        findings.good(check, what);
    }

    /// The step did not; why, and how to mend it.
    pub fn fault(
        &mut self,
        step: ServerStep,
        check: &'static str,
        what: String,
        remedy: String,
        findings: &mut Findings,
    ) {
        self.taken.push((step, false));
        findings.fault(check, what, remedy);
    }

    /// The step did not work, and that was said where it comes from.
    pub fn stop(&mut self, step: ServerStep) {
        self.taken.push((step, false));
    }

    /// The step worked, and nobody needs to hear of it.
    pub fn pass(&mut self, step: ServerStep) {
        self.taken.push((step, true));
    }

    /// Whether a step was taken and worked.
    pub fn works(&self, step: ServerStep) -> bool {
        let mut outcomes = self.taken.iter().filter(|(taken, _)| *taken == step).peekable();
        outcomes.peek().is_some() && outcomes.all(|(_, worked)| *worked)
    }

    /// Whether a step was taken and did not work.
    pub fn failed(&self, step: ServerStep) -> bool {
        self.taken.contains(&(step, false))
    }

    /// Asks for a document.
    pub async fn get(&self, path: &str) -> Result<WebAnswer, WebFault> {
        self.web.get(&self.address.at(path), None).await
    }
}

/// What a status means to somebody who expected another one.
pub fn status_words(status: u16) -> String {
    let meaning = match status {
        301 | 302 | 303 | 307 | 308 => ": a redirect, which clients do not follow",
        403 => ": refused by something in front of the server",
        404 => ": not found",
        405 => ": the method is not forwarded",
        421 => ": the server does not serve this host name",
        429 => ": too many requests",
        502..=504 => ": the proxy cannot reach pdpp",
        _ => "",
    };
    format!("{status}{meaning}")
}
