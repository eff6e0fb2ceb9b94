//! A connection's socket: writes nothing of an answer that was not looked at lately, and notes what
//! its peer does.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connection::HttpConnection;
use super::limits::SEND_BUFFER_BYTES;

/// A stream that belongs to a connection.
pub(super) struct Socket {
    stream: TcpStream,
    connection: Arc<HttpConnection>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, connection: Arc<HttpConnection>) -> Self {
        // Answers are small and come in one write; waiting for more only delays them.
        let _ = stream.set_nodelay(true);
        // Linux takes the number twice and counts its own bookkeeping too: what is asked for is half
        // of what it may hold, and no system holds more than the promise says.
        if let Err(error) = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER_BYTES / 2) {
            tracing::debug!(%error, "the size of a send buffer was not set");
        }
        Self { stream, connection }
    }

    fn write(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if self.connection.is_reset() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        if !self.connection.may_write(cx) {
            return Poll::Pending;
        }
        let written = write(Pin::new(&mut self.stream), cx);
        self.connection.wrote(written.is_pending());
        written
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.connection.received();
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write(cx, |stream, cx| stream.poll_write_vectored(cx, bytes))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection.flushed();
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.connection.is_reset() {
            // The system throws away what it has not sent.
            let _ = self.stream.set_zero_linger();
        }
    }
}
