//! Every route on one page.

use axum::Router;
use axum::http::Extensions;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, delete, get, post};
use pdpp_contract::{ApiError, ErrorCode};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate};

use crate::app::App;
use crate::open::{discovery, health, metrics};
use crate::refusal::RefusalResponse;
use crate::server::unread_body;
use crate::v1::body::KeptAsItIs;
use crate::{finish, guard, mcp, oauth, pages, v1};

/// The routes that take large bodies and long times.
pub const INGEST: &str = "/v1/ingest/{stream}";
pub const BLOBS: &str = "/v1/blobs";

type Routes = Vec<(&'static str, MethodRouter<App>)>;

/// Routes that need no token.
fn open() -> Routes {
    vec![
        ("/", get(discovery::index)),
        ("/healthz", get(health::healthz)),
        ("/readyz", get(health::readyz)),
        ("/metrics", get(metrics::metrics)),
    ]
}

/// Routes that need one: agents read what their grant shows, the owner reads and writes.
fn v1() -> Routes {
    let records = get(v1::records::records).merge(delete(v1::delete_records::delete_records));
    let record = get(v1::record::record).merge(delete(v1::delete_record::delete_record));
    vec![
        (BLOBS, post(v1::upload_blob::upload_blob)),
        ("/v1/blobs/{blob_id}", get(v1::blob::blob)),
        ("/v1/schema", get(v1::schema::schema)),
        ("/v1/search", get(v1::search::search)),
        ("/v1/streams", get(v1::streams::streams)),
        ("/v1/streams/{stream}", get(v1::stream::stream)),
        ("/v1/streams/{stream}/aggregate", get(v1::aggregate::aggregate)),
        ("/v1/streams/{stream}/records", records),
        ("/v1/streams/{stream}/records/{id}", record),
        ("/v1/streams/{stream}/records/{id}/field-window", get(v1::field_window::field_window)),
        (INGEST, post(v1::ingest::ingest)),
    ]
}

/// The whole server. Layers read from the inside out: the last one sees a request first.
pub fn router(app: App) -> Router {
    let gate = from_fn_with_state(app.clone(), v1::gate::gate);
    let door = if app.services.mcp.is_some() { mcp::routes() } else { Vec::new() };
    let door = build(door).layer(from_fn(mcp::cors));
    build(v1())
        .route_layer(gate)
        .merge(build(open()))
        .merge(door)
        .merge(build(oauth::open_routes()).layer(from_fn(oauth::cors)))
        .merge(build(oauth::own_routes()))
        .merge(build(pages::routes()))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_path)
        .layer(from_fn_with_state(app.clone(), guard::deadline))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(from_fn_with_state(app.clone(), finish::finish))
        .layer(CompressionLayer::new().compress_when(compressible()))
        .layer(from_fn(unread_body::settle))
        .with_state(app)
}

/// Everything but bytes whose length and digest were promised.
fn compressible() -> impl Predicate {
    let as_it_is = |_, _, _: &_, extensions: &Extensions| extensions.get::<KeptAsItIs>().is_none();
    DefaultPredicate::new().and(as_it_is)
}

/// The templates of the owner's routes, for the tests that nobody else gets in.
pub fn owner_paths() -> Vec<&'static str> {
    pages::owner_routes().into_iter().map(|(path, _)| path).chain(["/oauth/authorize"]).collect()
}

/// The templates of all routes, for the document that describes them.
pub fn paths() -> Vec<&'static str> {
    let documented = open().into_iter().chain(v1()).map(|(path, _)| path);
    // The routes of the sign-in are described by their own metadata; this one is the interface's.
    documented.chain([oauth::TOKEN_INFO]).collect()
}

fn build(routes: Routes) -> Router<App> {
    routes.into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods))
}

async fn unknown_path() -> RefusalResponse {
    RefusalResponse(ApiError::new(ErrorCode::NotFound, "no such path; GET / lists where to begin"))
}

async fn wrong_method() -> RefusalResponse {
    let message = "this path does not take that method; see the Allow header";
    RefusalResponse(ApiError::new(ErrorCode::MethodNotAllowed, message))
}
