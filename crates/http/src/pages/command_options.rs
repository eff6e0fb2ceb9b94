//! What a command needs to find the store of this server, in words that pages can show.

/// Options for commands that are typed at the server's machine; empty where they find the store alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandOptions {
    /// Their names, such as `--data-dir`. Strangers see these: where the store is is not for them.
    pub names: Vec<String>,
    /// The same with their values, each after a space, to be put behind a command for the owner.
    pub typed: String,
}
