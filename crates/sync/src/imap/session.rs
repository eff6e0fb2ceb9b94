//! A signed-in session with a mail server: the commands that reading needs, none that changes anything.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use imap_proto::{AttributeValue, MailboxDatum, NameAttribute, Response, ResponseCode, Status};

use super::wire::Wire;
use crate::credential::AccountSecret;
use crate::fault::SyncFault;
use crate::settings::{ImapAuth, ImapSettings};

/// Longest text of a server that is repeated to the owner.
const MAX_TOLD_CHARS: usize = 120;

/// A session.
pub struct MailSession {
    wire: Wire,
    settings: ImapSettings,
    capabilities: BTreeSet<String>,
    commands: u64,
    resyncs: bool,
}

/// A folder as the server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name as the server spells it.
    pub name: String,
    /// What stands between a folder and one inside of it.
    pub delimiter: Option<String>,
    /// Whether it holds junk or what was thrown away.
    pub is_waste: bool,
}

/// How a folder stands when it is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenedFolder {
    /// The numbering of its messages.
    pub uid_validity: u32,
    /// The number of the next message.
    pub uid_next: Option<u32>,
    /// The number of its newest change, if it counts changes.
    pub highest_modseq: Option<u64>,
    /// How many messages it has.
    pub exists: u32,
    /// Messages that went since the state that was named.
    pub vanished: Vec<RangeInclusive<u32>>,
    /// Messages that came or changed since then.
    pub changed: Vec<FetchedMessage>,
    /// Whether it told all changes since then.
    pub is_resynced: bool,
}

/// What a server says of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FetchedMessage {
    /// Its number.
    pub uid: u32,
    /// Its flags, if they were told.
    pub flags: Option<Vec<String>>,
    /// Its length.
    pub size_bytes: Option<u32>,
    /// The message itself.
    pub body: Option<Vec<u8>>,
}

impl MailSession {
    /// Connects and signs in.
    pub async fn sign_in(
        settings: &ImapSettings,
        secret: &AccountSecret,
    ) -> Result<Self, SyncFault> {
        let wire = Wire::connect(settings).await?;
        let mut session = Self {
            wire,
            settings: settings.clone(),
            capabilities: BTreeSet::new(),
            commands: 0,
            resyncs: false,
        };
        if settings.security == crate::settings::ImapSecurity::Tls {
            session.greeting().await?;
        }
        session.read_capabilities().await?;
        session.authenticate(secret).await?;
        session.read_capabilities().await?;
        if session.can("ENABLE") && session.can("QRESYNC") {
            session.resyncs = session.run("ENABLE QRESYNC", &mut |_| {}).await?.is_ok();
        }
        Ok(session)
    }

    /// Whether the server has a capability.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }

    /// Whether the server counts changes.
    pub fn counts_changes(&self) -> bool {
        self.can("CONDSTORE") || self.can("QRESYNC")
    }

    /// Bytes that the server has sent.
    pub fn received(&self) -> u64 {
        self.wire.received()
    }

