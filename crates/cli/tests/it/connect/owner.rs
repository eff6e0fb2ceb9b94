//! The owner in a browser, as far as HTTP can tell: signs in, picks, decides.

use std::cell::RefCell;

use crate::program::Home;
use crate::running::Running;

pub const PASSWORD: &str = "three quiet words";

pub struct Owner {
    agent: ureq::Agent,
    base: String,
    cookie: RefCell<String>,
}

/// Status, place to go to, text.
pub struct Page {
    pub status: u16,
    pub location: String,
    pub text: String,
}

impl Owner {
    /// Sets the password on the machine and signs in over HTTP.
    pub fn new(home: &Home, server: &Running) -> Self {
        let store = home.data_dir().join("demo");
        let mut arguments = vec!["--data-dir", store.to_str().unwrap()];
        let database = home.demo_url();
        if let Some(url) = &database {
            arguments.extend(["--database-url", url]);
        }
        Self::of_store(home, server, &arguments)
    }

    /// The same for the store that these options name.
    pub fn of_store(home: &Home, server: &Running, options: &[&str]) -> Self {
        let arguments = [&["owner", "password"], options].concat();
        let set = home.run_with_input(&arguments, format!("{PASSWORD}\n").as_bytes());
        assert_eq!(set.code, 0, "{}", set.stderr);
        let agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let base = server.ready["base_url"].as_str().unwrap().to_owned();
        let owner = Self { agent: agent.build().into(), base, cookie: RefCell::default() };
        owner.enter("");
        owner
    }

    /// Types the password for the page `next`; answers where it is in the session that began.
    fn enter(&self, next: &str) -> String {
        let page = self.send("/owner/login", &[("password", PASSWORD), ("next", next)]);
        assert_eq!(page.status, 303, "{}", page.text);
        assert!(page.location.starts_with("/owner/s/"), "{}", page.location);
        page.location
    }

    pub fn open(&self, place: &str) -> Page {
        let url =
            if place.starts_with('/') { format!("{}{place}", self.base) } else { place.to_owned() };
        let request = self.agent.get(&url).header("Cookie", self.cookie.borrow().as_str());
        self.read(request.call().unwrap())
    }

    pub fn send(&self, place: &str, fields: &[(&str, &str)]) -> Page {
        let url = format!("{}{place}", self.base);
        let request = self.agent.post(&url).header("Origin", &self.base);
        let request = request.header("Cookie", self.cookie.borrow().as_str());
        self.read(request.send_form(fields.iter().copied()).unwrap())
    }

    fn read(&self, mut response: ureq::http::Response<ureq::Body>) -> Page {
        let header = |name: &str| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let (cookie, location) = (header("set-cookie"), header("location"));
        if let Some(pair) = cookie.split(';').next().filter(|pair| !pair.is_empty()) {
            self.cookie.replace(pair.to_owned());
        }
        let status = response.status().as_u16();
        Page { status, location, text: response.body_mut().read_to_string().unwrap() }
    }

    /// What a place says to somebody without a token.
    pub fn challenge_at(&self, url: &str) -> String {
        let response = self.agent.post(url).send("{}").unwrap();
        assert_eq!(response.status().as_u16(), 401);
        response.headers()["www-authenticate"].to_str().unwrap().to_owned()
    }

    /// Types the code that a device shows, and decides.
    pub fn decide_device(&self, code: &str, decision: &str) {
        let place = self.enter("/device");
        let page = self.open(&place).text;
        let csrf_token = (*values(&page, "name=\"csrf_token\"").last().unwrap()).to_owned();
        let found = self.send(&place, &[("csrf_token", &csrf_token), ("user_code", code)]);
        assert!(found.location.contains("/consent/areq_"), "{}", found.text);
        self.decide_at(&found.location, decision);
    }

    /// Opens an agent's question and decides it; answers where the browser goes.
    pub fn decide(&self, question: &str, decision: &str) -> String {
        let login = self.open(question).location;
        assert!(login.starts_with("/owner/login?next="), "{login}");
        let asked = self.open(&self.enter(question.strip_prefix(&self.base).unwrap_or(question)));
        assert!(asked.location.contains("/consent/areq_"), "{}", asked.text);
        self.decide_at(&asked.location, decision)
    }

    pub fn decide_at(&self, place: &str, decision: &str) -> String {
        let first = self.open(place).text;
        let streams: Vec<&str> = values(&first, "name=\"stream\"");
        assert!(streams.len() > 3, "{first}");
        // The first CSRF token of a page may be the one for signing out.
        let csrf_token = (*values(&first, "name=\"csrf_token\"").last().unwrap()).to_owned();
        let mut chosen = vec![("csrf_token", csrf_token.as_str()), ("mode", "on"), ("life", "90d")];
        chosen.extend(streams.iter().map(|stream| ("stream", *stream)));
        let all: Vec<String> = streams.iter().map(|stream| format!("all:{stream}")).collect();
        chosen.extend(all.iter().map(|name| (name.as_str(), "yes")));
        let drafted = self.send(&format!("{place}/draft"), &chosen);
        let shown =
            if drafted.status == 303 { self.open(&drafted.location).text } else { drafted.text };
        let digest = values(&shown, "name=\"digest\"")[0].to_owned();
        chosen.extend([("digest", digest.as_str()), ("decision", decision)]);
        let decided = self.send(&format!("{place}/decision"), &chosen);
        assert_eq!(decided.status, 200, "{}", decided.text);
        let links = decided.text.split("href=\"").filter_map(|part| part.split('"').next());
        let link = links.into_iter().find(|link| link.contains("iss=")).unwrap_or_default();
        link.replace("&amp;", "&").replace("&#38;", "&")
    }
}

/// The values of inputs that carry an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let inputs = page
        .split("<input ")
        .skip(1)
        .filter(|input| input.split('>').next().is_some_and(|input| input.contains(attribute)));
    let value = |input: &'a str| input.split("value=\"").nth(1)?.split('"').next();
    inputs.filter_map(value).collect()
}
