//! How much of the server one agent may use: a budget of work for each package, and a fair turn at
//! the places where work is done. Both doors, `/mcp` and `/v1`, ask here.

mod fair_queue;
mod paced_body;
mod rate_limit;
pub mod shared;
mod unsent;
mod work_slot;

use std::time::{Duration, Instant};

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use pdpp_contract::{ApiError, ErrorCode, PackageId};

use crate::app::App;
use crate::refusal::RefusalResponse;
use fair_queue::{FairQueue, QueueFull};
use unsent::Unsent;

pub use paced_body::paced;
pub use rate_limit::RateLimit;
pub use work_slot::WorkSlot;

/// Work that a call stands for: one that takes longer counts as so many calls, one that takes less
/// as one.
const CALL_WORTH: Duration = Duration::from_millis(20);
/// A caller is looked up again when its body took longer than this to come in.
const VERIFIED_FOR: Duration = Duration::from_millis(100);
/// Calls of one package that may wait for a place; more are told to come back.
const WAITING_PER_PACKAGE: usize = 64;

/// The limits of all agents of one server.
#[derive(Debug)]
pub struct AgentLimits {
    /// What each package may ask for; servers of one store keep it together.
    pub rate: RateLimit<PackageId>,
    queue: FairQueue<PackageId>,
    /// Answers that are made and not taken.
    unsent: Unsent,
    /// The longest wait for a place.
    patience: Duration,
}

impl AgentLimits {
    /// A budget for each package, and `places` where work is done at the same time. One package gets
    /// half of the places at most, so that the next agent never waits for one agent alone.
    pub fn new(rate: RateLimit<PackageId>, places: usize, patience: Duration) -> Self {
        let queue = FairQueue::new(places, places.div_ceil(2), WAITING_PER_PACKAGE);
        Self { rate, queue, unsent: Unsent::default(), patience }
    }

    /// Counts a call of a package, or refuses it. Nothing is read before.
    pub fn count(&self, package: &PackageId) -> Result<(), Box<Response>> {
        if self.unsent.is_too_much(package) {
            return Err(Box::new(too_many(Duration::ZERO)));
        }
        self.rate.take(package, Instant::now()).map_err(|wait| Box::new(too_many(wait)))
    }
}

/// Waits for a place to work for a package whose call was counted. The work's cost is charged when
/// the place is left.
pub async fn enter(app: &App, package: &PackageId) -> Result<WorkSlot, Box<Response>> {
    let limits = &app.agent_limits;
    let waiting = app.metrics.wait();
    let turn = limits.queue.enter(package.clone());
    let turn = match tokio::time::timeout(limits.patience, turn).await {
        Ok(Ok(turn)) => turn,
        Ok(Err(QueueFull)) => return Err(Box::new(too_many(Duration::ZERO))),
        Err(_) => return Err(Box::new(busy())),
    };
    drop(waiting);
    // Calls that came together were counted before any of them had an answer to take.
    if limits.unsent.is_too_much(package) {
        limits.rate.charge(package, -1.0, Instant::now());
        return Err(Box::new(too_many(Duration::ZERO)));
    }
    // What its other calls cost meanwhile may be more than it has.
    if let Some(wait) = limits.rate.overdrawn(package, Instant::now()) {
        limits.rate.charge(package, -1.0, Instant::now());
        return Err(Box::new(too_many(wait)));
    }
    Ok(WorkSlot::of_call(app.clone(), package.clone(), turn))
}

fn too_many(wait: Duration) -> Response {
    let message = "too much was asked for at once; take the answers that are under way and wait as \
                   long as Retry-After says";
    let mut response =
        RefusalResponse(ApiError::new(ErrorCode::RateLimitExceeded, message)).into_response();
    let seconds = wait.as_secs().saturating_add(1);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

fn busy() -> Response {
    let message = "the server is busy with other agents; try again later";
    RefusalResponse(ApiError::new(ErrorCode::Unavailable, message)).into_response()
}