    /// Every folder that holds messages, by name.
    pub async fn list(&mut self) -> Result<Vec<Listed>, SyncFault> {
        let mut listed = Vec::new();
        let command = if self.can("SPECIAL-USE") && self.can("LIST-EXTENDED") {
            r#"LIST "" "*" RETURN (SPECIAL-USE)"#
        } else {
            r#"LIST "" "*""#
        };
        let mut take = |response: &Response<'_>| {
            let Response::MailboxData(MailboxDatum::List(found)) = response else { return };
            let has = |wanted: &NameAttribute<'_>| found.name_attributes.contains(wanted);
            let gone = found.name_attributes.iter().any(|attribute| {
                matches!(attribute, NameAttribute::Extension(name)
                    if name.eq_ignore_ascii_case("\\NonExistent"))
            });
            if has(&NameAttribute::NoSelect) || gone {
                return;
            }
            listed.push(Listed {
                name: found.name.to_string(),
                delimiter: found.delimiter.as_ref().map(ToString::to_string),
                is_waste: has(&NameAttribute::Junk) || has(&NameAttribute::Trash),
            });
        };
        let done = self.run(command, &mut take).await?;
        self.expect(done, "the list of folders")?;
        listed.sort_by(|one, other| one.name.cmp(&other.name));
        listed.dedup_by(|one, other| one.name == other.name);
        Ok(listed)
    }

    /// Opens a folder without the right to change it. With the state that was read last, a server that can
    /// tells what changed since. `None` when there is no such folder.
    pub async fn open(
        &mut self,
        folder: &str,
        since: Option<(u32, u64)>,
    ) -> Result<Option<OpenedFolder>, SyncFault> {
        let name = quoted(folder);
        let command = match since {
            Some((validity, modseq)) if self.resyncs => {
                format!("EXAMINE {name} (QRESYNC ({validity} {modseq}))")
            }
            _ if self.counts_changes() => format!("EXAMINE {name} (CONDSTORE)"),
            _ => format!("EXAMINE {name}"),
        };
        let mut opened = OpenedFolder {
            is_resynced: since.is_some() && self.resyncs,
            ..OpenedFolder::default()
        };
        let done = self.run(&command, &mut |response| note_opened(&mut opened, response)).await?;
        if let Err(refusal) = done {
            return if refusal.is_no {
                Ok(None)
            } else {
                Err(self.unexpected(folder_words(), &refusal))
            };
        }
        if opened.uid_validity == 0 {
            return Err(self.wire.unexpected("a folder without UIDVALIDITY"));
        }
        opened.is_resynced &= since.is_some_and(|(validity, _)| validity == opened.uid_validity);
        Ok(Some(opened))
    }

    /// Flags and lengths of all messages of the open folder.
    pub async fn list_messages(&mut self) -> Result<Vec<FetchedMessage>, SyncFault> {
        self.fetch("UID FETCH 1:* (UID FLAGS RFC822.SIZE)").await
    }

    /// Flags of the messages that changed since a state.
    pub async fn changed_since(&mut self, modseq: u64) -> Result<Vec<FetchedMessage>, SyncFault> {
        self.fetch(&format!("UID FETCH 1:* (UID FLAGS) (CHANGEDSINCE {modseq})")).await
    }

    /// Lengths of messages.
    pub async fn sizes(&mut self, uids: &[u32]) -> Result<Vec<FetchedMessage>, SyncFault> {
        self.fetch(&format!("UID FETCH {} (UID FLAGS RFC822.SIZE)", uid_set(uids))).await
    }

    /// Whole messages, without marking them as read.
    pub async fn messages(&mut self, uids: &[u32]) -> Result<Vec<FetchedMessage>, SyncFault> {
        self.fetch(&format!("UID FETCH {} (UID FLAGS BODY.PEEK[])", uid_set(uids))).await
    }

    /// Ends the session. The answer does not matter.
    pub async fn log_out(mut self) {
        let _ = self.run("LOGOUT", &mut |_| {}).await;
    }

    async fn fetch(&mut self, command: &str) -> Result<Vec<FetchedMessage>, SyncFault> {
        let mut all = Vec::new();
        let done = self.run(command, &mut |response| all.extend(fetched(response))).await?;
        self.expect(done, "messages")?;
        Ok(all)
    }

    async fn greeting(&mut self) -> Result<(), SyncFault> {
        let response = self.wire.response().await?;
        let refusal = match Response::parse(&response) {
            Ok((_, Response::Data { status: Status::Ok | Status::PreAuth, .. })) => return Ok(()),
            Ok((_, Response::Data { outcome, .. })) => {
                outcome.information.map(|text| text.to_string()).unwrap_or_default()
            }
            _ => return Err(self.wire.unexpected("its greeting; is this a mail server?")),
        };
        Err(self.unavailable(&refusal))
    }

    async fn read_capabilities(&mut self) -> Result<(), SyncFault> {
        let mut found = BTreeSet::new();
        let mut take = |response: &Response<'_>| {
            let Response::Capabilities(capabilities) = response else { return };
            for capability in capabilities {
                found.insert(match capability {
                    imap_proto::Capability::Imap4rev1 => "IMAP4REV1".to_owned(),
                    imap_proto::Capability::Auth(way) => {
                        format!("AUTH={}", way.to_ascii_uppercase())
                    }
                    imap_proto::Capability::Atom(name) => name.to_ascii_uppercase(),
                });
            }
        };
        let done = self.run("CAPABILITY", &mut take).await?;
        self.expect(done, "its capabilities")?;
        self.capabilities = found;
        Ok(())
    }

    async fn authenticate(&mut self, secret: &AccountSecret) -> Result<(), SyncFault> {
        let (user, host) = (self.settings.user.clone(), self.settings.host.clone());
        let done = match self.settings.auth {
            ImapAuth::Xoauth2 => {
                let words = format!("user={user}\u{1}auth=Bearer {}\u{1}\u{1}", secret.reveal());
                self.with_initial("XOAUTH2", &words).await?
            }
            ImapAuth::Password if self.can("AUTH=PLAIN") => {
                let words = format!("\0{user}\0{}", secret.reveal());
                self.with_initial("PLAIN", &words).await?
            }
            ImapAuth::Password => {
                let command = format!("LOGIN {} {}", quoted(&user), quoted(secret.reveal()));
                self.run(&command, &mut |_| {}).await?
            }
        };
        match done {
            Ok(()) => Ok(()),
            Err(refusal) if refusal.passes() => Err(self.unavailable(&refusal.text)),
            Err(refusal) if refusal.is_no => Err(SyncFault::Password { host, user }),
            Err(refusal) => Err(self.unexpected("signing in", &refusal)),
        }
    }

    /// Signs in with words that the server is sent at once or when it asks for them.
    async fn with_initial(
        &mut self,
        way: &str,
        words: &str,
    ) -> Result<Result<(), Refusal>, SyncFault> {
        let encoded = zeroize::Zeroizing::new(STANDARD.encode(words));
        let tag = self.next_tag();
        let mut pending = Some(&*encoded);
        let line = if self.can("SASL-IR") {
            zeroize::Zeroizing::new(format!(
                "{tag} AUTHENTICATE {way} {}",
                pending.take().map_or("", |text| text.as_str())
            ))
        } else {
            zeroize::Zeroizing::new(format!("{tag} AUTHENTICATE {way}"))
        };
        self.wire.send(&line).await?;
        loop {
            let response = self.wire.response().await?;
            if response.starts_with(b"+") {
                // A second question is XOAUTH2's way to say why it refuses.
                let answer = pending.take().map_or("", |text| text.as_str());
                self.wire.send(answer).await?;
                continue;
            }
            if let Some(done) = self.done(&tag, &response, &mut |_| {})? {
                return Ok(done);
            }
        }
    }

    /// Runs a command: what the server says meanwhile goes to `take`, what it says in the end is returned.
    async fn run(
        &mut self,
        command: &str,
        take: &mut (dyn FnMut(&Response<'_>) + Send),
    ) -> Result<Result<(), Refusal>, SyncFault> {
        let tag = self.next_tag();
        let line = zeroize::Zeroizing::new(format!("{tag} {command}"));
        self.wire.send(&line).await?;
        loop {
            let response = self.wire.response().await?;
            if let Some(done) = self.done(&tag, &response, take)? {
                return Ok(done);
            }
        }
    }

    fn done(
        &self,
        tag: &str,
        response: &[u8],
        take: &mut (dyn FnMut(&Response<'_>) + Send),
    ) -> Result<Option<Result<(), Refusal>>, SyncFault> {
        let parsed = match Response::parse(response) {
            Ok((_, parsed)) => parsed,
            // An extension that nobody asked for; but what we asked for must not be passed over.
            Err(_) if response.starts_with(b"* ") && !is_fetch(response) => return Ok(None),
            Err(_) => return Err(self.wire.unexpected("an answer that cannot be read")),
        };
        match &parsed {
            Response::Done { tag: of, status, outcome } if of.0 == tag => {
                let text = outcome.information.as_ref().map(ToString::to_string);
                let refusal = |is_no| Refusal { is_no, text: text.unwrap_or_default() };
                Ok(Some(match status {
                    Status::Ok | Status::PreAuth => {
                        // Some codes come with the end of the command.
                        take(&parsed);
                        Ok(())
                    }
                    Status::No => Err(refusal(true)),
                    Status::Bad | Status::Bye => Err(refusal(false)),
                }))
            }
            Response::Data { status: Status::Bye, outcome } => {
                let text = outcome.information.as_ref().map(ToString::to_string);
                Err(self.unavailable(&text.unwrap_or_default()))
            }
            other => {
                take(other);
                Ok(None)
            }
        }
    }

    fn next_tag(&mut self) -> String {
        self.commands += 1;
        format!("P{}", self.commands)
    }

    fn expect(&self, done: Result<(), Refusal>, what: &str) -> Result<(), SyncFault> {
        done.map_err(|refusal| {
            if refusal.passes() {
                self.unavailable(&refusal.text)
            } else {
                self.unexpected(what, &refusal)
            }
        })
    }

    fn unavailable(&self, text: &str) -> SyncFault {
        SyncFault::Unavailable { host: self.settings.host.clone(), why: cut(text) }
    }

    fn unexpected(&self, what: &str, refusal: &Refusal) -> SyncFault {
        self.wire.unexpected(&format!("{what}: {}", cut(&refusal.text)))
    }
}

/// A command that the server did not carry out.
struct Refusal {
    /// It could not, rather than not understand it.
    is_no: bool,
    text: String,
}

impl Refusal {
    /// Whether the server says that it is a matter of time.
    fn passes(&self) -> bool {
        let text = self.text.to_ascii_uppercase();
        ["[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "TOO MANY", "RATE LIMIT"]
            .iter()
            .any(|word| text.contains(word))
    }
}

fn folder_words() -> &'static str {
    "opening a folder"
}

fn is_fetch(response: &[u8]) -> bool {
    let start = response.get(..40).unwrap_or(response);
    start.windows(7).any(|word| word.eq_ignore_ascii_case(b" FETCH "))
}

fn note_opened(opened: &mut OpenedFolder, response: &Response<'_>) {
    let outcome = match response {
        Response::MailboxData(MailboxDatum::Exists(count)) => {
            opened.exists = *count;
            return;
        }
        Response::Vanished { uids, .. } => {
            opened.vanished.extend(uids.iter().cloned());
            return;
        }
        Response::Data { outcome, .. } | Response::Done { outcome, .. } => outcome,
        other => {
            opened.changed.extend(fetched(other));
            return;
        }
    };
    match &outcome.code {
        Some(ResponseCode::UidValidity(number)) => opened.uid_validity = *number,
        Some(ResponseCode::UidNext(number)) => opened.uid_next = Some(*number),
        Some(ResponseCode::HighestModSeq(number)) => opened.highest_modseq = Some(*number),
        _ => {}
    }
}

/// What a response says of a message, if it names one.
fn fetched(response: &Response<'_>) -> Option<FetchedMessage> {
    let Response::Fetch(_, attributes) = response else { return None };
    let mut found = FetchedMessage::default();
    for attribute in attributes {
        match attribute {
            AttributeValue::Uid(uid) => found.uid = *uid,
            AttributeValue::Flags(flags) => {
                found.flags = Some(flags.iter().map(ToString::to_string).collect());
            }
            AttributeValue::Rfc822Size(size) => found.size_bytes = Some(*size),
            AttributeValue::BodySection { section: None, data, .. } => {
                found.body = data.as_ref().map(|data| data.to_vec());
            }
            _ => {}
        }
    }
    (found.uid > 0).then_some(found)
}

/// A string for a command.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars().filter(|letter| !matches!(letter, '\r' | '\n' | '\0')) {
        if matches!(letter, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    quoted
}

/// Numbers in as few words as they take; they are in order.
fn uid_set(uids: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for uid in uids {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*uid) => *last = *uid,
            _ => ranges.push((*uid, *uid)),
        }
    }
    let word = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}:{last}") }
    };
    ranges.iter().map(word).collect::<Vec<_>>().join(",")
}

fn cut(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !letter.is_control()).collect();
    plain.chars().take(MAX_TOLD_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_named_in_few_words() {
        assert_eq!(uid_set(&[1, 2, 3, 7, 9, 10]), "1:3,7,9:10");
        assert_eq!(uid_set(&[u32::MAX]), "4294967295");
    }

    #[test]
    fn a_quoted_string_ends_no_line() {
        assert_eq!(quoted("a\"b\\c\r\nX LOGOUT"), r#""a\"b\\cX LOGOUT""#);
    }
}
