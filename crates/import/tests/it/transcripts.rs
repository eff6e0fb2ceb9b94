//! Transcripts of coding agents, written as the programs write them.

use pdpp_contract::Json;

use crate::bench::{Outcome, import, text};

const MAIN: &str = "-projects-boiler/d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2.jsonl";
const AGENT: &str = "-projects-boiler/agent-7f3a.jsonl";

/// A session, with a title for another one at its beginning, as older versions wrote it.
const CLAUDE: &str = r#"{"type":"summary","summary":"Fix the boiler controller","leafUuid":"u6"}
{"type":"file-history-snapshot","messageId":"u1","snapshot":{"trackedFileBackups":{}},"isSnapshotUpdate":false}
{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/projects/boiler","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","version":"2.0.74","gitBranch":"main","type":"user","message":{"role":"user","content":"Why does the boiler restart?\nSee the log."},"uuid":"u1","timestamp":"2026-03-01T09:00:00.123Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/projects/boiler","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","version":"2.0.74","gitBranch":"main","type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-5","content":[{"type":"thinking","thinking":"A watchdog, perhaps.","signature":"x"}],"usage":{"input_tokens":3}},"requestId":"req_1","uuid":"u2","timestamp":"2026-03-01T09:00:04.000Z"}
{"parentUuid":"u2","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"assistant","message":{"id":"msg_1","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"I look into the log."},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"grep watchdog\n/var/log/boiler","description":"Search the log","timeout":5}}]},"uuid":"u3","timestamp":"2026-03-01T09:00:05.000Z"}
{"parentUuid":"u3","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":[{"type":"text","text":"watchdog: reset after 30 s"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}],"is_error":false}]},"uuid":"u4","timestamp":"2026-03-01T09:00:06.000Z","toolUseResult":{"stdout":"watchdog: reset after 30 s"}}
{"parentUuid":"u4","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"user","isMeta":true,"message":{"role":"user","content":"<local-command-caveat>Caveat</local-command-caveat>"},"uuid":"u5","timestamp":"2026-03-01T09:00:07.000Z"}
{"parentUuid":"u5","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"system","subtype":"informational","content":"Conversation compacted","level":"info","uuid":"u6","timestamp":"2026-03-01T09:00:08.000Z"}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-01T09:00:09.000Z","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2"}
{"parentUuid":"u6","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"user","mess"#;

const SIDE: &str = r#"{"parentUuid":null,"isSidechain":true,"agentId":"7f3a","cwd":"/projects/boiler","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"user","message":{"role":"user","content":"Find all timers"},"uuid":"a1","timestamp":"2026-03-01T09:01:00.000Z"}
{"parentUuid":"a1","isSidechain":true,"agentId":"7f3a","sessionId":"d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2","type":"assistant","message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"There are two."}]},"uuid":"a2","timestamp":"2026-03-01T09:01:01.000Z"}
"#;

fn of_kind<'o>(outcome: &'o Outcome, kind: &str) -> Vec<&'o pdpp_contract::JsonObject> {
    outcome.stream("messages").into_iter().filter(|data| text(data, "kind") == kind).collect()
}

#[test]
fn a_session_of_claude_code_gives_prompts_answers_thoughts_and_calls() {
    let files = [(MAIN, CLAUDE.as_bytes()), (AGENT, SIDE.as_bytes())];
    let outcome = import("claude-code", &files);
    let id = "d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2";
    let session = outcome.find("sessions", "id", id);
    assert_eq!(text(session, "title"), "Fix the boiler controller");
    assert_eq!(text(session, "project"), "/projects/boiler");
    assert_eq!((text(session, "branch"), text(session, "model")), ("main", "claude-opus-4-5"));
    assert_eq!(text(session, "started_at"), "2026-03-01T09:00:00.123Z");
    assert_eq!(text(session, "ended_at"), "2026-03-01T09:00:08.000Z");
    let prompt = outcome.find("messages", "text", "Why does the boiler restart?\nSee the log.");
    assert_eq!((text(prompt, "role"), text(prompt, "kind")), ("user", "message"));
    outcome.find("messages", "thinking", "A watchdog, perhaps.");
    let call = of_kind(&outcome, "tool_call")[0];
    assert_eq!(
        text(call, "text"),
        "command: grep watchdog\n/var/log/boiler\ndescription: Search the log\ntimeout: 5"
    );
    let result = of_kind(&outcome, "tool_result")[0];
    assert_eq!(text(result, "text"), "watchdog: reset after 30 s\n[image/png]");
    assert_eq!(text(result, "tool"), "Bash");
    assert_eq!(text(result, "call_id"), text(call, "call_id"));
    assert_eq!(result["is_error"], Json::Bool(false));
    assert_eq!(of_kind(&outcome, "command").len(), 1);
    assert_eq!(of_kind(&outcome, "notice").len(), 1);
    let agent = outcome.find("sessions", "title", "Find all timers");
    assert_eq!(text(agent, "parent_session_id"), id);
    assert_eq!(agent.get("model"), None, "what the program says itself has no model");
    assert_eq!(outcome.rejected.len(), 1, "the last line is not complete yet");
    assert_eq!(
        outcome.notes,
        ["entries that the program keeps for itself are left out: file-history-snapshot (1), \
          queue-operation (1)"]
    );
}

#[test]
fn a_transcript_that_grew_changes_only_its_session_and_what_is_new() {
    let whole: Vec<&str> = CLAUDE.lines().collect();
    let before = import("claude-code", &[(MAIN, whole[..5].join("\n").as_bytes())]);
    let after = import("claude-code", &[(MAIN, CLAUDE.as_bytes())]);
    for (key, data) in before.records {
        if key.0 == "messages" {
            assert_eq!(after.records.get(&key), Some(&data));
        }
    }
}

const CODEX: &str = r#"{"timestamp":"2025-10-29T00:59:38.317Z","type":"session_meta","payload":{"id":"019a2d7a-41c4-78b1-b7cc-a45d62a89cd5","timestamp":"2025-10-29T00:59:38.308Z","cwd":"/projects/boiler","originator":"codex_cli_rs","cli_version":"0.46.0","instructions":null,"git":{"branch":"main","commit_hash":"ab"}}}
{"timestamp":"2025-10-29T00:59:38.400Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/projects/boiler</cwd>\n</environment_context>"}]}}
{"timestamp":"2025-10-29T00:59:38.500Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"continue"}]}}
{"timestamp":"2025-10-29T00:59:38.500Z","type":"event_msg","payload":{"type":"user_message","message":"continue","kind":"plain"}}
{"timestamp":"2025-10-29T00:59:38.600Z","type":"turn_context","payload":{"cwd":"/projects/boiler","model":"gpt-5-codex","effort":"high"}}
{"timestamp":"2025-10-29T00:59:39.000Z","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"**Looking at timers**"}],"content":null,"encrypted_content":"gAAA"}}
{"timestamp":"2025-10-29T00:59:40.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls timers\"],\"workdir\":\"/p\"}","call_id":"call_1"}}
{"timestamp":"2025-10-29T00:59:41.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"{\"output\":\"watchdog.rs\\n\",\"metadata\":{\"exit_code\":0}}"}}
{"timestamp":"2025-10-29T00:59:42.000Z","type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":"call_2","name":"apply_patch","input":"*** Begin Patch\n*** Update File: watchdog.rs"}}
{"timestamp":"2025-10-29T00:59:43.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}
{"timestamp":"2025-10-29T00:59:44.000Z","type":"event_msg","payload":{"type":"token_count","info":null}}
{"timestamp":"2025-10-29T00:59:45.000Z","type":"event_msg","payload":{"type":"turn_aborted","reason":"interrupted"}}
"#;

/// The first versions: a line about the session, then bare items without times.
const CODEX_OLD: &str = r#"{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","timestamp":"2025-08-01T10:00:00.000Z","instructions":null}
{"record_type":"state"}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"go on"}]}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"go on"}]}
"#;

