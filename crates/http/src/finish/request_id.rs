//! The name of one request, on its response, in its error and in the log.

use axum::http::HeaderMap;
use pdpp_contract::ports::Entropy;

/// The header that carries it, both ways.
pub const HEADER: &str = "request-id";

/// Longest id that is taken over from a caller.
const LONGEST: usize = 64;

/// A request's id: the caller's own when it is harmless, else a fresh one.
#[derive(Debug, Clone)]
pub struct RequestId(String);

impl RequestId {
    /// Chooses the id. A caller's id goes into logs, so anything unusual in it is not repeated.
    pub fn choose(headers: &HeaderMap, entropy: &dyn Entropy) -> Self {
        let mut given = headers.get_all(HEADER).iter();
        let (first, second) = (given.next(), given.next());
        let first = first.filter(|_| second.is_none()).and_then(|value| value.to_str().ok());
        match first.filter(|id| harmless(id)) {
            Some(id) => Self(id.to_owned()),
            None => Self::mint(entropy),
        }
    }

    fn mint(entropy: &dyn Entropy) -> Self {
        let mut bytes = [0; 8];
        entropy.fill(&mut bytes);
        Self(format!("req_{:016x}", u64::from_be_bytes(bytes)))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn harmless(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=LONGEST).contains(&id.len())
        && id.bytes().all(plain)
        && !crate::guard::looks_like_token(id)
}

#[cfg(test)]
mod tests {
    use pdpp_testkit::RepeatedByte;

    use super::*;

    fn chosen(given: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for id in given {
            headers.append(HEADER, id.parse().unwrap());
        }
        RequestId::choose(&headers, &RepeatedByte(7)).0
    }

    #[test]
    fn a_harmless_id_is_kept_and_any_other_replaced() {
        assert_eq!(chosen(&["trace-1.a_B"]), "trace-1.a_B");
        let fresh = "req_0707070707070707";
        for bad in ["", "a b", "a\"b", "ünicode", &"x".repeat(65)] {
            assert_eq!(chosen(&[bad]), fresh, "{bad}");
        }
        assert_eq!(chosen(&[]), fresh);
        assert_eq!(chosen(&["a", "b"]), fresh);
    }
}
