//! A visit to a server, as clients make it: what they ask for first, what they compare, where they
//! give up. The steps are taken once; then each client's own sequence is read off them.

mod address;
mod challenge;
mod health;
mod journey;
mod open_id;
mod preflight;
mod reach;
mod resource;
mod server_metadata;
mod sign_in;
mod steps;
mod store_away;
mod token;

use super::{Findings, Scene, clock};

pub use address::Address;
pub use journey::{End, Journey};

use steps::{Step, Steps};

/// Takes every step that can be taken and says how far each client gets.
pub async fn visit(scene: &Scene, address: &Address, findings: &mut Findings) -> Vec<Journey> {
    let mut steps = Steps::new(address.clone());
    if let Some(why) = address.cannot_ask() {
        let remedy = "put an https proxy in front, and start with --public-url https://…";
        steps.stop(Step::Reach);
        findings.silence("reach", why.words(), remedy);
        return journey::all(&steps);
    }
    if !reach::check(&mut steps, findings).await {
        return journey::all(&steps);
    }
    let health = health::check(&mut steps, findings).await;
    if let Some(theirs) = health.clock {
        clock::compare(scene.now, theirs, findings);
    }
    if health.is_store_away {
        // Everything else follows from it and would be blamed on whatever stands in between.
        store_away::tell(scene, &mut steps, findings);
        return journey::all(&steps);
    }
    challenge::check(&mut steps, findings).await;
    let named = resource::check(&mut steps, findings).await;
    let server = server_metadata::check(&mut steps, named.as_deref(), findings).await;
    open_id::check(&mut steps, findings).await;
    preflight::check(&mut steps, findings).await;
    if let Some(server) = &server {
        sign_in::check(&mut steps, server, findings).await;
    }
    token::check(scene, address, findings).await;
    journey::all(&steps)
}
