//! A browser in a few lines: keeps its cookie, sends its origin, follows nothing.

use pdpp_auth::PasswordText;

use crate::client::{Call, Reply};
use crate::world::World;

pub const PASSWORD: &str = "three quiet words";
pub const ORIGIN: &str = "http://localhost";

pub struct Browser<'a> {
    pub world: &'a World,
    pub cookie: Option<String>,
}

impl<'a> Browser<'a> {
    pub fn new(world: &'a World) -> Self {
        Self { world, cookie: None }
    }

    /// A browser in which the owner is signed in.
    pub async fn signed_in(world: &'a World) -> Self {
        let password = PasswordText::new(PASSWORD.to_owned());
        let owner = world.auth.local_owner();
        world.auth.set_owner_password(&owner, password).await.unwrap().unwrap();
        let mut browser = Self::new(world);
        let reply = browser.post("/owner/login", &[("password", PASSWORD)]).await;
        assert_eq!(reply.status, 303, "{}", reply.text());
        browser
    }

    pub fn call(&self, method: &str, target: &str) -> Call {
        let call = Call::new(method, target);
        match &self.cookie {
            Some(cookie) => call.header("Cookie", cookie),
            None => call,
        }
    }

    pub async fn get(&self, target: &str) -> Reply {
        self.call("GET", target).send(self.world.addr).await
    }

    pub async fn post(&mut self, target: &str, fields: &[(&str, &str)]) -> Reply {
        let call = self.call("POST", target).header("Origin", ORIGIN).body(form(fields));
        let reply = call.send(self.world.addr).await;
        if let Some(set) = reply.header("set-cookie") {
            self.cookie = set.split(';').next().map(str::to_owned);
        }
        reply
    }

    /// The mark of the form on a page that posts to `action`.
    pub async fn mark(&self, page: &str, action: &str) -> String {
        let html = self.get(page).await.text().to_owned();
        let form = html.split("<form").find(|form| form.contains(&format!("action=\"{action}\"")));
        let form = form.unwrap_or_else(|| panic!("no form for {action} on {page}: {html}"));
        value_of(form, "mark")
    }
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
