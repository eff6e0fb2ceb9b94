//! `DELETE /v1/streams/{stream}/records`: the owner empties one stream of one connection.

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::audit::Disclosed;
use crate::body;
use crate::caller::Owner;
use crate::params::path::StreamPath;
use crate::params::{self, Params};
use crate::refusal::Refusal;

pub async fn delete_records(
    State(app): State<App>,
    Owner(owner): Owner,
    path: StreamPath,
    params: Params,
) -> Result<Response, Refusal> {
    let connection = params::schema::written_connection(params)?;
    app.services.engine.delete_stream_records(&owner, &connection, &path.stream).await?;
    Ok(body::nothing(Disclosed::of([connection], 0)))
}
