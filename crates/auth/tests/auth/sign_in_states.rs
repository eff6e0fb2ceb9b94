//! Whatever clients and owner do, in whatever order: what is over stays over, and nothing lives
//! whose ground is gone.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use pdpp_auth::Standing;
use pdpp_auth::oauth::{
    AuthorizeQuestion, ConsentDraft, Decision, DraftEntry, Form, OwnerSession, RequestState,
    TokenQuestion,
};
use pdpp_contract::AccessMode;
use pdpp_contract::access::GrantSelector;
use pdpp_contract::ports::Clock as _;
use pdpp_store::tokens::TokenHash;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::bench::Bench;

const ISSUER: &str = "http://localhost:7667";
const CALLBACK: &str = "http://127.0.0.1/cb";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

#[derive(Debug, Clone)]
enum Step {
    Ask,
    Approve { request: usize, both: bool, once: bool },
    Deny(usize),
    Redeem(usize),
    Refresh(usize),
    GiveBack(usize),
    RevokeGrant(usize),
    RevokePackage(usize),
    Wait(i64),
    Sweep,
}

fn step() -> impl Strategy<Value = Step> {
    let which = 0_usize..8;
    prop_oneof![
        2 => Just(Step::Ask),
        4 => (which.clone(), any::<bool>(), any::<bool>())
            .prop_map(|(request, both, once)| Step::Approve { request, both, once: once && both }),
        1 => which.clone().prop_map(Step::Deny),
        4 => which.clone().prop_map(Step::Redeem),
        5 => which.clone().prop_map(Step::Refresh),
        1 => which.clone().prop_map(Step::GiveBack),
        1 => which.clone().prop_map(Step::RevokeGrant),
        1 => which.prop_map(Step::RevokePackage),
        2 => prop_oneof![Just(5_i64), Just(31), Just(200), Just(3_700), Just(100_000)].prop_map(Step::Wait),
        1 => Just(Step::Sweep),
    ]
}

struct Play {
    bench: Bench,
    session: OwnerSession,
    client: String,
    requests: Vec<String>,
    codes: Vec<String>,
    refreshes: Vec<String>,
    accesses: Vec<String>,
    /// What was seen to be over.
    finished: BTreeMap<String, RequestState>,
    dead: BTreeSet<String>,
    ended_packages: BTreeSet<String>,
    grants: BTreeMap<String, String>,
}

impl Play {
    async fn new() -> Self {
        let bench = Bench::new().await;
        let registered =
            bench.auth.register_client(&json!({"redirect_uris": [CALLBACK]})).await.unwrap();
        let session = OwnerSession::new("s".to_owned(), [7; 32], bench.clock.now());
        Self {
            bench,
            session,
            client: registered.client_id,
            requests: Vec::new(),
            codes: Vec::new(),
            refreshes: Vec::new(),
            accesses: Vec::new(),
            finished: BTreeMap::new(),
            dead: BTreeSet::new(),
            ended_packages: BTreeSet::new(),
            grants: BTreeMap::new(),
        }
    }

    async fn take(&mut self, step: Step) {
        let auth = &self.bench.auth;
        match step {
            Step::Ask => self.ask().await,
            Step::Approve { request, both, once } => self.approve(request, both, once).await,
            Step::Deny(request) => {
                let Some(id) = self.requests.get(request) else { return };
                let _ = auth.decide(id, Decision::Deny, &self.session).await;
            }
            Step::Redeem(code) => {
                let Some(code) = self.codes.get(code).cloned() else { return };
                self.token(&[
                    ("grant_type", "authorization_code"),
                    ("code", &code),
                    ("redirect_uri", CALLBACK),
                    ("code_verifier", VERIFIER),
                ])
                .await;
            }
            Step::Refresh(token) => {
                let Some(token) = self.refreshes.get(token).cloned() else { return };
                self.token(&[("grant_type", "refresh_token"), ("refresh_token", &token)]).await;
            }
            Step::GiveBack(token) => {
                let Some(token) = self.refreshes.get(token) else { return };
                let form = form(&[("token", token), ("client_id", &self.client)]);
                auth.revoke_token(&form, ISSUER).await.unwrap();
            }
            Step::RevokeGrant(at) | Step::RevokePackage(at) => {
                let packages = auth.packages(&self.bench.owner).await.unwrap();
                let Some(package) = packages.get(at) else { return };
                let which = match step {
                    Step::RevokeGrant(_) => {
                        GrantSelector::Grant(package.grants[0].grant_id.clone())
                    }
                    _ => GrantSelector::Package(package.package_id.clone()),
                };
                auth.revoke(&self.bench.owner, &which).await.unwrap();
            }
            Step::Wait(seconds) => self.bench.clock.forward(SignedDuration::from_secs(seconds)),
            Step::Sweep => auth.sweep().await.unwrap(),
        }
    }

    async fn ask(&mut self) {
        let auth = &self.bench.auth;
        let state = self.requests.len().to_string();
        let form = form(&[
            ("response_type", "code"),
            ("client_id", &self.client),
            ("redirect_uri", CALLBACK),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", &state),
        ]);
        let question =
            AuthorizeQuestion { form, issuer: ISSUER, session: &self.session, from: None };
        if let Ok(asked) = auth.authorize(question).await {
            self.requests.push(asked.request_id);
        }
    }

