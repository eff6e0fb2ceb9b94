//! A browser in a few lines: keeps its cookies and its session's address, sends its origin, follows
//! nothing.

use pdpp_auth::PasswordText;

use crate::client::{Call, Reply};
use crate::world::World;

pub const PASSWORD: &str = "three quiet words";
pub const ORIGIN: &str = "http://localhost";

pub struct Browser<'a> {
    pub world: &'a World,
    /// The session's cookie, and what the session's pages begin with.
    pub cookie: Option<String>,
    pub root: Option<String>,
    /// The cookie that says that the owner signed in here before.
    pub known: Option<String>,
}

impl<'a> Browser<'a> {
    pub fn new(world: &'a World) -> Self {
        Self { world, cookie: None, root: None, known: None }
    }

    /// A browser in which the owner is signed in.
    pub async fn signed_in(world: &'a World) -> Self {
        set_password(world).await;
        let mut browser = Self::new(world);
        let reply = browser.post("/owner/login", &[("password", PASSWORD)]).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        browser
    }

    /// Cookies go where their path allows.
    pub fn call(&self, method: &str, target: &str) -> Call {
        let target = self.at(target);
        let call = Call::new(method, &target);
        let is_inside = self.root.as_ref().is_some_and(|root| target.starts_with(root));
        let is_login = target.starts_with("/owner/login");
        let cookie = if is_inside { &self.cookie } else { &self.known };
        match cookie.as_ref().filter(|_| is_inside || is_login) {
            Some(cookie) => call.header("Cookie", cookie),
            None => call,
        }
    }

    /// The same page among those of this browser's session.
    pub fn at(&self, target: &str) -> String {
        inside(self.root.as_deref(), target)
    }

    pub async fn get(&self, target: &str) -> Reply {
        self.call("GET", target).send(self.world.addr).await
    }

    pub async fn post(&mut self, target: &str, fields: &[(&str, &str)]) -> Reply {
        let call = self.call("POST", target).header("Origin", ORIGIN).body(form(fields));
        let reply = call.send(self.world.addr).await;
        let cookies = reply.headers.iter().filter(|(name, _)| name == "set-cookie");
        for (_, set) in cookies.filter(|(_, set)| !set.contains("Max-Age=0;")) {
            let pair = set.split(';').next().map(str::to_owned);
            let is_session = set.contains("owner_session=");
            *(if is_session { &mut self.cookie } else { &mut self.known }) = pair;
            if is_session {
                let path = set.split("Path=").nth(1).and_then(|rest| rest.split(';').next());
                self.root = path.map(str::to_owned);
            }
        }
        reply
    }

    /// Where an answer leads, as it was before the session had its own addresses.
    pub fn led_to(&self, reply: &Reply) -> String {
        let place = reply.header("location").expect("a place to go to");
        match self.root.as_deref().and_then(|root| place.strip_prefix(root)) {
            Some(rest) => format!("/owner{rest}"),
            None => place.to_owned(),
        }
    }

    /// The CSRF token of the form on a page that posts to `action`.
    pub async fn csrf_token(&self, page: &str, action: &str) -> String {
        let (html, action) = (self.get(page).await.text().to_owned(), self.at(action));
        let form = html.split("<form").find(|form| form.contains(&format!("action=\"{action}\"")));
        let form = form.unwrap_or_else(|| panic!("no form for {action} on {page}: {html}"));
        value_of(form, "csrf_token")
    }
}

/// A place as it is among the pages of a session.
pub fn inside(root: Option<&str>, target: &str) -> String {
    let Some(root) = root else { return target.to_owned() };
    let outside = ["/owner/login", "/owner/setup", "/owner/s/"];
    if outside.into_iter().any(|place| target.starts_with(place)) {
        return target.to_owned();
    }
    for (place, kept) in
        [("/owner/", "/"), ("/device", "/device"), ("/oauth/authorize", "/authorize")]
    {
        if let Some(rest) = target.strip_prefix(place) {
            return format!("{root}{kept}{rest}");
        }
    }
    match target.strip_prefix("/oauth/consent/") {
        Some(request) => format!("{root}/consent/{request}"),
        None => target.to_owned(),
    }
}

/// What the owner does on the machine itself.
pub async fn set_password(world: &World) {
    let password = PasswordText::new(PASSWORD.to_owned());
    let owner = world.auth.local_owner();
    world.auth.set_owner_password(&owner, password).await.unwrap().unwrap();
}

/// The value of a hidden field.
pub fn value_of(html: &str, name: &str) -> String {
    let (_, rest) = html.split_once(&format!("name=\"{name}\" value=\"")).expect(name);
    rest.split('"').next().unwrap().to_owned()
}

/// Fields as a browser encodes them.
pub fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}
