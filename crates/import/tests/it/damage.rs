//! Damage: whatever happens to an export, every parser gives records or refusals, and the same ones
//! every time. Seeded with small exports of each format; with `PDPP_CORPORA` also with real ones.

use pdpp_contract::SourceDeclaration;
use pdpp_import::export::Export;
use pdpp_import::export::folder;
use pdpp_import::formats::FORMATS;
use pdpp_import::jsonl::PhysicalLines;
use pdpp_import::survey::survey;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::bench::{self, Outcome, named, zipped};
use crate::corpora::corpus;

/// One small file of every format.
const SEEDS: [(&str, &str, &str); 25] = [
    (
        "mbox",
        "all.mbox",
        "From a@x Mon Jan  5 10:00:00 2026\nFrom: a@x\nSubject: Boiler\n\nIt drips.\n\n\
         From b@x Mon Jan  5 10:00:00 2026\nFrom: b@x\nDate: Mon, 5 Jan 2026 10:00:00 +0100\n\
         Subject: =?utf-8?q?B=C3=B6iler?=\n\n>From here\n",
    ),
    ("eml", "a.eml", MAIL),
    ("maildir", ".Work/cur/1:2,S", MAIL),
    (
        "chatgpt",
        "conversations-000.json",
        r#"[{"id":"c","title":"T","create_time":1.5,"current_node":"b","mapping":{"a":{"message":null},
          "b":{"parent":"a","message":{"id":"b","author":{"role":"user"},"content":{"parts":["Hi"]}}}}}]"#,
    ),
    (
        "claude",
        "conversations.json",
        r#"[{"uuid":"c","name":"T","created_at":"2026-01-01T00:00:00Z","chat_messages":[
          {"uuid":"m","text":"Hi","sender":"human","attachments":[{"file_name":"a","extracted_content":"x"}]}]}]"#,
    ),
    (
        "slack",
        "general/2026-01-01.json",
        r#"[{"type":"message","user":"U1","text":"Hi <@U1|a> <https://x|y> &amp;","ts":"1700000000.000100"}]"#,
    ),
    (
        "whatsapp",
        "_chat.txt",
        "[31.12.25, 22:15:01] Ann: one\ntwo\n[31.12.25, 22:16:01] Bo: \u{200e}<attached: 1.jpg>\n",
    ),
    (
        "telegram",
        "result.json",
        r#"{"name":"Ann","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date":"2026-01-01T00:00:00",
          "from":"Ann","from_id":"user7","text":["Hi ",{"type":"bold","text":"you"}]}]}"#,
    ),
    (
        "ics",
        "a.ics",
        "BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Z\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n\
         TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:STANDARD\r\n\
         END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:e\r\nSUMMARY:Tea\r\nDTSTART;TZID=Z:20260703T100000\r\n\
         DURATION:PT1H\r\nATTENDEE;CN=Bo:mailto:b@x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    ),
    (
        "vcf",
        "a.vcf",
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Bo\r\n\
         TEL;CELL:123\r\nBDAY:1980-01-02\r\nEND:VCARD\r\n",
    ),
    (
        "spotify",
        "endsong_0.json",
        r#"[{"ts":"2026-01-01T00:00:00Z","ms_played":1000,"master_metadata_track_name":"Song"}]"#,
    ),
    ("markdown", "Home/Boiler.md", "---\ntags: [heat]\n---\n# Boiler\n- [ ] Call [[Ann]]\n"),
    (
        "ofx",
        "a.ofx",
        "OFXHEADER:100\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>\
         <STMTTRN><DTPOSTED>20260105<TRNAMT>-1.50<FITID>A<NAME>Shop &amp; Co</STMTTRN></BANKTRANLIST></STMTRS></OFX>",
    ),
    (
        "camt",
        "a.xml",
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"><Stmt><Acct><Id><IBAN>D</IBAN></Id></Acct>\
         <Ntry><Amt Ccy=\"EUR\">1.50</Amt><CdtDbtInd>DBIT</CdtDbtInd></Ntry></Stmt></Document>",
    ),
    (
        "keep",
        "Keep/a.json",
        r#"{"isTrashed":false,"title":"T","textContent":"x","userEditedTimestampUsec":1767225600000000,"createdTimestampUsec":1}"#,
    ),
    (
        "browser",
        "History.json",
        r#"{"Browser History":[{"page_transition":"LINK","title":"T","url":"https://x/y","time_usec":1767225600000000}]}"#,
    ),
    (
        "youtube",
        "watch-history.json",
        r#"[{"header":"YouTube","title":"Watched T","titleUrl":"https://www.youtube.com/watch?v=a","time":"2026-01-01T00:00:00Z","products":["YouTube"]}]"#,
    ),
    (
        "location",
        "Records.json",
        r#"{"locations":[{"latitudeE7":525200080,"longitudeE7":134049540,"timestamp":"2026-01-01T00:00:00Z"}]}"#,
    ),
    (
        "claude-code",
        "-projects-a/d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2.jsonl",
        r#"{"type":"summary","summary":"Boiler","leafUuid":"u2"}
{"parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","content":"Hi"},"uuid":"u1","timestamp":"2026-01-01T00:00:00Z"}
{"parentUuid":"u1","sessionId":"s","type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]},"uuid":"u2","timestamp":"2026-01-01T00:00:01Z"}
"#,
    ),
    (
        "codex",
        "2026/01/01/rollout-2026-01-01T00-00-00-s.jsonl",
        r#"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c"}}
"#,
    ),
    (
        "gemini-cli",
        "p/chats/session-2026-01-01T00-00-abcd.json",
        r#"{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00Z","messages":[{"id":"1","timestamp":"2026-01-01T00:00:00Z",
          "type":"user","content":"Hi"},{"id":"2","type":"gemini","content":"","toolCalls":[{"id":"c","name":"ls","args":{"p":1}}]}]}"#,
    ),
    (
        "opencode",
        "storage/session/p/ses_1.json",
        r#"{"id":"ses_1","title":"T","directory":"/p","time":{"created":1767225600000,"updated":1767225600000}}"#,
    ),
    ("csv", "a.csv", "id;when;\"a \"\"b\"\"\"\n1;2026-01-01;\"x\ny\"\n2;;z\n"),
    ("json", "a.json", r#"[{"id":1,"at":"2026-01-01T00:00:00Z","n":{"a":[1.5e3]}},{"id":2}]"#),
    (
        "singer",
        "tap.out",
        "{\"type\":\"SCHEMA\",\"stream\":\"s\",\"schema\":{\"properties\":{\"id\":{\"type\":\"integer\"}}},\
         \"key_properties\":[\"id\"]}\n{\"type\":\"RECORD\",\"stream\":\"s\",\"record\":{\"id\":1}}\n\
         {\"type\":\"STATE\",\"value\":{}}\n",
    ),
];

