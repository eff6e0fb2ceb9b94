//! Opening the file: is it ours, is it new, and which numbered steps are still missing.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, params};

use crate::StoreOptions;
use crate::error::{StoreError, StoreResult};
use crate::opening::secrets::{Secrets, mint};
use crate::sqlite::connection::presence::Presence;
use crate::sqlite::errors::{corrupt, from_driver};
use crate::sqlite::sql::transfer::target::NOT_EMPTY;
use crate::transfer::UNFINISHED;
use crate::writes::hashing::HashKey;

/// `pdpp` in ASCII: marks a file as ours.
const APPLICATION_ID: i64 = 0x7064_7070;

/// What every SQLite database begins with.
const HEADER: &[u8] = b"SQLite format 3\0";

/// The numbered steps, append-only. A released step is never edited.
const STEPS: &[&str] = &[
    include_str!("../../migrations/sqlite/0001_records.sql"),
    include_str!("../../migrations/sqlite/0002_access.sql"),
    include_str!("../../migrations/sqlite/0003_search.sql"),
    include_str!("../../migrations/sqlite/0004_changes.sql"),
    include_str!("../../migrations/sqlite/0005_time_fields.sql"),
    include_str!("../../migrations/sqlite/0006_blobs.sql"),
    include_str!("../../migrations/sqlite/0007_stream_declarations.sql"),
    include_str!("../../migrations/sqlite/0008_oauth.sql"),
    include_str!("../../migrations/sqlite/0009_owner.sql"),
    include_str!("../../migrations/sqlite/0010_paces.sql"),
    include_str!("../../migrations/sqlite/0011_words_in_bulk.sql"),
    include_str!("../../migrations/sqlite/0012_token_kinds.sql"),
    include_str!("../../migrations/sqlite/0013_lost_changes.sql"),
    include_str!("../../migrations/sqlite/0014_left_out.sql"),
    include_str!("../../migrations/sqlite/0015_store_clock.sql"),
    include_str!("../../migrations/sqlite/0016_accounts.sql"),
];

/// Opens the writer, creating or migrating the file as needed.
pub(super) fn open_writer(options: &StoreOptions) -> StoreResult<(Connection, Secrets, Presence)> {
    refuse_other_formats(&options.path)?;
    Presence::refuse_foreign_log(&options.path)?;
    let mut connection = connect(&options.path)?;
    refuse_foreign(&connection)?;
    let presence = Presence::join(&options.path)?;
    connection
        .execute_batch(
            "PRAGMA page_size = 8192;
             PRAGMA busy_timeout = 30000;
             PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA secure_delete = ON;
             PRAGMA foreign_keys = OFF;
             PRAGMA wal_autocheckpoint = 2000;
             PRAGMA cache_size = -16000;
             PRAGMA temp_store = MEMORY;",
        )
        .map_err(from_driver)?;
    crate::sqlite::connection::pool::keep_plans(&connection)?;
    connection.set_prepared_statement_cache_capacity(256);
    migrate(&mut connection, options)?;
    restrict(&options.path);
    presence.note_files(&options.path);
    let secrets = load_secrets(&connection)?;
    if !options.may_be_unfinished && is_unfinished(&connection)? {
        return Err(StoreError::Unfinished);
    }
    Ok((connection, secrets, presence))
}

/// The keys of a store that cannot be written here. One that has to be brought up to date first is
/// refused.
pub(super) fn read_secrets(
    connection: &Connection,
    options: &StoreOptions,
) -> StoreResult<Secrets> {
    refuse_foreign(connection)?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    match user_version(connection)? {
        0 => return Err(StoreError::NoStore),
        found if found > known => return Err(StoreError::TooNew { found, known }),
        found if found < known => {
            return Err(StoreError::Conflict(
                "an older version wrote this store, and it cannot be brought up to date where nothing can \
                 be written; open it once in a directory that can be written",
            ));
        }
        _ => {}
    }
    if !options.may_be_unfinished && is_unfinished(connection)? {
        return Err(StoreError::Unfinished);
    }
    load_secrets(connection)
}

