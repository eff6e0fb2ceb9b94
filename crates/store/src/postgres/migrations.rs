//! Opening the database: is it ours, is it new, and which numbered steps are still missing.

use crate::StoreOptions;
use crate::error::{StoreError, StoreResult};
use crate::opening::secrets::{Secrets, mint};
use crate::postgres::driver::{
    Connection, OptionalExtension, Transaction, TransactionBehavior, params,
};
use crate::postgres::errors::{corrupt, from_driver};
use crate::postgres::sql::transfer::target::NOT_EMPTY;
use crate::transfer::UNFINISHED;
use crate::writes::hashing::HashKey;

/// The numbered steps, append-only. A released step is never edited.
pub(super) const STEPS: &[&str] = &[
    include_str!("../../migrations/postgres/0001_records.sql"),
    include_str!("../../migrations/postgres/0002_access.sql"),
    include_str!("../../migrations/postgres/0003_search.sql"),
    include_str!("../../migrations/postgres/0004_changes.sql"),
    include_str!("../../migrations/postgres/0005_time_fields.sql"),
    include_str!("../../migrations/postgres/0006_blobs.sql"),
    include_str!("../../migrations/postgres/0007_stream_declarations.sql"),
    include_str!("../../migrations/postgres/0008_oauth.sql"),
    include_str!("../../migrations/postgres/0009_owner.sql"),
    include_str!("../../migrations/postgres/0010_paces.sql"),
    include_str!("../../migrations/postgres/0011_words_in_bulk.sql"),
    include_str!("../../migrations/postgres/0012_token_kinds.sql"),
    include_str!("../../migrations/postgres/0013_lost_changes.sql"),
    include_str!("../../migrations/postgres/0014_left_out.sql"),
    include_str!("../../migrations/postgres/0015_store_clock.sql"),
    include_str!("../../migrations/postgres/0016_accounts.sql"),
];

/// Held until the end of the transaction, so that two processes cannot interleave. The number is
/// `pdpp` in ASCII. The steps themselves wait for nobody for long.
const BEGIN: &str = "
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL lock_timeout = '1s';
    SELECT pg_advisory_xact_lock(1885630576, 0);
    SET LOCAL lock_timeout = '30s'";
/// The same for whoever must wait: the steps of another process take as long as they take.
const BEGIN_PATIENTLY: &str = "
    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL lock_timeout = 0;
    SELECT pg_advisory_xact_lock(1885630576, 0);
    SET LOCAL lock_timeout = '30s'";
/// Other programs have a table of this name too, and may have it further down the search path.
const IS_OURS: &str = "
    SELECT count(*) = 2
      FROM pg_attribute
     WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.schema_version')
       AND attname IN ('only_row', 'version')";
/// Tables that an extension brought along belong to nobody.
const FOREIGN_TABLES: &str = "
    SELECT count(*)
      FROM pg_class t
     WHERE t.relnamespace = current_schema()::regnamespace
       AND t.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')";
const ENCODING: &str = "
    SELECT current_setting('server_encoding') = 'UTF8'";
const IS_NEW_ENOUGH: &str = "
    SELECT current_setting('server_version_num')::integer >= 150000";
const READ_VERSION: &str = "
    SELECT version FROM schema_version WHERE only_row = 1";
const SET_VERSION: &str = "
    UPDATE schema_version SET version = ?1 WHERE only_row = 1";
const ADD_META: &str = "
    INSERT INTO store_meta (name, value) VALUES (?1, ?2)";
const FIND_META: &str = "
    SELECT value FROM store_meta WHERE name = ?1";
const IS_UNFINISHED: &str = "
    SELECT EXISTS (SELECT 1 FROM store_meta WHERE name = ?1)";

/// Applies the missing steps in one transaction; the store's keys.
pub(super) fn migrate(db: &mut Connection, options: &StoreOptions) -> StoreResult<Secrets> {
    let steps = options.layout.steps(STEPS);
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    let transaction = take_turn(db)?;
    let found = version(&transaction)?;
    if found > known && !options.layout.is_current() {
        return Err(NOT_EMPTY);
    }
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    if found == 0 && options.must_exist {
        return Err(StoreError::NoStore);
    }
    for step in steps.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step).map_err(from_driver)?;
    }
    if found == 0 {
        for (name, bytes) in mint(options.entropy.as_ref()) {
            transaction.execute(ADD_META, params![name, bytes]).map_err(from_driver)?;
        }
    }
    if found < known {
        transaction.execute(SET_VERSION, [known]).map_err(from_driver)?;
    }
    let secrets = load_secrets(&transaction)?;
    if !options.may_be_unfinished && is_unfinished(&transaction)? {
        return Err(StoreError::Unfinished);
    }
    transaction.commit().map_err(from_driver)?;
    Ok(secrets)
}

/// Begins to write, on the tables that this version knows. Whoever changes them waits for it to end.
pub(super) fn begin_write(db: &mut Connection) -> StoreResult<Transaction<'_>> {
    let transaction =
        db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(from_driver)?;
    check_version(&transaction)?;
    Ok(transaction)
}

/// Fails when a newer version has changed the tables since the store was opened.
pub(super) fn check_version(db: &Connection) -> StoreResult<()> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let found: i64 = db
        .prepare_cached(READ_VERSION)
        .and_then(|mut ask| ask.query_row([], |row| row.get(0)))
        .map_err(from_driver)?;
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}

fn take_turn(db: &Connection) -> StoreResult<Transaction<'_>> {
    match db.begin(BEGIN).map_err(from_driver) {
        Err(StoreError::Conflict(_)) => {
            tracing::warn!("another process brings the store up to date; waiting for it");
            db.begin(BEGIN_PATIENTLY).map_err(from_driver)
        }
        begun => begun,
    }
}

/// The number of the last applied step. A schema with tables but without ours belongs to somebody
/// else.
fn version(db: &Connection) -> StoreResult<i64> {
    let is_ours: bool = db.query_row(IS_OURS, [], |row| row.get(0)).map_err(from_driver)?;
    if is_ours {
        return db.query_row(READ_VERSION, [], |row| row.get(0)).map_err(from_driver);
    }
    let foreign: i64 = db.query_row(FOREIGN_TABLES, [], |row| row.get(0)).map_err(from_driver)?;
    if foreign > 0 {
        return Err(StoreError::NotAStore);
    }
    let holds = |question| db.query_row(question, [], |row| row.get(0)).map_err(from_driver);
    if !holds(IS_NEW_ENOUGH)? {
        return Err(StoreError::Unfit {
            what: "its server is older than PostgreSQL 15",
            advice: "use a newer one",
        });
    }
    if !holds(ENCODING)? {
        return Err(StoreError::Unfit {
            what: "its encoding is not UTF8",
            advice: "create one with --encoding=UTF8",
        });
    }
    Ok(0)
}

fn load_secrets(db: &Connection) -> StoreResult<Secrets> {
    let sealing = meta_bytes::<32>(db, "sealing_key")?;
    let hashing = meta_bytes::<16>(db, "hashing_key")?;
    Ok(Secrets { sealing, hashing: HashKey::new(hashing) })
}

fn is_unfinished(db: &Connection) -> StoreResult<bool> {
    db.query_row(IS_UNFINISHED, [UNFINISHED], |row| row.get(0)).map_err(from_driver)
}

fn meta_bytes<const N: usize>(db: &Connection, name: &str) -> StoreResult<[u8; N]> {
    let value: Option<Vec<u8>> =
        db.query_row(FIND_META, [name], |row| row.get(0)).optional().map_err(from_driver)?;
    value.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| corrupt("store_meta", "value", 0))
}
