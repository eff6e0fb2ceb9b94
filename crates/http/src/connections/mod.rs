//! Connections: as many as there is room for, each with a time to say what it wants, and an answer only
//! for as long as its caller may have it.

mod accepting;
mod answer;
mod connection;
mod limits;
mod socket;
mod supervise;
mod table;
mod watched_body;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Extensions;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use pdpp_contract::{ApiError, ErrorCode};
use tokio::net::{TcpListener, TcpStream};
use tower_service::Service;

use crate::guard::TrustedProxy;

use self::accepting::Accepting;
use self::connection::{HttpConnection, NoRoom};
use self::socket::Socket;
use self::table::Table;

pub use self::answer::StandsOn;
pub use self::connection::ConnectionRole;
pub use self::limits::{ConnectionLimits, MAX_CONNECTIONS};

/// What is held of an answer before the system takes it over, and the longest head of a request.
const BUFFER_BYTES: usize = 64 * 1024;
/// A peer that vanished without a word is found out by this.
const BETWEEN_PINGS: Duration = Duration::from_secs(30);

/// Notes whose credential was verified on a request's connection.
pub fn note_role(request: &Extensions, role: ConnectionRole) -> Result<(), ApiError> {
    let connection = request.get::<Arc<HttpConnection>>();
    connection.map_or(Ok(()), |it| it.belongs_to(role)).map_err(|NoRoom| {
        let message = "all connections for agents are in use; open fewer at once and try again";
        ApiError::new(ErrorCode::Unavailable, message)
    })
}

/// Serves until `stop` completes, then lets the connections finish the request they are in.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    proxies: Vec<TrustedProxy>,
    stop: impl Future<Output = ()>,
) {
    let table = Table::new(limits, proxies);
    let serving = Serving { router, table, graceful: GracefulShutdown::new() };
    let mut accepting = Accepting::new(listener);
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accepting.next(&serving.table) => accepted,
            () = &mut stop => break,
        };
        match serving.table.admit(peer.ip()) {
            Some(connection) => serving.speak(stream, peer, connection),
            None => tracing::debug!("a connection was turned away: there is no room"),
        }
    }
    drop(accepting);
    serving.graceful.shutdown().await;
}

/// What all connections share.
struct Serving {
    router: Router,
    table: Arc<Table>,
    graceful: GracefulShutdown,
}

impl Serving {
    /// Speaks HTTP on a connection until it ends, in either version.
    fn speak(&self, stream: TcpStream, peer: SocketAddr, connection: Arc<HttpConnection>) {
        let (router, answering) = (self.router.clone(), Arc::clone(&connection));
        let service = service_fn(move |request: Request<Incoming>| {
            let version = request.version();
            let under_way = answering.begin(version);
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request.extensions_mut().insert(Arc::clone(&answering));
            let response = router.clone().call(request);
            async move { response.await.map(|it| watched_body::watch(it, version, under_way)) }
        });
        let io = TokioIo::new(Socket::new(stream, Arc::clone(&connection)));
        let watched = self.graceful.watch(builder().serve_connection(io, service).into_owned());
        let table = Arc::clone(&self.table);
        tokio::spawn(async move {
            tokio::select! {
                ended = watched => {
                    // A peer that breaks off or speaks no HTTP is its own affair.
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended early");
                    }
                }
                () = supervise::supervise(&connection, &table.limits) => {
                    tracing::debug!("a connection was ended");
                }
            }
            table.closed(&connection);
        });
    }
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // Heads have a time limit of ours, which holds before the version is known, too.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(BUFFER_BYTES);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(BETWEEN_PINGS);
    builder.http2().max_send_buf_size(BUFFER_BYTES);
    builder
}
