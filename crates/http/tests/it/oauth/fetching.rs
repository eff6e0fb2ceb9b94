//! The fetch of a client's document, over a network that lies.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pdpp_auth::oauth::{DocumentFetcher as _, FetchFault, Fetched, OauthOptions};
use pdpp_http::{HttpOptions, Network, SafeFetcher, Stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::signing_in::*;
use crate::client::Call;

const URL: &str = "https://app.example/client.json";

/// Names lead where the test says, and every connection is answered with the same bytes.
struct FakeNetwork {
    addresses: Mutex<Vec<Vec<IpAddr>>>,
    answer: Vec<u8>,
    resolved: AtomicUsize,
    connected: Mutex<Vec<SocketAddr>>,
    heads: Arc<Mutex<Vec<String>>>,
    stalls: bool,
}

impl FakeNetwork {
    fn new(addresses: &[&[&str]], answer: impl Into<Vec<u8>>) -> Arc<Self> {
        let parse = |list: &&[&str]| list.iter().map(|text| text.parse().unwrap()).collect();
        Arc::new(Self {
            addresses: Mutex::new(addresses.iter().map(parse).collect()),
            answer: answer.into(),
            resolved: AtomicUsize::new(0),
            connected: Mutex::default(),
            heads: Arc::default(),
            stalls: false,
        })
    }

    fn public(answer: impl Into<Vec<u8>>) -> Arc<Self> {
        Self::new(&[&["93.184.216.34"]], answer)
    }

    async fn fetch(self: &Arc<Self>, url: &str) -> Result<Fetched, FetchFault> {
        let network: Arc<dyn Network> = Arc::clone(self) as _;
        SafeFetcher::over(network, Duration::from_millis(500)).fetch(url, 5_120).await
    }

    fn connected(&self) -> Vec<String> {
        self.connected.lock().unwrap().iter().map(ToString::to_string).collect()
    }
}

#[async_trait]
impl Network for FakeNetwork {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        self.resolved.fetch_add(1, Ordering::SeqCst);
        let mut lists = self.addresses.lock().unwrap();
        Ok(if lists.len() > 1 { lists.remove(0) } else { lists[0].clone() })
    }

    async fn connect(&self, _: &str, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        self.connected.lock().unwrap().push(address);
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let heads = Arc::clone(&self.heads);
        tokio::spawn(serve(theirs, self.answer.clone(), self.stalls, heads));
        Ok(Box::new(ours))
    }
}

async fn serve(
    mut stream: DuplexStream,
    answer: Vec<u8>,
    stalls: bool,
    heads: Arc<Mutex<Vec<String>>>,
) {
    let mut head = [0; 4_096];
    let length = stream.read(&mut head).await.unwrap_or(0);
    heads.lock().unwrap().push(String::from_utf8_lossy(&head[..length]).into_owned());
    let _ = stream.write_all(&answer).await;
    if stalls {
        // The rest never comes.
        std::future::pending::<()>().await;
    }
}

fn json_answer(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{headers}\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

#[tokio::test]
async fn a_document_of_a_public_site_is_fetched_with_its_age() {
    let network = FakeNetwork::public(json_answer("Cache-Control: public, max-age=600\r\n", "{}"));
    let fetched = network.fetch(URL).await.unwrap();
    assert_eq!(fetched, Fetched { body: "{}".to_owned(), max_age_seconds: Some(600) });
    assert_eq!(network.connected(), ["93.184.216.34:443"]);
}

#[tokio::test]
async fn t_ssrf_1_a_name_that_leads_inside_is_never_connected_to() {
    for inside in [
        "127.0.0.1",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "::ffff:127.0.0.1",
        "fd00::1",
        "fe80::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ] {
        let network = FakeNetwork::new(&[&["93.184.216.34", inside]], json_answer("", "{}"));
        assert!(network.fetch(URL).await.is_err(), "{inside}");
        assert!(network.connected().is_empty(), "{inside}");
    }
    let many = ["93.184.216.34"; 9];
    let network = FakeNetwork::new(&[&many], json_answer("", "{}"));
    assert!(network.fetch(URL).await.is_err());
    for bad in ["http://app.example/x", "https://app.example:8443/x", "ftp://app.example/", "x"] {
        let network = FakeNetwork::public(json_answer("", "{}"));
        assert!(network.fetch(bad).await.is_err(), "{bad}");
        assert_eq!(network.resolved.load(Ordering::SeqCst), 0, "{bad}");
    }
}

#[tokio::test]
async fn t_ssrf_2_a_name_that_changes_after_the_check_changes_nothing() {
    let lists: [&[&str]; 2] = [&["93.184.216.34"], &["127.0.0.1"]];
    let network = FakeNetwork::new(&lists, json_answer("", "{}"));
    network.fetch(URL).await.unwrap();
    assert_eq!(network.resolved.load(Ordering::SeqCst), 1, "resolved once");
    assert_eq!(network.connected(), ["93.184.216.34:443"], "and used as checked");
}

#[tokio::test]
async fn t_ssrf_3_a_redirect_is_not_followed() {
    let answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n";
    let network = FakeNetwork::public(answer);
    assert!(network.fetch(URL).await.is_err());
    assert_eq!(network.connected().len(), 1);
}

#[tokio::test]
async fn t_ssrf_4_large_slow_packed_and_foreign_answers_are_cut_off() {
    let large = json_answer("", &"x".repeat(6_000));
    let packed = json_answer("Content-Encoding: gzip\r\n", "{}");
    let html = json_answer("", "{}").replace("application/json", "text/html");
    let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned();
    for answer in [large, packed, html, missing, "nonsense\r\n\r\n".to_owned()] {
        let network = FakeNetwork::public(answer.clone());
        assert!(network.fetch(URL).await.is_err(), "{answer}");
    }
    let cut = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let mut slow = FakeNetwork::public(cut);
    Arc::get_mut(&mut slow).unwrap().stalls = true;
    assert_eq!(slow.fetch(URL).await, Err(FetchFault("the site took too long")));
}

/// The only call that this server makes on its own: what came in with the owner stays here.
#[tokio::test]
async fn t_aud_3_what_goes_out_carries_nothing_that_came_in() {
    let id = "https://app.example/client.json";
    let document =
        serde_json::json!({"client_id": id, "client_name": "App", "redirect_uris": [CALLBACK]});
    let network = FakeNetwork::public(json_answer("", &document.to_string()));
    let over: Arc<dyn Network> = Arc::clone(&network) as _;
    let fetcher = Arc::new(SafeFetcher::over(over, Duration::from_secs(5)));
    let oauth = OauthOptions { fetcher: Some(fetcher) };
    let desk = Desk::with(HttpOptions::default(), oauth).await;
    let query = encoded(&question(id, &[("state", "the-state")]));
    let call =
        Call::get(&format!("{}/authorize?{query}", desk.root)).header("Cookie", &desk.cookie);
    let call =
        call.header("X-Api-Key", "an-inbound-secret").header("Referer", "https://owner.example/");
    assert_eq!(desk.send(call).await.status, 303);
    let heads = network.heads.lock().unwrap().clone();
    assert_eq!(heads.len(), 1);
    let head = heads[0].to_lowercase();
    assert!(
        head.starts_with("get /client.json http/1.1") && head.contains("app.example"),
        "{head}"
    );
    let session = desk.cookie.split_once('=').unwrap().1.to_lowercase();
    for kept in
        ["cookie", "authorization", "referer", "the-state", "inbound", session.as_str(), &desk.root]
    {
        assert!(!head.contains(kept), "{kept}: {head}");
    }
}
