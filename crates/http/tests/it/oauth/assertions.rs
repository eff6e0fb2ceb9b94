//! Clients that prove a key, as ChatGPT does, and everybody who pretends to.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::SignedDuration;
use pdpp_contract::ports::Clock as _;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256,
    RsaKeyPair, RsaPublicKeyComponents,
};
use serde_json::{Value, json};

use super::documents::{Web, desk_with};
use super::signing_in::*;
use crate::client::Reply;

const ID: &str = "https://chatgpt.com/oauth/abc/client.json";
const KEYS: &str = "https://chatgpt.com/oauth/abc/jwks.json";
const BACK: &str = "https://chatgpt.com/connector/oauth/abc";
const TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

enum Key {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl Key {
    /// A key that is only for these tests.
    fn rsa() -> Self {
        let text: String = include_str!("rsa_key.txt").split_whitespace().collect();
        let pair = RsaKeyPair::from_pkcs8(&STANDARD.decode(text).unwrap()).unwrap();
        Self::Rsa(pair)
    }

    fn ec() -> Self {
        let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
        Self::Ec(EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).unwrap())
    }

    fn ed() -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::Ed(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap())
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa(_) => "RS256",
            Self::Ec(_) => "ES256",
            Self::Ed(_) => "EdDSA",
        }
    }

    fn public(&self, kid: &str) -> Value {
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        match self {
            Self::Rsa(pair) => {
                let public = RsaPublicKeyComponents::<Vec<u8>>::from(pair.public());
                let (n, e) = (text(&public.n), text(&public.e));
                json!({"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "n": n, "e": e})
            }
            Self::Ec(pair) => {
                let point = pair.public_key().as_ref();
                let (x, y) = (text(&point[1..33]), text(&point[33..]));
                json!({"kty": "EC", "crv": "P-256", "kid": kid, "x": x, "y": y})
            }
            Self::Ed(pair) => {
                let x = text(pair.public_key().as_ref());
                json!({"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x})
            }
        }
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let random = SystemRandom::new();
        let signature = match self {
            Self::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message.as_bytes(), &mut signature).unwrap();
                signature
            }
            Self::Ec(pair) => pair.sign(&random, message.as_bytes()).unwrap().as_ref().to_vec(),
            Self::Ed(pair) => pair.sign(message.as_bytes()).as_ref().to_vec(),
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

fn chatgpt() -> Value {
    json!({
        "client_id": ID,
        "client_name": "ChatGPT",
        "redirect_uris": [BACK, "https://chatgpt.com/connector_platform_oauth_redirect"],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_signing_alg": "RS256",
        "jwks_uri": KEYS,
    })
}

struct Host {
    desk: Desk,
    web: Arc<Web>,
    key: Key,
}

impl Host {
    async fn new(key: Key) -> Self {
        let web = Web::with(ID, chatgpt());
        web.put(KEYS, json!({"keys": [key.public("k1")]}));
        Self { desk: desk_with(&web).await, web, key }
    }

    fn claims(&self, jti: &str) -> Value {
        let now = self.desk.world.clock.now().as_second();
        json!({"iss": ID, "sub": ID, "aud": ISSUER, "iat": now, "exp": now + 300, "jti": jti})
    }

    fn assertion(&self, claims: &Value) -> String {
        self.key.sign(&json!({"alg": self.key.algorithm(), "kid": "k1"}), claims)
    }

    async fn code(&self, state: &str) -> String {
        let more = [("redirect_uri", BACK), ("state", state)];
        let request = self.desk.ask(ID, &more).await;
        param(&self.desk.approve(&request, draft(&["blue"])).await, "code").unwrap()
    }

    async fn redeem(&self, code: &str, assertion: Option<&str>) -> Reply {
        let mut params = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", BACK),
            ("code_verifier", VERIFIER),
            ("client_id", ID),
        ];
        if let Some(assertion) = assertion {
            params.extend([("client_assertion_type", TYPE), ("client_assertion", assertion)]);
        }
        self.desk.token(&params).await
    }
}

#[tokio::test]
async fn chatgpt_signs_in_with_its_key_and_must_keep_proving_it() {
    for key in [Key::rsa(), Key::ec(), Key::ed()] {
        let host = Host::new(key).await;
        let code = host.code("a").await;
        let bare = host.redeem(&code, None).await;
        assert_eq!(refusal(&bare), (400, "invalid_client".to_owned()));
        let reply = host.redeem(&code, Some(&host.assertion(&host.claims("1")))).await;
        let tokens = Tokens::of(ID.to_owned(), &reply);
        assert_eq!(host.desk.call(&tokens.access).await.status, 200);
        let bare = host.desk.refresh(ID, &tokens.refresh).await;
        assert_eq!(refusal(&bare), (400, "invalid_client".to_owned()));
        let assertion = host.assertion(&host.claims("2"));
        let params = [
            ("grant_type", "refresh_token"),
            ("refresh_token", tokens.refresh.as_str()),
            ("client_assertion_type", TYPE),
            ("client_assertion", assertion.as_str()),
        ];
        assert_eq!(host.desk.token(&params).await.status, 200, "the client_id is in the assertion");
    }
}

#[tokio::test]
async fn t_assert_1_no_forged_borrowed_or_repeated_assertion_is_believed() {
    let host = Host::new(Key::rsa()).await;
    let code = host.code("a").await;
    let good = host.claims("1");
    let change = |name: &str, value: Value| {
        let mut claims = good.clone();
        claims[name] = value;
        claims
    };
    let now = host.desk.world.clock.now().as_second();
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let unsigned = format!("{}.{}.", part(&json!({"alg": "none"})), part(&good));
    let other = Key::rsa_like(&Key::ec(), &good);
    let modulus = host.key.public("k1")["n"].as_str().unwrap().to_owned();
    let symmetric = {
        let message = format!("{}.{}", part(&json!({"alg": "HS256", "kid": "k1"})), part(&good));
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, modulus.as_bytes());
        let tag = ring::hmac::sign(&key, message.as_bytes());
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(tag))
    };
    let crit = host.key.sign(&json!({"alg": "RS256", "kid": "k1", "crit": ["x"]}), &good);
    let mut broken = host.assertion(&good);
    broken.replace_range(broken.len() - 8.., "AAAAAAAA");
    let mut bad = vec![
        ("alg none", unsigned),
        ("another key", other),
        ("the public key as a secret", symmetric),
        ("unknown critical header", crit),
        ("a broken signature", broken),
        ("nonsense", "a.b.c".to_owned()),
    ];
    for (what, name, value) in [
        ("wrong audience", "aud", json!("https://other.example")),
        ("another issuer", "iss", json!("https://other.example")),
        ("another subject", "sub", json!("dcr_other")),
        ("expired", "exp", json!(now - 61)),
        ("too long", "exp", json!(now + 3_600)),
        ("from the future", "iat", json!(now + 3_600)),
        ("not yet", "nbf", json!(now + 3_600)),
        ("no id", "jti", json!("")),
        ("no end", "exp", Value::Null),
    ] {
        bad.push((what, host.assertion(&change(name, value))));
    }
    for (what, assertion) in bad {
        let reply = host.redeem(&code, Some(&assertion)).await;
        assert_eq!(refusal(&reply), (401, "invalid_client".to_owned()), "{what}");
    }
    let endpoint = format!("{ISSUER}/oauth/token");
    let once = host.assertion(&change("aud", json!(["https://x.example", endpoint])));
    assert_eq!(host.redeem(&code, Some(&once)).await.status, 200);
    let again = host.redeem(&host.code("b").await, Some(&once)).await;
    assert_eq!(refusal(&again), (401, "invalid_client".to_owned()), "used before");
}

impl Key {
    /// Signed by another key under the first one's name.
    fn rsa_like(other: &Self, claims: &Value) -> String {
        other.sign(&json!({"alg": "RS256", "kid": "k1"}), claims)
    }
}

#[tokio::test]
async fn a_new_key_is_fetched_when_it_is_first_used_and_not_at_every_nonsense() {
    let mut host = Host::new(Key::ec()).await;
    let first = host.code("a").await;
    assert_eq!(host.redeem(&first, Some(&host.assertion(&host.claims("1")))).await.status, 200);
    host.key = Key::ec();
    let code = host.code("b").await;
    host.desk.world.clock.advance(SignedDuration::from_secs(59));
    let before = host.web.count();
    let unknown = host.redeem(&code, Some(&host.assertion(&host.claims("2")))).await;
    assert_eq!(refusal(&unknown), (401, "invalid_client".to_owned()));
    assert_eq!(host.web.count(), before, "the keys were fetched less than a minute ago");
    host.web.put(KEYS, json!({"keys": [host.key.public("k1")]}));
    host.desk.world.clock.advance(SignedDuration::from_secs(30));
    assert_eq!(host.redeem(&code, Some(&host.assertion(&host.claims("3")))).await.status, 200);
}
