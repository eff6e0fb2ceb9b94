//! One small export of each format, which a release fixture is filled with.

use std::path::PathBuf;

use crate::program::Home;

/// A format, the connection that it goes into, and its files.
pub struct Export {
    pub format: &'static str,
    pub connection: &'static str,
    files: &'static [(&'static str, &'static str)],
}

impl Export {
    /// Writes the files below the home; answers what to name on the command line.
    pub fn write(&self, home: &Home) -> String {
        let folder = home.path().join("exports").join(self.format);
        for (name, content) in self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let named: PathBuf = match self.files {
            [(name, _)] => folder.join(name),
            _ => folder,
        };
        named.to_str().unwrap().to_owned()
    }
}

/// Two messages of a thread with a file, a one-time code, and one without a date.
const MAILBOX: &str = "From x@y Mon Jan  5 10:00:00 2026\nFrom: Ann <ann@example.org>\n\
    Date: Mon, 5 Jan 2026 10:00:00 +0100\nMessage-ID: <1@example.org>\nSubject: Boiler\n\
    MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe plumber comes.\n\
    --b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=plan.txt\n\ncall\n--b--\n\n\
    From x@y Mon Jan  5 11:00:00 2026\nFrom: Bo <bo@example.org>\nIn-Reply-To: <1@example.org>\n\
    Date: Mon, 5 Jan 2026 11:00:00 +0100\nMessage-ID: <2@example.org>\nSubject: Re: Boiler\n\nGood.\n\n\
    From x@y Tue Feb  3 09:00:00 2026\nFrom: Bank <no-reply@bank.example>\n\
    Date: Tue, 3 Feb 2026 09:00:00 +0100\nMessage-ID: <3@bank.example>\n\
    Subject: Your verification code\n\nYour verification code is 482913. It expires in ten minutes.\n\n";

const LETTER: &str = "From: Cy <cy@example.org>\nDate: Wed, 4 Mar 2026 08:00:00 +0000\n\
    Message-ID: <4@example.org>\nSubject: Tiles\n\nThe kitchen tiles are here.\n";

const CHATGPT: &str = r#"[{"title":"Boiler","create_time":1700000000.5,"update_time":1700000100,
  "conversation_id":"c1","current_node":"n2","mapping":{
  "n0":{"id":"n0","message":null,"parent":null,"children":["n1"]},
  "n1":{"id":"n1","parent":"n0","message":{"id":"n1","author":{"role":"user"},"create_time":1700000001,
    "content":{"content_type":"text","parts":["Why does it drip?"]}}},
  "n2":{"id":"n2","parent":"n1","message":{"id":"n2","author":{"role":"assistant"},"create_time":1700000002,
    "content":{"content_type":"text","parts":["The valve is worn."]}}}}}]"#;

const CLAUDE: &str = r#"[{"uuid":"k1","name":"Trip","created_at":"2026-01-05T10:00:00.123456Z",
  "updated_at":"2026-01-05T10:05:00Z","account":{"uuid":"a1"},"chat_messages":[
  {"uuid":"m1","text":"Where to in May?","sender":"human","created_at":"2026-01-05T10:00:00Z"},
  {"uuid":"m2","text":"Try the coast.","sender":"assistant","created_at":"2026-01-05T10:00:09Z"}]}]"#;

const SLACK_USERS: &str =
    r#"[{"id":"U1","name":"ann","profile":{"real_name":"Ann Lee","display_name":"ann.l"}}]"#;
const SLACK_CHANNELS: &str = r#"[{"id":"C1","name":"general","created":1700000000,"members":["U1"],"topic":{"value":"all"}}]"#;
const SLACK_DAY: &str = r#"[{"type":"message","user":"U1","text":"Hi <@U1>","ts":"1700000000.000100"},
  {"type":"message","text":"no time"}]"#;

const WHATSAPP: &str = "13/02/20, 09:06 - Ann: First line\nsecond line\n13/02/20, 09:07 - Bo: ok\n";

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Home\r\n\
    BEGIN:VEVENT\r\nUID:e1\r\nSUMMARY:Plumber\r\nDTSTART:20260703T080000Z\r\nDURATION:PT90M\r\n\
    ATTENDEE;CN=Bo:mailto:bo@example.org\r\nEND:VEVENT\r\n\
    BEGIN:VTODO\r\nUID:t1\r\nSUMMARY:Pay\r\nDUE:20260901T120000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n";

const CARDS: &str = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:p1\r\nFN:Ann Lee\r\n\
    EMAIL:ann@example.org\r\nTEL:+491\r\nEND:VCARD\r\n";

const PLAYS: &str =
    r#"[{"endTime":"2020-01-02 03:04","artistName":"Band","trackName":"Old","msPlayed":7}]"#;

const TAP: &str = r#"{"type":"SCHEMA","stream":"users","schema":{"properties":{"id":{"type":"integer"},"name":{"type":"string"}}},"key_properties":["id"]}
{"type":"RECORD","stream":"users","record":{"id":1,"name":"Ann"}}
{"type":"STATE","value":{"users":1}}
"#;

/// Every format that has an importer of its own.
pub const ALL: &[Export] = &[
    Export { format: "mbox", connection: "mail", files: &[("inbox.mbox", MAILBOX)] },
    Export { format: "eml", connection: "letters-eml", files: &[("tiles.eml", LETTER)] },
    Export {
        format: "maildir",
        connection: "letters-maildir",
        files: &[("cur/1700000000.1.host:2,S", LETTER), ("new/.keep", ""), ("tmp/.keep", "")],
    },
    Export { format: "chatgpt", connection: "chatgpt", files: &[("conversations.json", CHATGPT)] },
    Export { format: "claude", connection: "claude", files: &[("conversations.json", CLAUDE)] },
    Export {
        format: "slack",
        connection: "slack",
        files: &[
            ("users.json", SLACK_USERS),
            ("channels.json", SLACK_CHANNELS),
            ("general/2023-11-14.json", SLACK_DAY),
        ],
    },
    Export {
        format: "whatsapp",
        connection: "whatsapp",
        files: &[("WhatsApp Chat with Ann.txt", WHATSAPP)],
    },
    Export { format: "ics", connection: "calendar", files: &[("home.ics", CALENDAR)] },
    Export { format: "vcf", connection: "people", files: &[("people.vcf", CARDS)] },
    Export {
        format: "spotify",
        connection: "spotify",
        files: &[("StreamingHistory_music_0.json", PLAYS)],
    },
    Export { format: "csv", connection: "table", files: &[("ages.csv", "id,age\n1,30\n2,41\n")] },
    Export {
        format: "json",
        connection: "list",
        files: &[("things.json", r#"[{"id":"a","weight":1.50},{"id":"b","weight":2}]"#)],
    },
    Export { format: "singer", connection: "tap", files: &[("tap.jsonl", TAP)] },
];
