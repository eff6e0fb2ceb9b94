//! The listener: the running server answers where it said; without one, its port is free.

use std::net::{SocketAddr, TcpListener};

use pdpp_mcp::remote::Web;

use super::remote::ServerAddress;
use super::{DoctorContext, Findings};
use crate::data_dir::serve_lock::Holder;

const CHECK: &str = "listener";

/// The address of the server that runs on this store.
pub async fn check(
    context: &DoctorContext,
    running: Option<&Holder>,
    findings: &mut Findings,
) -> Option<ServerAddress> {
    let Some(holder) = running else {
        check_free(context, findings).await;
        return None;
    };
    let listens_on = holder.listens_on?;
    if answers(listens_on).await {
        findings.good(CHECK, format!("the server answers on {listens_on}"));
    } else {
        let pid = holder.pid.map_or_else(|| "its process".to_owned(), |pid| format!("kill {pid}"));
        let what = format!("the server does not answer on {listens_on}");
        findings.fault(CHECK, what, format!("stop it ({pid}) and start pdpp serve again"));
    }
    holder.base_url.as_deref().and_then(|url| url.parse().ok())
}

async fn check_free(context: &DoctorContext, findings: &mut Findings) {
    let listen = context.listen;
    let Err(error) = TcpListener::bind(listen) else {
        let serve = match context.data_dir.check_database() {
            Ok(()) => context.data_dir.advice("serve"),
            Err(_) => "fix the store first, see above; then run: pdpp serve".to_owned(),
        };
        // Servers on Postgres hold no lock: there may be one at another address, or elsewhere.
        let what = match context.data_dir.address() {
            Some(_) => {
                format!("nothing listens on {listen}; to check another server, pass its URL")
            }
            None => format!("no server is running; {listen} is free"),
        };
        findings.note(CHECK, what, serve);
        return;
    };
    let elsewhere = "use another address: pdpp serve --listen 127.0.0.1:0";
    if error.kind() != std::io::ErrorKind::AddrInUse {
        findings.fault(CHECK, format!("cannot listen on {listen}: {error}"), elsewhere);
    } else if answers(listen).await && context.data_dir.address().is_some() {
        // Whose it is cannot be told: servers on Postgres hold no lock.
        findings.good(CHECK, format!("a pdpp server answers on {listen}"));
    } else if answers(listen).await {
        let what = format!("another pdpp server, with another data directory, listens on {listen}");
        // Two servers side by side are no fault; only one can have this address.
        findings.note(CHECK, what, format!("set its --data-dir, or {elsewhere}"));
    } else {
        let port = listen.port();
        let what = format!("port {port} is in use by another program ({listen})");
        let who = format!("find it with: ss -ltnp 'sport = :{port}'");
        findings.fault(CHECK, what, format!("{elsewhere}; {who}"));
    }
}

/// Whether one of us is there.
async fn answers(address: SocketAddr) -> bool {
    let local = match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::from(([127, 0, 0, 1], address.port())),
        _ => address,
    };
    if !local.ip().is_loopback() {
        // Nothing is said in the clear to an address that is not this machine's own.
        return tokio::net::TcpStream::connect(local).await.is_ok();
    }
    let answer = Web.get(&format!("http://{local}/healthz"), None).await;
    // Also a server whose store is in trouble is one of ours.
    answer.is_ok_and(|answer| {
        answer.json.get("status").is_some_and(|status| status == "ok")
            || answer.json.pointer("/error/code").is_some_and(|code| code == "unavailable")
    })
}