#[test]
fn sessions_of_codex_are_read_whichever_version_wrote_them() {
    let outcome = import(
        "codex",
        &[
            (
                "sessions/2025/10/29/rollout-2025-10-29T00-59-38-019a2d7a-41c4-78b1-b7cc-a45d62a89cd5.jsonl",
                CODEX.as_bytes(),
            ),
            ("sessions/2025/08/01/rollout-2025-08-01T10-00-00-5973b6c0.jsonl", CODEX_OLD.as_bytes()),
            (
                "session_index.jsonl",
                br#"{"id":"019a2d7a-41c4-78b1-b7cc-a45d62a89cd5","thread_name":"Watchdog","updated_at":"2025-10-29T01:00:00Z"}"#,
            ),
        ],
    );
    assert_eq!(outcome.rejected, []);
    let session = outcome.find("sessions", "id", "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5");
    assert_eq!(text(session, "title"), "Watchdog");
    assert_eq!((text(session, "branch"), text(session, "model")), ("main", "gpt-5-codex"));
    assert_eq!(outcome.stream("messages").len(), 8 + 2, "what events repeat is read once");
    assert_eq!(of_kind(&outcome, "context").len(), 1);
    outcome.find("messages", "thinking", "**Looking at timers**");
    let call = outcome.find("messages", "tool", "apply_patch");
    assert!(text(call, "text").starts_with("*** Begin Patch"));
    let call = outcome.find("messages", "text", "command: bash -lc ls timers\nworkdir: /p");
    let result = outcome.find("messages", "text", "watchdog.rs\n");
    assert_eq!((text(result, "tool"), text(call, "tool")), ("shell", "shell"));
    assert_eq!(text(result, "call_id"), text(call, "call_id"));
    outcome.find("messages", "text", "turn_aborted: interrupted");
    let old = outcome.find("sessions", "id", "5973b6c0-94b8-487b-a530-2aeb6098ae0e");
    assert_eq!(text(old, "title"), "go on");
    let said = outcome.stream("messages").into_iter().filter(|data| text(data, "text") == "go on");
    assert_eq!(said.count(), 2, "the same words twice are two messages");
}

