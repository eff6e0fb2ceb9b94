//! Servers and databases that cannot be used say why, and never with a password.

use std::time::Duration;

use pdpp_store::StoreError;
use pdpp_testkit::postgres::{fresh_database, plain};

use crate::desk::{account, count, note, open, open_hasty, options};

#[tokio::test]
async fn a_wrong_url_is_told_apart_and_shows_no_password() {
    let Some(database) = fresh_database().await else { return };
    let missing = database.url().replace("pdpp_test", "no_such_database");
    let nobody = "postgres://ada:sesame@127.0.0.1:1/db".to_owned();
    let nonsense = "postgres://ada:sesame@[nonsense".to_owned();
    let perhaps = "postgres://ada:sesame@127.0.0.1:1/db?sslmode=perhaps".to_owned();
    for (url, expected, is_readable) in [
        (missing, "create it, or name another one", true),
        (nobody, "check the database URL and that the server is running", true),
        (nonsense, "cannot be read", false),
        (perhaps, "sslmode is disable", false),
    ] {
        let error = open(&url).await.err().expect("no store opens there");
        assert_eq!(matches!(error, StoreError::Unavailable(_)), is_readable, "{error:?}");
        assert_eq!(matches!(error, StoreError::BadUrl(_)), !is_readable, "{error:?}");
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let words = format!("{error}: {cause:?} {error:?} {:?}", error.next());
        assert!(words.contains(expected), "{words}");
        assert!(!words.contains("sesame"), "{words}");
    }
}

#[tokio::test]
async fn a_missing_privilege_is_named() {
    let Some(database) = fresh_database().await else { return };
    let client = plain(database.url()).await;
    let role = format!("reader_{}", std::process::id());
    client.batch_execute(&format!("CREATE ROLE {role} LOGIN")).await.unwrap();
    let url = database.url().replace("postgres@", &format!("{role}@"));
    let error = open(&url).await.err().expect("no tables can be made");
    let StoreError::NotAllowed(cause) = &error else { panic!("{error:?}") };
    assert!(cause.to_string().contains("permission denied"), "{cause}");
    client.batch_execute(&format!("DROP ROLE {role}")).await.unwrap();
}

#[tokio::test]
async fn nothing_is_made_where_a_store_must_exist() {
    let Some(database) = fresh_database().await else { return };
    let mut options = options(database.url());
    options.must_exist = true;
    let error = pdpp_store::open(options).await.err();
    assert!(matches!(error, Some(StoreError::NoStore)), "{error:?}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    let made: i64 = plain(database.url()).await.query_one(tables, &[]).await.unwrap().get(0);
    assert_eq!(made, 0);
}

#[tokio::test]
async fn a_full_pool_ends_at_the_deadline_and_is_free_again() {
    let Some(database) = fresh_database().await else { return };
    let store = open_hasty(database.url(), 1, Duration::from_millis(300)).await;
    let account = account(&store).await;
    account.put("notes", &[note(1)]).await;
    assert_eq!(count(&account).await.unwrap(), 1);
    let client = plain(database.url()).await;
    client.batch_execute("BEGIN; LOCK TABLE collections IN ACCESS EXCLUSIVE MODE").await.unwrap();
    // One reads until its deadline, the others wait for its place until theirs.
    let (one, two, three) = tokio::join!(count(&account), count(&account), count(&account));
    let answers = [one, two, three];
    let late = answers.iter().filter(|one| matches!(one, Err(StoreError::DeadlineExceeded)));
    assert!(late.count() >= 1, "{answers:?}");
    for answer in answers {
        let error = answer.unwrap_err();
        assert!(
            matches!(error, StoreError::DeadlineExceeded | StoreError::Unavailable(_)),
            "{error:?}"
        );
    }
    client.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(count(&account).await.unwrap(), 1);
}

#[tokio::test]
async fn tables_of_another_program_are_neither_ours_nor_damage() {
    let Some(database) = fresh_database().await else { return };
    let client = plain(database.url()).await;
    client
        .batch_execute("CREATE TABLE schema_version (installed_rank int, version text)")
        .await
        .unwrap();
    let error = open(database.url()).await.err();
    assert!(matches!(error, Some(StoreError::NotAStore)), "{error:?}");
    // Further down the search path they are nobody's business.
    client.batch_execute("CREATE SCHEMA own").await.unwrap();
    let own = format!("{}?options=-csearch_path%3Down,public", database.url());
    let account = account(&open(&own).await.unwrap()).await;
    account.put("notes", &[note(1)]).await;
    assert_eq!(count(&account).await.unwrap(), 1);
}
