//! The clients that `pdpp setup` knows.

use clap::ValueEnum;

/// A program that speaks MCP with servers on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KnownClient {
    ClaudeCode,
    ClaudeDesktop,
    Codex,
    Cursor,
    Vscode,
    Gemini,
    Opencode,
}

/// How a client writes its settings down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsFormat {
    /// JSON, perhaps with comments.
    Json,
    Toml,
}

impl SettingsFormat {
    /// The word for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Toml => "toml",
        }
    }
}

impl KnownClient {
    /// All of them, as they are listed.
    pub const ALL: [Self; 7] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Codex,
        Self::Cursor,
        Self::Vscode,
        Self::Gemini,
        Self::Opencode,
    ];

    /// The word on the command line, and the name of its grant unless another is given.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
        }
    }

    /// The command that starts it, where it has one.
    pub fn command(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("claude"),
            Self::ClaudeDesktop => None,
            Self::Codex => Some("codex"),
            Self::Cursor => Some("cursor"),
            Self::Vscode => Some("code"),
            Self::Gemini => Some("gemini"),
            Self::Opencode => Some("opencode"),
        }
    }

    /// How its settings are written.
    pub fn format(self) -> SettingsFormat {
        match self {
            Self::Codex => SettingsFormat::Toml,
            Self::ClaudeCode
            | Self::ClaudeDesktop
            | Self::Cursor
            | Self::Vscode
            | Self::Gemini
            | Self::Opencode => SettingsFormat::Json,
        }
    }

    /// The member of its settings that holds servers, by their names.
    pub fn container(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor | Self::Gemini => "mcpServers",
            Self::Codex => "mcp_servers",
            Self::Vscode => "servers",
            Self::Opencode => "mcp",
        }
    }

    /// What makes it read its settings again.
    pub fn reload(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::Codex | Self::Gemini | Self::Opencode => {
                "Restart it; open sessions do not pick this up."
            }
            Self::ClaudeDesktop => "Quit and restart Claude Desktop.",
            Self::Cursor => "Cursor picks this up by itself; see Settings > MCP.",
            Self::Vscode => "In VS Code, run the command \"MCP: List Servers\" and start it.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_command_line_are_the_names() {
        for client in KnownClient::ALL {
            assert_eq!(client.to_possible_value().unwrap().get_name(), client.name());
        }
    }
}
