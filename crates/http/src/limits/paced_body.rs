//! An answer on its way out. It counts as unsent until it is taken; one that is read while it is sent
//! takes a place for each piece.

use std::collections::VecDeque;

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::http::header;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use pdpp_contract::PackageId;
use pdpp_contract::limits::{BLOB_PIECE_BYTES, PAGE_BYTES};

use super::unsent::Held;
use super::work_slot::WorkSlot;
use crate::app::App;

/// An answer is handed over in pieces of this size, so that what the connection keeps is small.
const PIECE_BYTES: usize = 64 * 1024;

/// Counts an answer until it is taken, and lets the pieces of a streamed one take turns.
pub fn paced(app: &App, package: &PackageId, response: Response) -> Response {
    let exact = response.body().size_hint().exact();
    let exact = exact.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    if exact == Some(0) {
        return response;
    }
    // A stream of known length is a blob's; the others hold the page that they are made from.
    let is_blob = response.headers().contains_key(header::CONTENT_LENGTH);
    let size = exact.unwrap_or(if is_blob { BLOB_PIECE_BYTES } else { PAGE_BYTES });
    let held = app.agent_limits.unsent.hold(package, size);
    let (app, package) = (app.clone(), package.clone());
    let mut response = response.map(|body| {
        let rest = body.into_data_stream();
        let turns = exact.is_none().then_some((app, package));
        let sending = Sending { turns, rest, pieces: VecDeque::new(), _held: held };
        // Compression asks once more after the end.
        Body::from_stream(stream::unfold(sending, Sending::next).fuse())
    });
    if let Some(size) = exact {
        response.headers_mut().insert(header::CONTENT_LENGTH, size.into());
    }
    response
}

struct Sending {
    /// For whom the pieces are read; nobody when the answer is complete.
    turns: Option<(App, PackageId)>,
    rest: BodyDataStream,
    /// What was read and is not handed over.
    pieces: VecDeque<Bytes>,
    _held: Held,
}

impl Sending {
    async fn next(mut self) -> Option<(Result<Bytes, axum::Error>, Self)> {
        if let Some(piece) = self.pieces.pop_front() {
            return Some((Ok(piece), self));
        }
        match self.read().await? {
            Ok(mut whole) => {
                let first = whole.split_to(whole.len().min(PIECE_BYTES));
                while !whole.is_empty() {
                    self.pieces.push_back(whole.split_to(whole.len().min(PIECE_BYTES)));
                }
                Some((Ok(first), self))
            }
            Err(error) => Some((Err(error), self)),
        }
    }

    /// The place is held while a piece is read, and not while the caller takes it.
    async fn read(&mut self) -> Option<Result<Bytes, axum::Error>> {
        let Some((app, package)) = &self.turns else { return self.rest.next().await };
        let turn = match app.agent_limits.queue.enter_again(package.clone()).await {
            Ok(turn) => turn,
            Err(refused) => return Some(Err(axum::Error::new(refused))),
        };
        let place = WorkSlot::of_piece(app.clone(), package.clone(), turn);
        let piece = self.rest.next().await;
        drop(place);
        piece
    }
}
