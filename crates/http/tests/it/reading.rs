//! A reader that takes its time, over either version of HTTP.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::watch;

use crate::client::Call;

/// Read before anything else happens: the answer is under way by then.
const BEGINNING: usize = 48 * 1024;
const RECEIVE_BUFFER: u32 = 32 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    One,
    Two,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Whole,
    /// A connection or stream that was reset: no reader takes that for the end.
    BrokenOff,
    /// The connection was closed before the end, without a reset.
    Closed,
}

/// An answer that is being read.
pub enum Reading {
    One { socket: TcpStream, seen: Vec<u8> },
    Two { body: Incoming, over: watch::Receiver<bool> },
}

impl Reading {
    /// Asks, and reads the beginning of the answer.
    pub async fn begin(addr: SocketAddr, version: Version, call: &Call) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(RECEIVE_BUFFER).unwrap();
        let mut socket = socket.connect(addr).await.unwrap();
        match version {
            Version::One => {
                socket.write_all(&call.bytes()).await.unwrap();
                let mut seen = vec![0; BEGINNING];
                socket.read_exact(&mut seen).await.unwrap();
                Self::One { socket, seen }
            }
            Version::Two => Self::second(socket, call).await,
        }
    }

    async fn second(socket: TcpStream, call: &Call) -> Self {
        let mut builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(65_535).initial_connection_window_size(65_535);
        let (mut sender, connection) =
            builder.handshake::<_, Full<Bytes>>(TokioIo::new(socket)).await.unwrap();
        let (ends, over) = watch::channel(false);
        tokio::spawn(async move {
            let _ = connection.await;
            ends.send_replace(true);
        });
        let response = sender.send_request(call.request()).await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        // The connection lives as long as somebody may send on it.
        tokio::spawn({
            let mut over = over.clone();
            async move {
                let _ = over.wait_for(|over| *over).await;
                drop(sender);
            }
        });
        let mut body = response.into_body();
        let mut seen = 0;
        while seen < BEGINNING {
            seen += body.frame().await.unwrap().unwrap().into_data().unwrap().len();
        }
        Self::Two { body, over }
    }

    /// Waits, without reading, until the connection is reset.
    pub async fn is_reset(&self) {
        match self {
            Self::One { socket, .. } => {
                socket.ready(Interest::ERROR).await.unwrap();
            }
            Self::Two { over, .. } => {
                let _ = over.clone().wait_for(|over| *over).await;
            }
        }
    }

    /// Reads to the end: how many bytes still came, and how it ended.
    pub async fn rest(&mut self) -> (usize, Ending) {
        match self {
            Self::One { socket, seen } => {
                let begun = seen.len();
                let ending = match socket.read_to_end(seen).await {
                    Err(_) => Ending::BrokenOff,
                    Ok(_) if crate::client::Reply::parse(seen).complete => Ending::Whole,
                    Ok(_) => Ending::Closed,
                };
                (seen.len() - begun, ending)
            }
            Self::Two { body, .. } => {
                let mut bytes = 0;
                loop {
                    match body.frame().await {
                        Some(Ok(frame)) => bytes += frame.into_data().unwrap().len(),
                        Some(Err(_)) => return (bytes, Ending::BrokenOff),
                        None => return (bytes, Ending::Whole),
                    }
                }
            }
        }
    }
}