const MAIL: &str = "From: Ann <a@x>\nMessage-ID: <1@x>\nDate: Mon, 5 Jan 2026 10:00:00 +0100\n\
    Subject: Boiler\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
    Content-Type: text/html; charset=iso-8859-1\n\n<p>Good &amp; <b>well</b></p>\n--b\n\
    Content-Type: text/plain; name=\"plan.txt\"\nContent-Transfer-Encoding: base64\n\nY2FsbA==\n--b--\n";

/// Files that real corpora have, and how they are read.
const REAL: [(&str, &str, &str); 5] = [
    ("spam-assassin", "eml", ".txt"),
    ("mail-parser", "eml", ".eml"),
    ("calcard", "ics", ".ics"),
    ("calcard", "vcf", ".vcf"),
    ("whatstk", "whatsapp", ".txt"),
];

/// What is done to a file.
#[derive(Debug, Clone)]
enum Damage {
    Replace(Index, u8),
    Cut(Index),
    Insert(Index, Vec<u8>),
    Repeat(Index, Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let byte = prop_oneof![Just(0), Just(0xFF), Just(b'\n'), Just(b'"'), any::<u8>()];
    prop_oneof![
        (any::<Index>(), byte).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        any::<Index>().prop_map(Damage::Cut),
        (any::<Index>(), prop::collection::vec(any::<u8>(), 1..40))
            .prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Damage::Repeat(from, to)),
    ]
}

