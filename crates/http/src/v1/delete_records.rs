//! `DELETE /v1/streams/{stream}/records`: the owner empties one stream of one connection.

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::params::path::StreamPath;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Owner;

pub async fn delete_records(
    State(app): State<App>,
    Owner { access, audit }: Owner,
    path: StreamPath,
    params: Params,
) -> Result<Response, RefusalResponse> {
    let connection = params::schema::written_connection(params)?;
    app.services.engine.delete_stream_records(&access, &connection, &path.stream).await?;
    audit.touched([connection]);
    Ok(body::nothing())
}
