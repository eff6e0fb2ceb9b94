//! A response body that asks again and again whether it may go on.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use axum::http::Version;
use axum::response::Response;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::body::{Frame, SizeHint};

use super::answer::{Answer, BrokenOff, StandsOn};
use super::connection::UnderWay;
use super::limits::ANSWER_BYTES_BETWEEN_CHECKS;

/// The most that is handed on at once.
const PIECE_BYTES: usize = 64 * 1024;

/// A body in pieces. It keeps its request under way until it is done with.
pub(super) struct WatchedBody {
    inner: Body,
    /// What was read and not handed on.
    rest: Bytes,
    answer: Option<Arc<Answer>>,
    under_way: UnderWay,
    multiplexed: bool,
    /// Handed on since the last look.
    unchecked: usize,
    looking: Option<BoxFuture<'static, Result<(), BrokenOff>>>,
}

/// Watches over a response from here to the network.
pub(super) fn watch(
    response: Response,
    version: Version,
    under_way: UnderWay,
) -> Response<WatchedBody> {
    let (mut parts, inner) = response.into_parts();
    let stands_on = parts.extensions.remove::<StandsOn>();
    let answer = stands_on.filter(|_| !inner.is_end_stream()).map(Answer::new).map(Arc::new);
    if let Some(answer) = &answer {
        under_way.0.add(Arc::clone(answer));
    }
    let multiplexed = version == Version::HTTP_2;
    let (rest, unchecked, looking) = (Bytes::new(), 0, None);
    let body = WatchedBody { inner, rest, answer, under_way, multiplexed, unchecked, looking };
    Response::from_parts(parts, body)
}

impl WatchedBody {
    /// How much of the rest goes next. Over HTTP/2 the last byte of a range goes by itself: it is
    /// taken over only when the reader has room for all before it, so a body that is done with has
    /// nothing left that waits for its reader.
    fn next_bytes(&self) -> usize {
        let most = self.rest.len().min(PIECE_BYTES);
        let is_last = most == self.rest.len();
        if self.multiplexed && is_last && most > 1 { most - 1 } else { most }
    }

    fn broken_off(&mut self) -> axum::Error {
        self.rest = Bytes::new();
        if !self.multiplexed {
            // Without a reset the system would go on sending what it holds.
            self.under_way.0.reset();
        }
        axum::Error::new(BrokenOff)
    }
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        loop {
            if let Some(answer) = &this.answer
                && answer.has_ended(cx.waker())
            {
                return Poll::Ready(Some(Err(this.broken_off())));
            }
            if let Some(looking) = &mut this.looking {
                let looked = ready!(looking.as_mut().poll(cx));
                (this.looking, this.unchecked) = (None, 0);
                this.under_way.0.looked_at();
                if looked.is_err() {
                    return Poll::Ready(Some(Err(this.broken_off())));
                }
            }
            if !this.rest.is_empty() {
                let bytes = this.next_bytes();
                let handed_on = this.unchecked.saturating_add(bytes);
                if let Some(answer) = &this.answer
                    && handed_on > ANSWER_BYTES_BETWEEN_CHECKS
                {
                    let answer = Arc::clone(answer);
                    this.looking = Some(Box::pin(async move { answer.look().await }));
                    continue;
                }
                this.unchecked = handed_on;
                return Poll::Ready(Some(Ok(Frame::data(this.rest.split_to(bytes)))));
            }
            match ready!(Pin::new(&mut this.inner).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if data.is_empty() => {}
                    Ok(data) => this.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return Poll::Ready(other),
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let inner = self.inner.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower().saturating_add(rest));
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        if let Some(answer) = &self.answer {
            answer.finish(self.under_way.0.flushes());
        }
    }
}
