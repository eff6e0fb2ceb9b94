//! How a person or a service manager asks the server to stop.

/// Listens for Ctrl-C and, on Unix, SIGTERM. Whoever asks after [`Self::listen`] has returned is heard.
pub struct StopSignals {
    #[cfg(unix)]
    signals: [Option<tokio::signal::unix::Signal>; 2],
}

#[cfg(unix)]
impl StopSignals {
    /// Begins to listen.
    pub fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate()];
        let heard = |kind| {
            let listening = signal(kind);
            if let Err(error) = &listening {
                tracing::warn!("cannot handle a signal; it will stop the server at once: {error}");
            }
            listening.ok()
        };
        Self { signals: kinds.map(heard) }
    }

    /// Returns when somebody asks.
    pub async fn asked(self) {
        let [mut interrupt, mut terminate] = self.signals;
        tokio::select! {
            () = received(interrupt.as_mut()) => {}
            () = received(terminate.as_mut()) => {}
        }
    }
}

#[cfg(unix)]
async fn received(signal: Option<&mut tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

#[cfg(not(unix))]
impl StopSignals {
    /// Begins to listen.
    pub fn listen() -> Self {
        Self {}
    }

    /// Returns when somebody asks.
    pub async fn asked(self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
