//! Encryption on the way to the server, in the words of a Postgres URL.
//!
//! `sslmode` means what it means to other Postgres programs: `prefer` and `require` encrypt without
//! asking who the server is, `verify-full` also checks its certificate, against the system's
//! authorities or those of `sslrootcert`.

mod stream;
mod trust;

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::ring::default_provider;
use tokio_postgres::config::SslMode;

pub(crate) use stream::Tls;

use crate::error::{StoreError, StoreResult};

/// How much of the server a URL wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    Anybody,
    Certified,
}

/// What a URL says about encryption, and the URL without what the driver does not read.
pub(crate) struct Encryption {
    pub(crate) url: String,
    pub(crate) mode: SslMode,
    trust: Trust,
    authorities: Option<String>,
}

impl Encryption {
    /// Reads `sslmode` and `sslrootcert` out of a URL.
    pub(crate) fn of(url: &str) -> StoreResult<Self> {
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut trust, mut authorities) = (SslMode::Prefer, Trust::Anybody, None);
        let mut others = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("sslmode", "disable")) => mode = SslMode::Disable,
                Some(("sslmode", "allow" | "prefer")) => mode = SslMode::Prefer,
                Some(("sslmode", "require")) => mode = SslMode::Require,
                Some(("sslmode", "verify-ca" | "verify-full")) => {
                    (mode, trust) = (SslMode::Require, Trust::Certified);
                }
                Some(("sslmode", _)) => {
                    let known = "sslmode is disable, prefer, require or verify-full";
                    return Err(StoreError::BadUrl(known.to_owned()));
                }
                Some(("sslrootcert", path)) => authorities = Some(path.replace("%2F", "/")),
                _ => others.push(part),
            }
        }
        let query = others.join("&");
        let url = if query.is_empty() { address.to_owned() } else { format!("{address}?{query}") };
        Ok(Self { url, mode, trust, authorities })
    }

    /// What makes connections encrypted.
    pub(crate) fn connector(&self) -> StoreResult<Tls> {
        let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(StoreError::unavailable)?;
        let config = match self.trust {
            Trust::Anybody => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(trust::Anybody::new()))
                .with_no_client_auth(),
            Trust::Certified => builder
                .with_root_certificates(trust::authorities(self.authorities.as_deref())?)
                .with_no_client_auth(),
        };
        Ok(Tls::new(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> (String, SslMode, Trust) {
        let found = Encryption::of(url).unwrap();
        (found.url, found.mode, found.trust)
    }

    #[test]
    fn sslmode_means_what_it_means_elsewhere() {
        let plain = "postgres://h/db";
        assert_eq!(read(plain), (plain.to_owned(), SslMode::Prefer, Trust::Anybody));
        let cases = [
            ("disable", SslMode::Disable, Trust::Anybody),
            ("require", SslMode::Require, Trust::Anybody),
            ("verify-full", SslMode::Require, Trust::Certified),
        ];
        for (word, mode, trust) in cases {
            let url = format!("{plain}?a=b&sslmode={word}&sslrootcert=%2Fca.pem&c=d");
            assert_eq!(read(&url), (format!("{plain}?a=b&c=d"), mode, trust));
            assert_eq!(Encryption::of(&url).unwrap().authorities.as_deref(), Some("/ca.pem"));
        }
        assert!(Encryption::of("postgres://h/db?sslmode=perhaps").is_err());
    }
}