const GEMINI: &str = r#"{
  "sessionId": "f86f5318-f47b-4433-85f8-ec9d9a417f8e",
  "projectHash": "79b6fa86",
  "startTime": "2025-10-18T14:57:28.974Z",
  "lastUpdated": "2025-10-18T14:58:07.161Z",
  "messages": [
    {"id": "m1", "timestamp": "2025-10-18T14:57:28.974Z", "type": "user", "content": [{"text": "List the timers"}]},
    {"id": "m2", "timestamp": "2025-10-18T14:57:30.000Z", "type": "gemini", "content": "Two of them.",
     "thoughts": [{"subject": "Timers", "description": "They are in one folder.", "timestamp": "2025-10-18T14:57:29.000Z"}],
     "model": "gemini-2.5-pro", "tokens": {"input": 1, "output": 2, "total": 3},
     "toolCalls": [{"id": "list_directory-1", "name": "list_directory", "args": {"path": "/timers"},
       "result": [{"functionResponse": {"id": "list_directory-1", "name": "list_directory", "response": {"output": "watchdog.rs"}}}],
       "status": "success", "timestamp": "2025-10-18T14:57:31.000Z", "resultDisplay": "Listed 1 item(s)."}]},
    {"id": "m3", "timestamp": "2025-10-18T14:58:00.000Z", "type": "info", "content": "Request cancelled."}
  ]
}"#;

const GEMINI_LINES: &str = r#"{"sessionId":"s2","projectHash":"79b6fa86","startTime":"2026-02-18T14:57:28.974Z","lastUpdated":"2026-02-18T14:57:28.974Z","kind":"main"}
{"id":"m1","timestamp":"2026-02-18T14:57:28.974Z","type":"user","content":[{"text":"And now?"}]}
{"id":"m2","timestamp":"2026-02-18T14:57:29.974Z","type":"gemini","content":"Wait"}
{"id":"m2","timestamp":"2026-02-18T14:57:29.974Z","type":"gemini","content":"Wait for it."}
{"$set":{"lastUpdated":"2026-02-18T14:58:00.000Z","summary":"Waiting"}}
{"$rewindTo":"m1"}
"#;

const GEMINI_LOG: &str = r#"[
  {"sessionId":"f86f5318-f47b-4433-85f8-ec9d9a417f8e","messageId":0,"type":"user","message":"List the timers","timestamp":"2025-10-18T14:57:28.000Z"},
  {"sessionId":"older","messageId":0,"type":"user","message":"Write a poem","timestamp":"2025-07-01T10:00:00.000Z"}
]"#;

