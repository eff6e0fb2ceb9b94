//! A browser in which the owner signed in before. It has guesses of its own, which strangers cannot
//! use up; other ports of the same host may see its cookie, so it opens nothing and buys nothing else.

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use pdpp_contract::hex;
use pdpp_contract::ports::Entropy;
use pdpp_store::owner::LoginFailures;
use sha2::Sha256;

/// Wrong passwords that such a browser may give …
const GUESSES: u32 = 5;
/// … within this time, whatever others do.
const WINDOW: SignedDuration = SignedDuration::from_hours(1);
/// Cookies that are looked at; more of one name were planted.
const MOST_LOOKED_AT: usize = 16;

/// A browser that proved to be known.
pub(super) struct KnownBrowser {
    /// Its cookie, which it keeps: one for each sign-in would give whoever collects them more guesses.
    pub(super) cookie: String,
    /// The name under which its wrong guesses are counted.
    pub(super) name: String,
}

/// A cookie for a browser that is not known yet. It ends with the password it was made for.
pub(super) fn mint(entropy: &dyn Entropy, password_hash: &str) -> String {
    let mut random = [0_u8; 16];
    entropy.fill(&mut random);
    let id = hex(&random);
    let proof = hex(&mac(&id, password_hash).finalize().into_bytes());
    format!("{id}.{proof}")
}

/// The first of these cookies that was made here.
pub(super) fn find(cookies: &[String], password_hash: Option<&str>) -> Option<KnownBrowser> {
    let password_hash = password_hash?;
    let known = |cookie: &&String| {
        let Some((id, proof)) = cookie.split_once('.') else { return false };
        let expected = hex(&mac(id, password_hash).finalize().into_bytes());
        bool::from(subtle::ConstantTimeEq::ct_eq(expected.as_bytes(), proof.as_bytes()))
    };
    let cookie = cookies.iter().take(MOST_LOOKED_AT).find(known)?;
    let id = cookie.split_once('.').map_or("", |(id, _)| id);
    Some(KnownBrowser { cookie: cookie.clone(), name: format!("browser {id}") })
}

/// Whether a browser has a guess of its own left: after each fifth one it waits for an hour.
pub(super) fn has_guess(failures: Option<LoginFailures>, now: Timestamp) -> bool {
    failures.is_none_or(|failures| {
        failures.count % GUESSES != 0 || now.duration_since(failures.last_at) >= WINDOW
    })
}

#[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
fn mac(id: &str, password_hash: &str) -> Hmac<Sha256> {
    let key = Hmac::<Sha256>::new_from_slice(password_hash.as_bytes());
    let mut mac = key.expect("a key of any length");
    mac.update(b"pdpp known browser\0");
    mac.update(id.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use pdpp_testkit::RepeatedByte;

    use super::*;

    #[test]
    fn a_browser_is_known_by_a_cookie_that_was_made_for_this_password() {
        let cookie = mint(&RepeatedByte(7), "a hash");
        let planted = ["", ".", "junk", "junk.junk"].map(str::to_owned);
        let cookies = [planted.to_vec(), vec![cookie.clone()]].concat();
        let found = find(&cookies, Some("a hash")).unwrap();
        assert_eq!((found.cookie, found.name.len()), (cookie, "browser ".len() + 32));
        assert!(find(&cookies, Some("another hash")).is_none());
        assert!(find(&cookies, None).is_none() && find(&planted, Some("a hash")).is_none());
    }

    #[test]
    fn five_guesses_an_hour_are_a_browser_s_own() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        let failed = |count, minutes_ago: i64| {
            let last_at = now - SignedDuration::from_mins(minutes_ago);
            has_guess(Some(LoginFailures { count, last_at }), now)
        };
        assert!(has_guess(None, now) && failed(4, 0) && !failed(5, 0) && !failed(5, 59));
        assert!(failed(5, 60) && failed(6, 0) && failed(9, 0) && !failed(10, 0));
    }
}
