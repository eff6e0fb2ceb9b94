//! `GET /v1/token`: what the token in hand is, for its own holder.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use pdpp_auth::GrantAccess;
use pdpp_contract::{ApiError, ReadApi as _};
use serde_json::{Value, json};

use super::answer::secret;
use crate::app::App;
use crate::guard::bearer;
use crate::limits;
use crate::refusal::RefusalResponse;

/// Any token of ours, whichever door it is for. An agent's question counts as one of its calls.
pub async fn token_info(State(app): State<App>, headers: HeaderMap) -> Response {
    match described(&app, &headers).await {
        Ok(document) => secret(StatusCode::OK, &document),
        Err(refused) => *refused,
    }
}

async fn described(app: &App, headers: &HeaderMap) -> Result<Value, Box<Response>> {
    let refused = |error: ApiError| Box::new(RefusalResponse(error).into_response());
    let token = bearer(headers).map_err(refused)?;
    let caller = app.services.auth.verify(token).await.ok();
    let agent = caller.and_then(|caller| caller.into_agent().ok());
    let place = match &agent {
        Some(access) => {
            app.agent_limits.count(access.package_id())?;
            Some(limits::enter(app, access.package_id()).await?)
        }
        None => None,
    };
    let issuer = app.origin_for(headers);
    let described = app.services.auth.token_info(token, &issuer).await;
    let mut document = described.map_err(|error| refused(error.into()))?;
    let grants = document.get_mut("grants").and_then(Value::as_array_mut);
    if let (Some(grants), Some(access)) = (grants, &agent) {
        name_accounts(app, access, grants).await.map_err(refused)?;
    }
    drop(place);
    Ok(document)
}

/// Puts beside each account what its owner calls it, which agents see in every answer.
async fn name_accounts(
    app: &App,
    access: &GrantAccess,
    grants: &mut [Value],
) -> Result<(), ApiError> {
    let sources = app.services.engine.reader(access).sources().await?;
    for grant in grants.iter_mut().filter_map(Value::as_object_mut) {
        let id = grant.get("connection_id").and_then(Value::as_str);
        let source = sources.iter().find(|one| id == Some(one.connection.connection_id.as_str()));
        if let Some(name) = source.and_then(|source| source.connection.display_name.as_ref()) {
            grant.insert("display_name".to_owned(), json!(name));
        }
    }
    Ok(())
}
