//! Request bodies that nobody read: a refusal comes before the body, and the connection goes on only
//! when the rest of it was taken in.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use pdpp_contract::limits::MAX_BODY_BYTES;

/// How long the rest of a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(1);

/// Takes in the rest of a body that was not read, or says that the connection ends.
///
/// Without this a client whose body arrives after its head would find the connection closed, which
/// nothing had told it. Streams of HTTP/2 end by themselves.
pub async fn settle(request: Request, next: Next) -> Response {
    if request.version() >= Version::HTTP_2 || request.body().is_end_stream() {
        return next.run(request).await;
    }
    // A client that waits to be asked for its body must not be asked for nothing.
    let asks = request.headers().contains_key(header::EXPECT);
    let left = Left::default();
    let request = request.map(|body| {
        let began = !asks;
        Body::new(Lent { body: Some(body), began, over: false, left: left.clone() })
    });
    let mut response = next.run(request).await;
    if !left.taken_in().await {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// What became of a body that was lent to a handler.
#[derive(Clone, Default)]
struct Left(Arc<Mutex<Option<Rest>>>);

enum Rest {
    Nothing,
    /// Not to be read.
    Unasked,
    Some(Body),
}

impl Left {
    /// Whether the body is read to its end.
    async fn taken_in(&self) -> bool {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match rest {
            Some(Rest::Nothing) => true,
            // Whoever still holds it may never read it.
            Some(Rest::Unasked) | None => false,
            Some(Rest::Some(body)) => {
                let draining = drained(body);
                tokio::time::timeout(PATIENCE, draining).await.unwrap_or(false)
            }
        }
    }
}

async fn drained(mut body: Body) -> bool {
    let mut bytes = 0;
    let most = MAX_BODY_BYTES as u64;
    while bytes + body.size_hint().lower() <= most {
        match body.frame().await {
            None => return true,
            Some(Ok(frame)) => bytes += frame.data_ref().map_or(0, |data| data.len() as u64),
            Some(Err(_)) => return false,
        }
    }
    false
}

/// A body that comes back when its reader drops it.
struct Lent {
    body: Option<Body>,
    began: bool,
    over: bool,
    left: Left,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.began = true;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(body).poll_frame(cx));
        self.over = frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let rest = match self.body.take() {
            Some(body) if !self.over && !body.is_end_stream() => {
                if self.began {
                    Rest::Some(body)
                } else {
                    Rest::Unasked
                }
            }
            _ => Rest::Nothing,
        };
        *self.left.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(rest);
    }
}
