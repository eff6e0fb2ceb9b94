//! From a mail address to a server: the ones we know, else the names that servers usually have.

use crate::settings::ImapSecurity;

/// A server to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerGuess {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub security: ImapSecurity,
}

/// Servers of providers that many people use, by the domain of their addresses.
const KNOWN: &[(&[&str], &str)] = &[
    (&["gmail.com", "googlemail.com"], "imap.gmail.com"),
    (&["outlook.com", "hotmail.com", "live.com", "msn.com"], "outlook.office365.com"),
    (&["icloud.com", "me.com", "mac.com"], "imap.mail.me.com"),
    (&["yahoo.com", "ymail.com", "rocketmail.com"], "imap.mail.yahoo.com"),
    (&["aol.com"], "imap.aol.com"),
    (&["fastmail.com", "fastmail.fm"], "imap.fastmail.com"),
    (&["gmx.de", "gmx.net", "gmx.at", "gmx.ch"], "imap.gmx.net"),
    (&["gmx.com"], "imap.gmx.com"),
    (&["web.de"], "imap.web.de"),
    (&["t-online.de"], "secureimap.t-online.de"),
    (&["posteo.de", "posteo.net"], "posteo.de"),
    (&["mailbox.org"], "imap.mailbox.org"),
    (&["zoho.com"], "imap.zoho.com"),
    (&["yandex.com", "yandex.ru"], "imap.yandex.com"),
];

/// Servers to try for an address, the likeliest first. Empty when this is no address.
pub fn guesses(address: &str) -> Vec<ServerGuess> {
    let Some((user, domain)) = address.rsplit_once('@') else { return Vec::new() };
    let domain = domain.to_ascii_lowercase();
    if user.is_empty() || domain.is_empty() || domain.contains(['/', ':', ' ']) {
        return Vec::new();
    }
    let tls = |host: String| ServerGuess { host, port: 993, security: ImapSecurity::Tls };
    let known = KNOWN.iter().find(|(domains, _)| domains.contains(&domain.as_str()));
    if let Some((_, host)) = known {
        return vec![tls((*host).to_owned())];
    }
    let names = [format!("imap.{domain}"), format!("mail.{domain}"), domain];
    let encrypted = names.iter().cloned().map(tls);
    let upgraded = names.iter().take(2).cloned().map(|host| ServerGuess {
        host,
        port: 143,
        security: ImapSecurity::Starttls,
    });
    encrypted.chain(upgraded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_its_server() {
        assert_eq!(guesses("ann@Gmail.com")[0].host, "imap.gmail.com");
        let own = guesses("ann@example.org");
        assert_eq!((own[0].host.as_str(), own[0].port), ("imap.example.org", 993));
        assert!(own.iter().any(|guess| guess.security == ImapSecurity::Starttls));
        for nothing in ["ann", "@example.org", "ann@", "ann@a/b"] {
            assert_eq!(guesses(nothing), [], "{nothing}");
        }
    }
}
