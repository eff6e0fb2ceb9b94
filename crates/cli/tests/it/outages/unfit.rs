//! Postgres that lets nobody in, or cannot hold a store: each has its own word, number and next step.

use pdpp_testkit::postgres::{Beside, Cluster, is_left_out};

use crate::program::Home;

const ROLES: [&str; 5] = [
    "CREATE ROLE ada LOGIN SUPERUSER PASSWORD 'sesame'",
    "CREATE ROLE reader LOGIN SUPERUSER PASSWORD 'sesame'",
    "ALTER ROLE reader SET default_transaction_read_only = on",
    "CREATE ROLE lost LOGIN SUPERUSER PASSWORD 'sesame'",
    "ALTER ROLE lost SET search_path = ''",
];
const OTHER_ENCODING: &str =
    "CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'";

#[test]
fn each_reason_not_to_be_let_in_has_a_word_a_number_and_a_next_step() {
    if is_left_out() {
        return;
    }
    let cluster = Cluster::start().unwrap();
    cluster.ask_for_passwords().unwrap();
    let beside = Beside::open(&cluster.url()).unwrap();
    for statement in ROLES.into_iter().chain([OTHER_ENCODING]) {
        beside.run(statement).unwrap();
    }
    let url = |who: &str| cluster.url().replace("postgres@", &format!("{who}@"));
    let database = |name: &str| url("ada:sesame").replace("/postgres", &format!("/{name}"));
    for (url, exit, code, words) in [
        (url("ada:wrong-word"), 77, "store_refused", "check user, password and sslmode"),
        (url("ada"), 77, "store_refused", "wants a password"),
        (url("nobody:wrong-word"), 77, "store_refused", "check user, password and sslmode"),
        (database("nowhere"), 69, "store_unavailable", "create it, or name another one"),
        (url("reader:sesame"), 69, "store_unavailable", "name the primary"),
        (url("lost:sesame"), 1, "store_unfit", "set one for that user"),
        (database("ascii"), 1, "store_unfit", "--encoding=UTF8"),
    ] {
        let home = Home::on_server(url.clone());
        let refused = home.run(&["owner", "token", "create", "--json"]);
        let error = refused.error();
        assert_eq!((refused.code, error["code"].as_str()), (exit, Some(code)), "{url}: {error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(words), "{url}: {message}");
        assert!(!message.contains("sesame") && !message.contains("wrong-word"), "{message}");
    }
    let home = Home::on_server(url("ada:sesame"));
    assert!(home.json(&["owner", "token", "create", "--json"])["access_token"].is_string());
}
