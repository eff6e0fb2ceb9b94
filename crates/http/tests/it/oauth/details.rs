//! Clients that ask by name: the owner gives less, never more; long questions are pushed.

use pdpp_auth::oauth::{ConsentError, Decision};
use pdpp_contract::{AccessMode, FieldName};
use serde_json::{Value, json};

use super::signing_in::*;

fn details(mode: &str) -> String {
    json!([{
        "type": "https://pdpp.dev/data-access",
        "source": {"id": "https://registry.pdpp.dev/connectors/notebook"},
        "purpose_code": "https://purposes.example/summary",
        "purpose_description": "Summaries of your notes",
        "access_mode": mode,
        "streams": [{"name": "notes", "fields": ["text", "at"]}],
    }])
    .to_string()
}

fn fields(names: &[&str]) -> Vec<FieldName> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[tokio::test]
async fn a_pushed_request_is_narrowed_by_the_owner_and_never_widened() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let wanted = details("continuous");
    let params = question(&client, &[("authorization_details", &wanted)]);
    let pushed = desk.post("/oauth/par", &params).await;
    assert_eq!(pushed.status, 201, "{}", pushed.text());
    let uri = pushed.json()["request_uri"].as_str().unwrap().to_owned();
    let foreign = desk.client().await;
    let stolen = desk.open(&[("client_id", &foreign), ("request_uri", &uri)]).await;
    assert_eq!(stolen.status, 400);
    let reply = desk.open(&[("client_id", &client), ("request_uri", &uri)]).await;
    let request = &desk.request_at(reply.header("location").unwrap());
    let pending = auth.pending_authorization(request).await.unwrap();
    assert_eq!(
        pending.requested[0].purpose_description.as_deref(),
        Some("Summaries of your notes")
    );
    let all = auth.save_draft(request, &draft(&["blue"])).await;
    assert!(matches!(all, Err(ConsentError::BeyondRequest(_))), "{all:?}");
    let mut less = draft(&["blue"]);
    less.entries[0].fields = Some(fields(&["text"]));
    let code = param(&desk.approve(request, less).await, "code").unwrap();
    let body = desk.redeem(&client, &code).await.json();
    let granted: &Value = &body["authorization_details"][0];
    assert_eq!(granted["streams"][0]["fields"], json!(["id", "text"]));
    assert_eq!(granted["purpose_code"], "https://purposes.example/summary");
}

#[tokio::test]
async fn details_of_another_source_or_a_longer_use_are_beyond_the_request() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let request = desk.ask(&client, &[("authorization_details", &details("single_use"))]).await;
    let mut longer = draft(&["blue"]);
    longer.entries[0].fields = Some(fields(&["text"]));
    assert!(matches!(
        auth.save_draft(&request, &longer).await,
        Err(ConsentError::BeyondRequest(_))
    ));
    longer.access_mode = AccessMode::SingleUse;
    assert!(auth.save_draft(&request, &longer).await.is_ok());
    let mut other = longer.clone();
    other.entries[0].connection_id = crate::world::connection_id("diary");
    other.entries[0].stream = "entries".parse().unwrap();
    other.entries[0].fields = Some(fields(&["weather"]));
    assert!(matches!(auth.save_draft(&request, &other).await, Err(ConsentError::BeyondRequest(_))));
}

#[tokio::test]
async fn training_models_needs_a_yes_of_its_own() {
    let desk = Desk::new().await;
    let (auth, client) = (&desk.world.auth, desk.client().await);
    let purpose = "https://pdpp.dev/purpose/ai_training";
    let wanted = details("continuous").replace("https://purposes.example/summary", purpose);
    let request = desk.ask(&client, &[("authorization_details", &wanted)]).await;
    let mut choice = draft(&["blue"]);
    choice.entries[0].fields = Some(fields(&["text"]));
    let digest = auth.save_draft(&request, &choice).await.unwrap().digest;
    let decision = Decision::Approve { digest };
    let silent = auth.decide(&request, decision, &desk.session).await;
    assert!(matches!(silent, Err(ConsentError::Training)), "{silent:?}");
    choice.agrees_to_training = true;
    let code = param(&desk.approve(&request, choice).await, "code").unwrap();
    let body = desk.redeem(&client, &code).await.json();
    assert_eq!(body["authorization_details"][0]["purpose_code"], purpose);
}

#[tokio::test]
async fn details_that_cannot_be_meant_go_back_to_the_client() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let reply = desk.open(&question(&client, &[("authorization_details", "[{}]")])).await;
    let back = told(&reply);
    assert_eq!(param(&back, "error").as_deref(), Some("invalid_authorization_details"));
    let pushed =
        desk.post("/oauth/par", &question(&client, &[("authorization_details", "no")])).await;
    assert_eq!(refusal(&pushed), (400, "invalid_authorization_details".to_owned()));
}

#[tokio::test]
async fn a_pushed_request_to_a_foreign_address_is_refused_at_once() {
    let desk = Desk::new().await;
    let client = desk.client().await;
    let params = question(&client, &[("redirect_uri", "https://elsewhere.example/cb")]);
    let pushed = desk.post("/oauth/par", &params).await;
    assert_eq!(refusal(&pushed), (400, "invalid_request".to_owned()));
}