#[test]
fn chats_and_logs_of_gemini_are_read_and_no_prompt_twice() {
    let outcome = import(
        "gemini-cli",
        &[
            ("79b6fa86/chats/session-2025-10-18T14-57-f86f5318.json", GEMINI.as_bytes()),
            ("boiler/chats/session-2026-02-18T14-57-s2.jsonl", GEMINI_LINES.as_bytes()),
            ("79b6fa86/logs.json", GEMINI_LOG.as_bytes()),
        ],
    );
    assert_eq!(outcome.rejected, []);
    let titles: Vec<&str> =
        outcome.stream("sessions").into_iter().map(|data| text(data, "title")).collect();
    assert_eq!(titles, ["List the timers", "Write a poem", "Waiting"]);
    let answer = outcome.find("messages", "text", "Two of them.");
    assert_eq!(text(answer, "thinking"), "Timers\nThey are in one folder.");
    assert_eq!(text(answer, "model"), "gemini-2.5-pro");
    outcome.find("messages", "text", "path: /timers");
    let result = outcome.find("messages", "text", "watchdog.rs");
    assert_eq!((text(result, "role"), text(result, "tool")), ("tool", "list_directory"));
    assert_eq!(of_kind(&outcome, "notice").len(), 1);
    outcome.find("messages", "text", "Wait for it.");
    let prompts =
        outcome.stream("messages").into_iter().filter(|data| text(data, "role") == "user");
    assert_eq!(prompts.count(), 3);
    assert_eq!(
        outcome.notes,
        ["entries that the program keeps for itself are left out: rewindTo (1)"]
    );
}

#[test]
fn the_storage_of_opencode_is_put_together_from_its_parts() {
    let files: [(&str, &[u8]); 7] = [
        (
            "storage/session/abc/ses_1.json",
            br#"{"id":"ses_1","version":"1.1.36","projectID":"abc","directory":"/projects/boiler","title":"Boiler timers","time":{"created":1767225600000,"updated":1767225660000}}"#,
        ),
        (
            "storage/message/ses_1/msg_1.json",
            br#"{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767225600000},"agent":"build","model":{"providerID":"anthropic","modelID":"claude-sonnet-4-5"}}"#,
        ),
        (
            "storage/message/ses_1/msg_2.json",
            br#"{"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":1767225601000},"modelID":"claude-sonnet-4-5","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}}"#,
        ),
        (
            "storage/part/msg_1/prt_1.json",
            br#"{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"Show the timers"}"#,
        ),
        (
            "storage/part/msg_2/prt_2.json",
            br#"{"id":"prt_2","messageID":"msg_2","sessionID":"ses_1","type":"step-start"}"#,
        ),
        (
            "storage/part/msg_2/prt_3.json",
            br#"{"id":"prt_3","messageID":"msg_2","sessionID":"ses_1","type":"reasoning","text":"One folder.","time":{"start":1767225602000}}"#,
        ),
        (
            "storage/part/msg_2/prt_4.json",
            br#"{"id":"prt_4","messageID":"msg_2","sessionID":"ses_1","type":"tool","callID":"toolu_1","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"watchdog.rs","title":"ls","time":{"start":1767225603000,"end":1767225604000}}}"#,
        ),
    ];
    let outcome = import("opencode", &files);
    assert_eq!(outcome.rejected, []);
    let session = outcome.find("sessions", "id", "ses_1");
    assert_eq!(text(session, "title"), "Boiler timers");
    assert_eq!(text(session, "started_at"), "2026-01-01T00:00:00Z");
    let prompt = outcome.find("messages", "text", "Show the timers");
    assert_eq!((text(prompt, "role"), text(prompt, "title")), ("user", "Boiler timers"));
    outcome.find("messages", "thinking", "One folder.");
    outcome.find("messages", "text", "command: ls");
    let result = outcome.find("messages", "text", "watchdog.rs");
    assert_eq!(text(result, "created_at"), "2026-01-01T00:00:04Z");
    outcome.find("messages", "text", "MessageAbortedError: Aborted");
    assert_eq!(outcome.stream("messages").len(), 5);
}

#[test]
fn each_agent_is_recognised_by_the_folder_it_writes() {
    use pdpp_import::export::Export;
    use pdpp_import::survey::survey;
    for (format, name, content) in [
        (
            "claude-code",
            "projects/-projects-boiler/d3ba32a5-21ed-4fbb-a4ca-e0adc04ae4c2.jsonl",
            CLAUDE,
        ),
        ("codex", "sessions/2025/10/29/rollout-2025-10-29T00-59-38-019a.jsonl", CODEX),
        ("gemini-cli", "tmp/79b6fa86/chats/session-2025-10-18T14-57-f86f5318.json", GEMINI),
        ("opencode", "storage/session/abc/ses_1.json", "{\"id\":\"ses_1\"}"),
    ] {
        let folder = crate::bench::folder(&[(name, content.as_bytes())]);
        let export = Export::open(&[folder.path().to_owned()]).unwrap();
        let found = survey(export).unwrap().exports;
        let names: Vec<&str> = found.iter().map(|found| found.format.name).collect();
        assert_eq!(names, [format]);
    }
}
