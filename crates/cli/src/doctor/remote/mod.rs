//! A visit to a server, as clients make it: what they ask for first, what they compare, where they
//! give up. The steps are taken once; then each client's own sequence is read off them.

mod address;
mod challenge;
mod client_reach;
mod health;
mod open_id;
mod preflight;
mod reach;
mod resource;
mod server_metadata;
mod sign_in;
mod steps;
mod store_away;
mod token;

use super::{DoctorContext, Findings, clock};

pub use address::ServerAddress;
pub use client_reach::{ClientReach, ReachEnd};

use steps::{ServerStep, ServerVisit};

/// Takes every step that can be taken and says how far each client gets.
pub async fn visit(
    context: &DoctorContext,
    address: &ServerAddress,
    findings: &mut Findings,
) -> Vec<ClientReach> {
    let mut steps = ServerVisit::new(address.clone());
    if let Some(why) = address.cannot_ask() {
        let remedy = "put an https proxy in front, and start with --public-url https://…";
        steps.stop(ServerStep::Reach);
        findings.unreachable("reach", why.words(), remedy);
        return client_reach::all(&steps);
    }
    if !reach::check(&mut steps, findings).await {
        return client_reach::all(&steps);
    }
    let health = health::check(&mut steps, findings).await;
    if let Some(theirs) = health.clock {
        clock::compare(context.now, theirs, findings);
    }
    if health.is_store_away {
        // Everything else follows from it and would be blamed on whatever stands in between.
        store_away::tell(context, &mut steps, findings);
        return client_reach::all(&steps);
    }
    challenge::check(&mut steps, findings).await;
    let named = resource::check(&mut steps, findings).await;
    let server = server_metadata::check(&mut steps, named.as_deref(), findings).await;
    open_id::check(&mut steps, findings).await;
    preflight::check(&mut steps, findings).await;
    if let Some(server) = &server {
        sign_in::check(&mut steps, server, findings).await;
    }
    token::check(context, address, findings).await;
    client_reach::all(&steps)
}
