//! Connections: accepted up to a limit, given a time to say what they want, and ended politely.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service;

/// Connections held at once. More wait in the system's queue until one ends.
const MAX_CONNECTIONS: usize = 1_024;
/// After a failed accept (the process has no more files, say) the next try waits this long.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(50);

/// Serves until `stop` completes, then lets the connections finish the request they are in.
///
/// A connection that has not sent a whole request head within `head_timeout` is closed: without
/// that, a few hundred idle sockets would keep everybody else out.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    head_timeout: Duration,
    stop: impl Future<Output = ()>,
) {
    let open = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head_timeout);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(head_timeout);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &open) => accepted,
            () = &mut stop => break,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().call(request)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // A peer that breaks off or speaks no HTTP is its own affair.
            if let Err(error) = watched.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// The next connection, once there is room for it.
async fn accept(
    listener: &TcpListener,
    open: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(open).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Answers are small and come in one write; waiting for more only delays them.
            let _ = stream.set_nodelay(true);
            Some((stream, peer, place))
        }
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
            None
        }
    }
}
