//! What is known of keys before their records are written: one question for a whole batch, as each
//! question is a round trip.

use std::collections::HashMap;

use pdpp_contract::hex;

use crate::error::StoreResult;
use crate::numbers::CollectionNo;
use crate::postgres::driver::{Connection, params};
use crate::postgres::errors::from_driver;
use crate::postgres::sql::write::known_keys::{KnownKey, KnownKeys, LiveRecord};
use crate::postgres::sql::write::record::ADD_KEY;

const FIND_KEYS: &str = "
    SELECT k.key_order, k.record_no, r.flags, r.json
      FROM unnest(string_to_array(?2, ',')) AS a (key_hex)
      JOIN record_keys k ON k.collection_no = ?1 AND k.key_order = decode(a.key_hex, 'hex')
      LEFT JOIN records r ON r.record_no = k.record_no";

/// Looks up the keys of records that are about to be written.
pub(crate) fn find<'a>(
    db: &Connection,
    collection_no: CollectionNo,
    keys: impl Iterator<Item = &'a [u8]>,
) -> StoreResult<KnownKeys> {
    let mut known: HashMap<_, _> = keys.map(|key| (key.to_vec(), None)).collect();
    let asked = known.keys().map(|key| hex(key)).collect::<Vec<_>>().join(",");
    let mut list = db.prepare_cached(FIND_KEYS).map_err(from_driver)?;
    let mut rows = list.query(params![collection_no, asked]).map_err(from_driver)?;
    while let Some(row) = rows.next().map_err(from_driver)? {
        let flags: Option<i64> = row.get(2).map_err(from_driver)?;
        let json: Option<String> = row.get(3).map_err(from_driver)?;
        let live = flags.zip(json).map(|(flags, json)| LiveRecord { flags, json });
        let key = KnownKey { record_no: row.get(1).map_err(from_driver)?, live };
        known.insert(row.get(0).map_err(from_driver)?, Some(key));
    }
    let new = known.values().filter(|key| key.is_none()).count();
    db.reserve(&ADD_KEY, new).map_err(from_driver)?;
    Ok(KnownKeys(known))
}
