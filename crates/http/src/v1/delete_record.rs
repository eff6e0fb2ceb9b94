//! `DELETE /v1/streams/{stream}/records/{id}`: the owner takes one record out. Absent is fine.

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::params::path::RecordPath;
use crate::params::{self, Params};
use crate::refusal::RefusalResponse;
use crate::v1::body;
use crate::v1::gate::Owner;

pub async fn delete_record(
    State(app): State<App>,
    Owner { access, audit }: Owner,
    path: RecordPath,
    params: Params,
) -> Result<Response, RefusalResponse> {
    let connection = params::schema::written_connection(params)?;
    let RecordPath { stream, record_id } = path;
    app.services.engine.delete_record(&access, &connection, &stream, &record_id).await?;
    audit.touched([connection]);
    Ok(body::nothing())
}
