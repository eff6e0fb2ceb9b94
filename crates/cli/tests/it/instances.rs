//! Two servers on one database: what one gives out the other takes, what one ends the other refuses.

use serde_json::{Value, json};

use crate::connect::owner::Owner;
use crate::mcp::wire::{MODERN, Wire};
use crate::program::Home;
use crate::running::Running;

/// A proof key and its S256 digest.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const CALLBACK: &str = "http://127.0.0.1:4711/callback";
/// The two servers.
const A: Option<usize> = Some(0);
const B: Option<usize> = Some(1);

/// A client that signs in at two servers, and says at which one each step happens.
struct Client<'a> {
    servers: &'a Running,
    id: String,
}

impl<'a> Client<'a> {
    fn registered_at(server: Option<usize>, servers: &'a Running) -> Self {
        servers.only(server);
        let document = json!({"redirect_uris": [CALLBACK], "client_name": "Reader"});
        let url = format!("{}/oauth/register", servers.base_url());
        let mut response = agent().post(&url).send(document.to_string()).unwrap();
        assert_eq!(response.status().as_u16(), 201);
        let body: Value =
            serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap();
        Self { servers, id: body["client_id"].as_str().unwrap().to_owned() }
    }

    /// Sends a form to an endpoint of the sign-in at one of the servers.
    fn form(&self, server: Option<usize>, path: &str, fields: &[(&str, &str)]) -> (u16, Value) {
        self.servers.only(server);
        let fields = fields.iter().copied().chain([("client_id", self.id.as_str())]);
        let url = format!("{}{path}", self.servers.base_url());
        let mut response = agent().post(&url).send_form(fields).unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// What `/mcp` of one server answers to a token.
    fn call(&self, server: Option<usize>, token: &str) -> u16 {
        self.servers.only(server);
        let url = format!("{}/mcp", self.servers.base_url());
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
        let request = agent().post(&url).header("Authorization", format!("Bearer {token}"));
        let request = request.header("Content-Type", "application/json");
        let request = request.header("Accept", "application/json, text/event-stream");
        request.send(hello).unwrap().status().as_u16()
    }

    /// Reads at both servers, renews at one, ends it at the other; from then on both refuse.
    fn reads_renews_and_ends(&self, tokens: &Value) {
        let access = text(tokens, "access_token");
        assert_eq!((self.call(A, access), self.call(B, access)), (200, 200));
        let refresh = text(tokens, "refresh_token");
        let renewal = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
        let (status, renewed) = self.form(B, "/oauth/token", &renewal);
        assert_eq!(status, 200, "{renewed}");
        let (access, refresh) = (text(&renewed, "access_token"), text(&renewed, "refresh_token"));
        assert_eq!(self.call(A, access), 200);
        let (status, _) = self.form(A, "/oauth/revoke", &[("token", refresh)]);
        assert_eq!(status, 200);
        assert_eq!((self.call(B, access), self.call(A, access)), (401, 401));
        let again = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
        let (status, refused) = self.form(B, "/oauth/token", &again);
        assert_eq!((status, &refused["error"]), (400, &json!("invalid_grant")), "{refused}");
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into()
}

fn text<'a>(document: &'a Value, name: &str) -> &'a str {
    document[name].as_str().unwrap_or_else(|| panic!("no {name} in {document}"))
}

#[test]
fn a_sign_in_goes_on_at_the_other_server_at_every_step() {
    let Some(home) = Home::on_postgres() else { return };
    let servers = Running::demo(&home);
    let owner = Owner::new(&home, &servers);
    let client = Client::registered_at(A, &servers);
    servers.only(B);
    let question = format!(
        "/oauth/authorize?response_type=code&client_id={}&redirect_uri={CALLBACK}&state=s\
         &code_challenge={CHALLENGE}&code_challenge_method=S256&scope=pdpp:read%20offline_access",
        client.id
    );
    let back = owner.decide(&question, "allow");
    let code = back.split("code=").nth(1).unwrap().split('&').next().unwrap();
    let redemption = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    let (status, tokens) = client.form(A, "/oauth/token", &redemption);
    assert_eq!(status, 200, "{tokens}");
    client.reads_renews_and_ends(&tokens);
    // A code is spent for both.
    let (status, refused) = client.form(B, "/oauth/token", &redemption);
    assert_eq!((status, &refused["error"]), (400, &json!("invalid_grant")));
}

#[test]
fn a_device_asks_at_one_server_and_is_allowed_at_the_other() {
    let Some(home) = Home::on_postgres() else { return };
    let servers = Running::demo(&home);
    let owner = Owner::new(&home, &servers);
    let client = Client::registered_at(A, &servers);
    let (status, begun) = client.form(A, "/oauth/device_authorization", &[]);
    assert_eq!(status, 200, "{begun}");
    servers.only(B);
    owner.decide_device(text(&begun, "user_code"), "allow");
    let grant = "urn:ietf:params:oauth:grant-type:device_code";
    let poll = [("grant_type", grant), ("device_code", text(&begun, "device_code"))];
    let (status, tokens) = client.form(A, "/oauth/token", &poll);
    assert_eq!(status, 200, "{tokens}");
    client.reads_renews_and_ends(&tokens);
}

/// Handles, cursors and resources of one server at the other, and an end that both know at once.
#[test]
fn what_one_server_names_the_other_reads_until_the_grant_ends() {
    let Some(home) = Home::on_postgres() else { return };
    let servers = Running::demo(&home);
    let (url, token) = (text(&servers.ready, "mcp_url"), text(&servers.ready, "access_token"));
    let mut wire = Wire::http(url, token, MODERN);
    let mut at = |server: Option<usize>, method: &str, params: Value| {
        servers.only(server);
        wire.raw(method, params)
    };
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let asked = json!({"query": "retrospective raw transcript", "limit": 1, "streams": ["notes"]});
    let (_, found) = at(A, "tools/call", call("search", asked));
    let id = text(&found["result"]["structuredContent"]["results"][0], "id").to_owned();
    let window = json!({"id": id, "field_path": "body", "limit_chars": 1000});
    let (status, first) = at(B, "tools/call", call("read_record_field", window.clone()));
    let first = &first["result"]["structuredContent"];
    assert_eq!(status, 200, "{first}");
    let mut further = window;
    further["cursor"] = first["window"]["next_cursor"].clone();
    further.as_object_mut().unwrap().remove("limit_chars");
    let (_, second) = at(A, "tools/call", call("read_record_field", further));
    let second = &second["result"]["structuredContent"];
    assert_eq!(second["window"]["start_chars"], 1000, "{second}");
    let next = text(&second["resource"], "next_uri").to_owned();
    let (_, third) = at(B, "resources/read", json!({"uri": next}));
    assert!(third["result"]["contents"][0]["text"].is_string(), "{third}");
    let (_, listed) = at(B, "resources/list", json!({}));
    let uri = text(&listed["result"]["resources"][0], "uri").to_owned();
    let (_, read) = at(A, "resources/read", json!({"uri": uri}));
    assert!(read["result"]["contents"][0]["text"].is_string(), "{read}");

    let database = home.demo_url().unwrap();
    let client = home.json(&["grant", "list", "--json", "--database-url", &database]);
    let package = text(&client["packages"][0], "package_id").to_owned();
    home.json(&["grant", "revoke", &package, "--json", "--database-url", &database]);
    for server in [A, B] {
        let (status, refused) = at(server, "tools/call", call("schema", json!({})));
        assert_eq!((status, &refused["reason"]), (401, &json!("grant_revoked")), "{refused}");
    }
}