    async fn approve(&mut self, request: usize, both: bool, once: bool) {
        let auth = &self.bench.auth;
        let Some(id) = self.requests.get(request).cloned() else { return };
        self.session = OwnerSession::new("s".to_owned(), [7; 32], self.bench.clock.now());
        let Ok(reviewed) = auth.save_draft(&id, &draft(both, once)).await else { return };
        let decision = Decision::Approve { digest: reviewed.digest };
        if let Ok(target) = auth.decide(&id, decision, &self.session).await {
            let url = target.url.unwrap();
            let code = url.split("code=").nth(1).unwrap().split('&').next().unwrap();
            self.codes.push(code.to_owned());
        }
    }

    async fn token(&mut self, params: &[(&str, &str)]) {
        let client = self.client.clone();
        let mut params = params.to_vec();
        params.push(("client_id", &client));
        let question = TokenQuestion { form: form(&params), issuer: ISSUER };
        if let Ok(answer) = self.bench.auth.token(question).await {
            let document = answer.document();
            let text = |name: &str| document[name].as_str().map(str::to_owned);
            self.accesses.extend(text("access_token"));
            self.refreshes.extend(text("refresh_token"));
        }
    }

    async fn check(&mut self) {
        self.check_requests().await;
        self.check_packages().await;
        self.check_tokens().await;
        let chain = self.bench.auth.verify_audit(&self.bench.owner).await.unwrap();
        assert!(matches!(chain, pdpp_contract::access::AuditChain::Intact { .. }), "{chain:?}");
    }

    /// No transition leaves a final state.
    async fn check_requests(&mut self) {
        for id in &self.requests {
            let Ok(pending) = self.bench.auth.pending_authorization(id).await else { continue };
            if let Some(before) = self.finished.get(id) {
                assert_eq!(pending.state, *before);
            }
            if pending.state != RequestState::Open {
                self.finished.insert(id.clone(), pending.state);
            }
        }
    }

    /// A live package has a live grant, an ended one stays ended, and no grant's words change.
    async fn check_packages(&mut self) {
        for package in self.bench.store.list_packages().await.unwrap() {
            let id = package.package_id.to_string();
            if package.revoked_at.is_none() {
                assert!(package.grants.iter().any(|grant| grant.revoked_at.is_none()), "{id}");
                assert!(!self.ended_packages.contains(&id), "{id} came back");
            } else {
                self.ended_packages.insert(id);
            }
            for grant in package.grants {
                let before =
                    self.grants.insert(grant.grant_id.to_string(), grant.grant_json.clone());
                assert!(before.is_none_or(|before| before == grant.grant_json));
            }
        }
    }

    /// What is live stands on a live family and package; what died stays dead; one refresh token of
    /// a family is active.
    async fn check_tokens(&mut self) {
        let (auth, store, now) = (&self.bench.auth, &self.bench.store, self.bench.clock.now());
        for access in &self.accesses {
            let live = auth.verify(access).await.is_ok();
            if !live {
                self.dead.insert(access.clone());
                continue;
            }
            assert!(!self.dead.contains(access), "a dead token came back");
            let family = store.family_of_access(&TokenHash::of(access)).await.unwrap().unwrap();
            assert!(family.revoked_at.is_none() && family.expires_at > now);
            assert!(family.package.revoked_at.is_none());
            let summary = auth.packages(&self.bench.owner).await.unwrap();
            let package = summary.iter().find(|one| one.package_id == family.package.package_id);
            assert_eq!(package.unwrap().standing, Standing::Live);
        }
        let mut active: BTreeMap<i64, BTreeSet<&str>> = BTreeMap::new();
        for refresh in &self.refreshes {
            let Some(kept) = store.find_refresh(&TokenHash::of(refresh)).await.unwrap() else {
                continue;
            };
            if kept.superseded_at.is_none() {
                active.entry(kept.family.family_no).or_default().insert(refresh);
            }
        }
        assert!(active.values().all(|tokens| tokens.len() == 1), "{active:?}");
    }
}

fn form(params: &[(&str, &str)]) -> Form {
    let pairs = params.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Form::new(pairs.collect()).unwrap()
}

fn draft(both: bool, once: bool) -> ConsentDraft {
    let entry = |id: &str| DraftEntry {
        connection_id: id.parse().unwrap(),
        stream: "messages".parse().unwrap(),
        fields: None,
        time: None,
    };
    let connections: &[&str] = if both { &["cin_work", "cin_home"] } else { &["cin_work"] };
    ConsentDraft {
        entries: connections.iter().map(|id| entry(id)).collect(),
        access_mode: if once { AccessMode::SingleUse } else { AccessMode::Continuous },
        expires_in: None,
        leave_out_codes: false,
        leave_out_secrets: false,
        agrees_to_training: false,
        replaces: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_invariants_hold_whatever_happens(steps in proptest::collection::vec(step(), 1..50)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut play = Play::new().await;
            for _ in 0..3 {
                play.take(Step::Ask).await;
            }
            for step in steps {
                play.take(step).await;
                play.check().await;
            }
        });
    }
}

/// The same store twice with the same steps says the same: nothing depends on the wall clock.
#[tokio::test]
async fn a_sign_in_can_be_replayed() {
    let mut answers: Vec<Value> = Vec::new();
    for _ in 0..2 {
        let mut play = Play::new().await;
        play.take(Step::Ask).await;
        play.take(Step::Approve { request: 0, both: true, once: false }).await;
        play.take(Step::Redeem(0)).await;
        play.take(Step::Refresh(0)).await;
        answers.push(json!([play.requests, play.codes, play.refreshes, play.accesses]));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0][2].as_array().unwrap().len(), 2);
}
