//! New, flagged, moved and deleted messages, renamed and renumbered folders, told by each kind of server.

use pdpp_testkit::dovecot::ToldChanges;
use serde_json::json;

use super::world::{World, labelled, message};

#[test]
fn a_mailbox_stays_current_where_the_server_tells_all_changes() {
    stays_current(ToldChanges::Qresync, "qresync");
}

#[test]
fn a_mailbox_stays_current_where_the_server_tells_changed_flags() {
    stays_current(ToldChanges::Condstore, "condstore");
}

#[test]
fn a_mailbox_stays_current_where_the_server_tells_nothing() {
    stays_current(ToldChanges::Untold, "none");
}

fn stays_current(changes: ToldChanges, support: &str) {
    let Some(world) = World::new(changes) else { return };
    let server = &world.server;
    server.doveadm(&["mailbox create", "Work/Bills", "Entwürfe"]);
    for (number, subject) in [(1, "boiler"), (2, "ferry"), (3, "tiles")] {
        server.deliver("INBOX", &message(number, subject));
    }
    server.deliver("Work/Bills", &message(1, "boiler"));
    server.deliver("Entwürfe", &message(4, "letter"));
    server.deliver("Junk", &message(5, "lottery"));
    let added = world.add_at(server.port(), &[]);
    assert_eq!(added.document()["change_support"], support);
    world.home.json(&["grant", "create", "--client", "agent", "--allow", "mail", "--json"]);

    assert_eq!(world.sync()["added"], 8, "four messages and their threads");
    let seen = world.seen();
    assert_eq!(
        seen["boiler"],
        labelled(&["INBOX", "Work/Bills", "Unread"]),
        "one message in two folders"
    );
    assert_eq!(seen["letter"], labelled(&["Entwürfe", "Unread"]));
    assert_eq!(seen.len(), 4, "no junk: {seen:?}");

    let nothing = world.sync();
    assert_eq!((&nothing["added"], &nothing["changed"]), (&json!(0), &json!(0)), "{nothing}");

    server.deliver("INBOX", &message(6, "harvest"));
    server.doveadm(&["flags add", "\\Seen \\Flagged", "mailbox", "INBOX", "uid", "2"]);
    world.sync();
    let seen = world.seen();
    assert_eq!(seen["harvest"], labelled(&["INBOX", "Unread"]));
    assert_eq!(seen["ferry"], labelled(&["INBOX", "Flagged"]));

    server.doveadm(&["move", "Work/Bills", "mailbox", "INBOX", "uid", "3"]);
    server.doveadm(&["expunge", "mailbox", "INBOX", "uid", "2"]);
    let report = world.sync();
    assert_eq!(report["kept"], 1, "{report}");
    let seen = world.seen();
    assert_eq!(seen["tiles"], labelled(&["Work/Bills", "Unread"]));
    assert!(seen["ferry"].1, "it is kept and marked: {seen:?}");

    server.doveadm(&["mailbox rename", "Work/Bills", "Paid"]);
    let report = world.sync();
    assert_eq!(report["kept"], 0, "nothing was deleted: {report}");
    let seen = world.seen();
    assert_eq!(seen["tiles"], labelled(&["Paid", "Unread"]));
    assert_eq!(seen["boiler"], labelled(&["INBOX", "Paid", "Unread"]));

    server.doveadm(&["mailbox update", "--uid-validity", "4242", "INBOX"]);
    let report = world.sync();
    assert_eq!((&report["added"], &report["kept"]), (&json!(0), &json!(0)), "{report}");
    assert_eq!(world.seen(), seen, "the same messages under new numbers");

    server.deliver("INBOX", &message(2, "ferry"));
    world.sync();
    assert_eq!(world.seen()["ferry"], labelled(&["INBOX", "Unread"]), "it came back");
    let nothing = world.sync();
    assert_eq!((&nothing["added"], &nothing["changed"]), (&json!(0), &json!(0)), "{nothing}");
    world.verify();
}

#[test]
fn a_sync_without_changes_costs_the_same_for_a_large_mailbox() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    world.server.deliver("INBOX", &message(0, "first"));
    world.add();
    world.sync();
    let small = world.sync()["bytes"].as_u64().unwrap();
    for number in 1..120 {
        world.server.deliver("INBOX", &message(number, &format!("letter {number}")));
    }
    world.sync();
    let large = world.sync()["bytes"].as_u64().unwrap();
    assert!(large.abs_diff(small) < 40, "{small} and {large} bytes");
    assert_eq!(world.seen().len(), 120);
}

#[test]
fn a_mailbox_that_was_imported_and_then_synced_has_each_message_once() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    let mut mailbox = String::new();
    for (number, subject) in [(1, "boiler"), (2, "ferry"), (3, "tiles")] {
        let message = message(number, subject);
        world.server.deliver("INBOX", &message);
        mailbox.push_str(&format!("From bob@example.org Mon Jan  5 10:00:00 2026\n{message}\n"));
    }
    let mailbox = world.home.file("all.mbox", &mailbox);
    let imported =
        world.home.json(&["import", "mbox", &mailbox, "--connection", "mail", "--json", "--quiet"]);
    assert_eq!(imported["streams"]["messages"]["added"], 3);
    world.add();
    let report = world.sync();
    assert_eq!(report["added"], 0, "{report}");
    let seen = world.seen();
    assert_eq!((seen.len(), &seen["ferry"]), (3, &labelled(&["INBOX", "Unread"])));
}

#[test]
fn mirrored_deletions_delete_and_a_removed_account_leaves_its_records() {
    let Some(world) = World::new(ToldChanges::Qresync) else { return };
    for (number, subject) in [(1, "boiler"), (2, "ferry")] {
        world.server.deliver("INBOX", &message(number, subject));
    }
    assert_eq!(world.add_at(world.server.port(), &["--mirror-deletions"]).code, 0);
    world.home.json(&["grant", "create", "--client", "agent", "--allow", "mail", "--json"]);
    world.sync();
    world.server.doveadm(&["expunge", "mailbox", "INBOX", "uid", "1"]);
    world.sync();
    let seen = world.seen();
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["ferry"]);
    world.home.json(&["account", "remove", "mail", "--json"]);
    assert_eq!(world.home.json(&["account", "list", "--json"])["accounts"], json!([]));
    assert_eq!(world.seen(), seen);
    world.verify();
}
