//! `GET /v1/token`: what the token in hand is, for its own holder.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use pdpp_contract::{ApiError, ReadApi as _};
use serde_json::{Value, json};

use super::answer::secret;
use crate::app::App;
use crate::guard::bearer;
use crate::refusal::Refusal;

/// Any token of ours, whichever door it is for.
pub async fn token_info(State(app): State<App>, headers: HeaderMap) -> Response {
    let token = match bearer(&headers) {
        Ok(token) => token,
        Err(error) => return Refusal(error).into_response(),
    };
    let issuer = app.origin_for(&headers);
    match described(&app, token, &issuer).await {
        Ok(document) => secret(StatusCode::OK, &document),
        Err(error) => Refusal(error).into_response(),
    }
}

async fn described(app: &App, token: &str, issuer: &str) -> Result<Value, ApiError> {
    let mut document = app.services.auth.token_info(token, issuer).await?;
    if let Some(grants) = document.get_mut("grants").and_then(Value::as_array_mut) {
        name_accounts(app, token, grants).await?;
    }
    Ok(document)
}

/// Puts beside each account what its owner calls it, which agents see in every answer.
async fn name_accounts(app: &App, token: &str, grants: &mut [Value]) -> Result<(), ApiError> {
    let access = app.services.auth.verify(token).await?.into_agent()?;
    let sources = app.services.engine.reader(&access).sources().await?;
    for grant in grants.iter_mut().filter_map(Value::as_object_mut) {
        let id = grant.get("connection_id").and_then(Value::as_str);
        let source = sources.iter().find(|one| id == Some(one.connection.connection_id.as_str()));
        if let Some(name) = source.and_then(|source| source.connection.display_name.as_ref()) {
            grant.insert("display_name".to_owned(), json!(name));
        }
    }
    Ok(())
}