fn damaged(mut bytes: Vec<u8>, all: &[Damage]) -> Vec<u8> {
    for damage in all {
        let length = bytes.len().max(1);
        match damage {
            Damage::Replace(at, byte) => {
                if let Some(place) = bytes.get_mut(at.index(length)) {
                    *place = *byte;
                }
            }
            Damage::Cut(at) => bytes.truncate(at.index(length)),
            Damage::Insert(at, more) => {
                let at = at.index(length).min(bytes.len());
                bytes.splice(at..at, more.iter().copied());
            }
            Damage::Repeat(from, to) => {
                let (one, other) = (from.index(length), to.index(length));
                let part = bytes.get(one.min(other)..one.max(other)).unwrap_or_default().to_vec();
                bytes.extend(part);
            }
        }
    }
    bytes
}

/// Reads a file twice; nothing at all when there is nothing that looks like the format.
fn read(format: &str, name: &str, bytes: &[u8]) -> Option<Outcome> {
    let folder = bench::folder(&[(name, bytes)]);
    let paths = [folder.path().to_owned()];
    let first = once(format, &paths)?;
    let again = once(format, &paths)?;
    assert_eq!(first.records, again.records, "the same records each time");
    assert_eq!(first.rejected, again.rejected, "the same refusals each time");
    Some(first)
}

fn once(format: &str, paths: &[std::path::PathBuf]) -> Option<Outcome> {
    let prepared = named(format).prepare(Export::open(paths).unwrap(), None, None).ok()?;
    let declaration: SourceDeclaration = prepared.declaration.clone();
    Some(bench::collect(&declaration, move |sink| prepared.read(sink)))
}

#[test]
fn every_format_reads_its_seed_without_refusal() {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(SEEDS.map(|seed| seed.0), *names, "a seed for every format");
    for (format, name, text) in SEEDS {
        let outcome = read(format, name, text.as_bytes()).unwrap();
        assert_eq!(outcome.rejected, [], "{format:?}");
        assert!(!outcome.records.is_empty(), "{format:?}");
    }
}

#[test]
fn zero_bytes_wrong_encodings_and_cut_files_are_never_passed_over_in_silence() {
    for (format, name, text) in SEEDS {
        let cut = text.len() / 2;
        for bytes in [b"\0\0\0".to_vec(), b"\xff\xfe\x80".to_vec(), text.as_bytes()[..cut].to_vec()]
        {
            let outcome = read(format, name, &bytes);
            // A format that is found by looking may find nothing, which the command then says.
            let told = outcome.is_some_and(|outcome| outcome.items > 0);
            assert!(told || named(format).is_inferred(), "{format:?}: {bytes:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damaged_files_give_records_or_refusals(all in prop::collection::vec(damage(), 1..4)) {
        for (format, name, text) in SEEDS {
            let _ = read(format, name, &damaged(text.as_bytes().to_vec(), &all));
        }
    }

    #[test]
    fn damaged_archives_give_records_or_refusals(all in prop::collection::vec(damage(), 1..4)) {
        for (format, name, text) in SEEDS {
            let archive = damaged(zipped(&[(name, text.as_bytes())]), &all);
            let _ = read(format, "export.zip", &archive);
        }
    }

    #[test]
    fn any_bytes_are_recognised_or_not(bytes in prop::collection::vec(any::<u8>(), 0..300), seed in 0..25_usize) {
        let (_, name, text) = SEEDS[seed];
        let bytes = [text.as_bytes(), &bytes].concat();
        let folder = bench::folder(&[(name, &bytes)]);
        let _ = survey(Export::open(&[folder.path().to_owned()]).unwrap()).unwrap();
        let lines = PhysicalLines::new(bytes.as_slice()).map(Result::unwrap).count();
        prop_assert!(lines <= bytes.len());
    }

    #[test]
    fn damaged_real_files_give_records_or_refusals(which in any::<Index>(), all in prop::collection::vec(damage(), 1..4)) {
        for (name, format, ending) in REAL {
            let Some(root) = corpus(name) else { continue };
            let mut files = folder::files(&root).unwrap().files;
            files.retain(|file| file.name.ends_with(ending));
            let bytes = std::fs::read(&which.get(&files).path).unwrap();
            let _ = read(format, &format!("a{ending}"), &damaged(bytes, &all));
        }
    }
}
