//! A way to the server that can fall silent: bytes are taken, and nobody answers.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_postgres::Config;

/// Passes bytes on in both directions.
pub struct Proxy {
    url: String,
    silences: watch::Sender<u64>,
    closed: Arc<AtomicBool>,
}

impl Proxy {
    /// In front of the server of a URL.
    pub async fn before(url: &str) -> Self {
        let target = Config::from_str(url).unwrap().get_ports()[0];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let (silences, heard) = watch::channel(0);
        let closed = Arc::new(AtomicBool::new(false));
        let is_closed = Arc::clone(&closed);
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((caller, _)) = listener.accept().await {
                if is_closed.load(Ordering::SeqCst) {
                    kept.push(caller);
                    continue;
                }
                let server = TcpStream::connect(("127.0.0.1", target)).await.unwrap();
                tokio::spawn(pass_on(caller, server, heard.clone()));
            }
        });
        Self { url: url.replace(&format!(":{target}/"), &format!(":{own}/")), silences, closed }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// What is connected now falls silent without an end; who connects later is served.
    pub fn fall_silent(&self) {
        self.silences.send_modify(|times| *times += 1);
    }

    /// The same, and who connects later is not answered either.
    pub fn fall_silent_for_good(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.fall_silent();
    }
}

async fn pass_on(mut caller: TcpStream, mut server: TcpStream, mut silences: watch::Receiver<u64>) {
    silences.mark_unchanged();
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut caller, &mut server) => {}
        Ok(()) = silences.changed() => std::future::pending().await,
    }
}