/// Fails when a newer version has changed the tables since the store was opened.
pub(super) fn check_version(connection: &Connection) -> StoreResult<()> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let found: i64 = connection
        .prepare_cached("PRAGMA user_version")
        .and_then(|mut ask| ask.query_row([], |row| row.get(0)))
        .map_err(from_driver)?;
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}

fn connect(path: &Path) -> StoreResult<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(from_driver)
}

/// Looks at the file before SQLite does, which takes a file of one byte for an empty database.
fn refuse_other_formats(path: &Path) -> StoreResult<()> {
    use std::io::Read;
    // A pipe would keep us waiting, a device is no place for data.
    if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(StoreError::NotAStore);
    }
    let mut head = Vec::new();
    match std::fs::File::open(path) {
        Ok(file) => {
            let wanted = u64::try_from(HEADER.len()).unwrap_or(u64::MAX);
            file.take(wanted).read_to_end(&mut head).map_err(StoreError::unavailable)?;
        }
        // Not there yet, or not readable: opening it will say so.
        Err(_) => return Ok(()),
    }
    if head.is_empty() || head == HEADER { Ok(()) } else { Err(StoreError::NotAStore) }
}

/// A file with tables but without our mark belongs to somebody else.
fn refuse_foreign(connection: &Connection) -> StoreResult<()> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let application = pragma("application_id").map_err(from_driver)?;
    if application == APPLICATION_ID {
        return Ok(());
    }
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(from_driver)?;
    if application == 0 && tables == 0 { Ok(()) } else { Err(StoreError::NotAStore) }
}

/// Applies the missing steps in one transaction, so that two processes cannot interleave.
fn migrate(connection: &mut Connection, options: &StoreOptions) -> StoreResult<()> {
    let steps = options.layout.steps(STEPS);
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    let found = user_version(connection)?;
    if found > known && !options.layout.is_current() {
        return Err(NOT_EMPTY);
    }
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    if found == known {
        return Ok(());
    }
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(from_driver)?;
    let found = user_version(&transaction)?;
    for step in steps.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step).map_err(from_driver)?;
    }
    if found == 0 {
        mint_secrets(&transaction, options)?;
    }
    transaction
        .execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {known};"
        ))
        .map_err(from_driver)?;
    transaction.commit().map_err(from_driver)
}

fn user_version(connection: &Connection) -> StoreResult<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(from_driver)
}

fn mint_secrets(connection: &Connection, options: &StoreOptions) -> StoreResult<()> {
    for (name, bytes) in mint(options.entropy.as_ref()) {
        connection
            .execute("INSERT INTO store_meta (name, value) VALUES (?1, ?2)", params![name, bytes])
            .map_err(from_driver)?;
    }
    Ok(())
}

fn load_secrets(connection: &Connection) -> StoreResult<Secrets> {
    let sealing = meta_bytes::<32>(connection, "sealing_key")?;
    let hashing = meta_bytes::<16>(connection, "hashing_key")?;
    Ok(Secrets { sealing, hashing: HashKey::new(hashing) })
}

fn is_unfinished(connection: &Connection) -> StoreResult<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM store_meta WHERE name = ?1)";
    connection.query_row(sql, [UNFINISHED], |row| row.get(0)).map_err(from_driver)
}

fn meta_bytes<const N: usize>(connection: &Connection, name: &str) -> StoreResult<[u8; N]> {
    let value: Option<Vec<u8>> = connection
        .query_row("SELECT value FROM store_meta WHERE name = ?1", [name], |row| row.get(0))
        .optional()
        .map_err(from_driver)?;
    value.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| corrupt("store_meta", "value", 0))
}

/// Only the owner of the process may read a store. Best effort: some file systems have no modes.
fn restrict(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o600);
        for suffix in ["", "-wal", "-shm"] {
            let mut file = path.as_os_str().to_owned();
            file.push(suffix);
            if let Err(error) = std::fs::set_permissions(&file, mode.clone())
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::warn!("cannot restrict the store's file mode: {error}");
            }
        }
    }
}
