//! The address of a server as a person types it: with or without `https://`, with or without `/mcp`.

use std::str::FromStr;

use pdpp_mcp::remote::{InvalidProviderUrl, ProviderUrl};

/// An origin, `https://host[:port]`, and whether it may be asked at all.
#[derive(Debug, Clone)]
pub struct ServerAddress {
    url: String,
    cannot_ask: Option<CannotAsk>,
}

/// Why a server is not even asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CannotAsk {
    /// Plain http to another machine.
    Plain,
}

impl CannotAsk {
    /// The reason, in words.
    pub fn words(self) -> String {
        match self {
            Self::Plain => {
                "the address is plain http to another machine: tokens would be sent unencrypted, \
                 and clients refuse it"
                    .to_owned()
            }
        }
    }
}

impl ServerAddress {
    /// The address without a slash at its end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A path of this server.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Why it is not asked.
    pub fn cannot_ask(&self) -> Option<CannotAsk> {
        self.cannot_ask
    }

    /// Whether the conversation is encrypted.
    pub fn is_https(&self) -> bool {
        self.url.starts_with("https:")
    }

    /// Host and port, to connect to.
    pub fn host_and_port(&self) -> Option<(String, u16)> {
        let uri: http::Uri = self.url.parse().ok()?;
        let authority = uri.authority()?;
        let usual = if self.is_https() { 443 } else { 80 };
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        Some((host.to_owned(), authority.port_u16().unwrap_or(usual)))
    }
}

impl FromStr for ServerAddress {
    type Err = InvalidProviderUrl;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().trim_end_matches('/');
        let text = text.strip_suffix("/mcp").unwrap_or(text);
        match text.parse::<ProviderUrl>() {
            Ok(url) => Ok(Self { url: url.as_str().to_owned(), cannot_ask: None }),
            // That is a finding, not a mistake on the command line.
            Err(InvalidProviderUrl::Plain) => {
                Ok(Self { url: text.to_owned(), cannot_ask: Some(CannotAsk::Plain) })
            }
            Err(fault) => Err(fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_people_type_it() {
        for typed in
            ["data.example.org", "https://data.example.org/", "https://data.example.org/mcp"]
        {
            let address: ServerAddress = typed.parse().unwrap();
            assert_eq!(address.url(), "https://data.example.org");
            assert_eq!(address.host_and_port(), Some(("data.example.org".to_owned(), 443)));
        }
        let local: ServerAddress = "http://[::1]:7667/mcp/".parse().unwrap();
        assert_eq!(local.host_and_port(), Some(("::1".to_owned(), 7667)));
        let plain: ServerAddress = "http://10.0.0.7:7667".parse().unwrap();
        assert_eq!(plain.cannot_ask(), Some(CannotAsk::Plain));
        assert!("ftp://x".parse::<ServerAddress>().is_err());
    }
}
