//! Runs that break off: the line is cut, the program is killed. Nothing is lost, nothing comes twice.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use pdpp_testkit::dovecot::ToldChanges;
use serde_json::json;

use super::proxy::Proxy;
use super::world::{World, message};

const MESSAGES: usize = 40;

#[test]
fn a_line_that_is_cut_anywhere_loses_nothing_and_doubles_nothing() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    fill(&world, 0..MESSAGES);
    let proxy = Proxy::to(world.server.port());
    let added = world.add_at(proxy.port(), &[]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    world.home.json(&["grant", "create", "--client", "agent", "--allow", "mail", "--json"]);
    let (mut cut, mut broken) = (500, 0);
    // A whole first run takes about 20,000 bytes with its encryption.
    while cut < 40_000 {
        proxy.cut_after(cut);
        let answer = world.home.run(&["account", "sync", "mail", "--quiet", "--json"]);
        match answer.code {
            0 => {}
            69 => broken += 1,
            other => panic!("{other} after {cut} bytes: {}", answer.stderr),
        }
        cut += 1_500;
    }
    assert!(broken > 3, "the line was cut {broken} times");
    proxy.cut_after(u64::MAX);
    world.server.doveadm(&["expunge", "mailbox", "INBOX", "uid", "1"]);
    world.sync();
    let seen = world.seen();
    assert_eq!(seen.len(), MESSAGES);
    let deleted: Vec<_> = seen.iter().filter(|(_, (_, deleted))| *deleted).collect();
    assert_eq!(deleted.len(), 1, "{deleted:?}");
    world.verify();
}

#[test]
fn kill_nine_during_a_sync_loses_nothing_and_doubles_nothing() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    world.add();
    let rounds = if is_heavy() { 100 } else { 10 };
    let mut interrupted = 0;
    for round in 0..rounds {
        fill(&world, round * 4..(round + 1) * 4);
        let line = ["account", "sync", "mail", "--lease-seconds", "1"];
        let mut command = world.home.command(&line);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        // Half of the rounds end where messages have just been written, half somewhere before.
        if round % 2 == 0 {
            let is_progress = |line: &String| line.contains("of");
            let _ = said.lines().map_while(Result::ok).find(is_progress);
        }
        child.kill().unwrap();
        interrupted += usize::from(!child.wait().unwrap().success());
    }
    assert!(interrupted > 0, "no run was killed before its end");
    let line = ["account", "sync", "mail", "--quiet", "--json", "--lease-seconds", "2"];
    world.home.json(&line);
    assert_eq!(world.seen().len(), rounds * 4);
    assert_eq!(world.sync()["added"], json!(0));
    world.verify();
}

fn fill(world: &World, numbers: std::ops::Range<usize>) {
    for number in numbers {
        world.server.deliver("INBOX", &message(number, &format!("letter {number}")));
    }
}

#[expect(clippy::disallowed_methods, reason = "the variable chooses the size of a whole run")]
fn is_heavy() -> bool {
    std::env::var_os("PDPP_HEAVY").is_some()
}
