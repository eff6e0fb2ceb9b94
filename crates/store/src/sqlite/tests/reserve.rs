//! A full disk: what ends access uses the reserved space, and nothing else does.

use std::path::Path;
use std::sync::Arc;

use pdpp_contract::ports::Entropy;

use crate::sqlite::Backend;
use crate::sqlite::driver::Transaction;
use crate::{StoreError, StoreOptions};

const RESERVE_BYTES: u64 = 1 << 20;

struct Sevens;

impl Entropy for Sevens {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

fn length(file: &Path) -> u64 {
    std::fs::metadata(file).unwrap().len()
}

#[tokio::test]
async fn a_revocation_on_a_full_disk_uses_the_reserved_space_and_an_ordinary_write_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let options = StoreOptions::new(directory.path().join("store.db"), Arc::new(Sevens));
    let options = StoreOptions { reserve_bytes: RESERVE_BYTES, ..options };
    let store = Backend::open(options).await.unwrap();
    store.write(|_| Ok(())).await.unwrap();
    let reserve = directory.path().join("store.db-reserve");
    assert_eq!(length(&reserve), RESERVE_BYTES);
    store.write(|_| Err::<(), _>(StoreError::Full)).await.unwrap_err();
    assert_eq!(length(&reserve), RESERVE_BYTES, "an ordinary write leaves it alone");
    // A disk on which nothing has room but what is reserved; cutting the log does not help.
    let looked_at = reserve.clone();
    let revoke = move |_: &Transaction<'_>| {
        if length(&looked_at) > 0 { Err(StoreError::Full) } else { Ok(()) }
    };
    store.write_revocation("agent".to_owned(), revoke).await.unwrap();
    assert_eq!(length(&reserve), 0);
    store.check_serving().unwrap();
}
