//! Where a token may stand: in the Authorization header, once, and nowhere else.

use axum::http::{HeaderMap, Uri, header};
use pdpp_contract::credentials::holds_owner_credential;
use pdpp_contract::{ApiError, ErrorCode};

use crate::mcp;
use crate::params::Params;

/// What our tokens begin with.
const TOKEN_PREFIX: &str = "pdpp_";
/// Shorter text is a word, not a token.
const TOKEN_BYTES: usize = 40;
/// Parameter names by which clients send tokens in a URL.
const TOKEN_PARAMS: [&str; 6] =
    ["access_token", "api_key", "authorization", "bearer", "bearer_token", "token"];

/// Whether a text has the shape of one of our tokens. Such a text is never repeated or logged.
pub fn looks_like_token(text: &str) -> bool {
    text.len() >= TOKEN_BYTES && text.starts_with(TOKEN_PREFIX)
}

/// Refuses tokens in the URL or in a cookie: both end up in histories, logs and other sites' hands.
pub fn check_placement(uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
    // A query string that cannot be decoded is refused by the route that reads it.
    if let Ok(params) = Params::parse(uri.query())
        && params.pairs().any(|(name, value)| is_token_param(name, value))
    {
        return Err(misplaced("the query string"));
    }
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut cookies = cookies.filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(';'));
    if cookies.any(|cookie| cookie.split('=').any(|part| looks_like_token(part.trim()))) {
        return Err(misplaced("a cookie"));
    }
    Ok(())
}

/// Refuses a request that carries an owner's credential anywhere but in its body.
pub fn check_no_owner(uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
    // Decoded as far as it goes: what cannot be decoded hides nothing beside it.
    let mut query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let in_query =
        query.any(|(name, value)| holds_owner_credential(&name) || holds_owner_credential(&value));
    let raw = holds_owner_credential(&uri.to_string());
    let mut values = headers.values().map(|value| String::from_utf8_lossy(value.as_bytes()));
    if raw || in_query || values.any(|value| holds_owner_credential(&value)) {
        return Err(mcp::owner_credential());
    }
    Ok(())
}

/// The bearer of the Authorization header.
pub fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (values.next(), values.next());
    if second.is_some() {
        let message = "give one Authorization header";
        return Err(ApiError::new(ErrorCode::InvalidRequest, message).param("Authorization"));
    }
    let bearer = first.and_then(|value| value.to_str().ok()).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
    });
    bearer.filter(|token| !token.is_empty() && !token.contains([' ', ','])).ok_or_else(|| {
        let message = "send an access token as `Authorization: Bearer …`";
        ApiError::new(ErrorCode::AuthenticationError, message)
    })
}

fn is_token_param(name: &str, value: &str) -> bool {
    // A filter value is data: the owner may look for a token that leaked into a record.
    let is_data = name.starts_with("filter[") || name == "q";
    let by_name = TOKEN_PARAMS.iter().any(|known| name.eq_ignore_ascii_case(known));
    by_name || looks_like_token(name) || (!is_data && looks_like_token(value))
}

fn misplaced(place: &str) -> ApiError {
    let message =
        format!("a token must not stand in {place}; send it as `Authorization: Bearer …`");
    ApiError::new(ErrorCode::InvalidRequest, message).param("Authorization")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> String {
        format!("{TOKEN_PREFIX}at_{}", "x".repeat(43))
    }

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    #[test]
    fn an_owner_s_credential_hides_behind_nothing_that_cannot_be_decoded() {
        let secret = format!("pdpp_owner_{}", "x".repeat(49));
        let rest = secret.split_at(1).1;
        for query in ["y=%zz".to_owned(), "y=%ff".to_owned()] {
            let uri: Uri = format!("/mcp?x=%70{rest}&{query}").parse().unwrap();
            assert!(check_no_owner(&uri, &HeaderMap::new()).is_err(), "{query}");
        }
        let mut bytes = secret.into_bytes();
        bytes.extend_from_slice(b" \xe9");
        let value = axum::http::HeaderValue::from_bytes(&bytes).unwrap();
        let headers = HeaderMap::from_iter([("x-api-key".parse().unwrap(), value)]);
        assert!(check_no_owner(&Uri::from_static("/mcp"), &headers).is_err());
    }

    #[test]
    fn a_token_in_the_url_is_refused_and_not_repeated() {
        for query in [
            "access_token=short".to_owned(),
            "Token=x".to_owned(),
            format!("cursor={}", token()),
            format!("{}=1", token()),
            format!("cursor=%70{}", token().split_at(1).1),
        ] {
            let uri: Uri = format!("/v1/streams?{query}").parse().unwrap();
            let fault = check_placement(&uri, &HeaderMap::new()).unwrap_err();
            assert_eq!(fault.code, ErrorCode::InvalidRequest, "{query}");
            assert!(!format!("{fault:?}").contains(&token()), "{query}");
        }
        let uri: Uri = format!("/v1/streams/x/records?filter[a]={}", token()).parse().unwrap();
        assert!(check_placement(&uri, &HeaderMap::new()).is_ok());
    }

    #[test]
    fn a_token_in_a_cookie_is_refused_and_other_cookies_are_not_ours() {
        let uri: Uri = "/v1/streams".parse().unwrap();
        let ours = headers("cookie", &format!("theme=dark; session={}", token()));
        assert!(check_placement(&uri, &ours).is_err());
        assert!(check_placement(&uri, &headers("cookie", "token=abc; theme=dark")).is_ok());
    }

    #[test]
    fn only_one_plain_bearer_header_counts() {
        assert_eq!(bearer(&headers("authorization", "bEaReR abc")).unwrap(), "abc");
        for bad in ["", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer a b", "Bearer a,b"] {
            let fault = bearer(&headers("authorization", bad)).unwrap_err();
            assert_eq!(fault.code, ErrorCode::AuthenticationError, "{bad:?}");
        }
        let mut two = headers("authorization", "Bearer a");
        two.append("authorization", "Bearer b".parse().unwrap());
        assert_eq!(bearer(&two).unwrap_err().code, ErrorCode::InvalidRequest);
    }
}
