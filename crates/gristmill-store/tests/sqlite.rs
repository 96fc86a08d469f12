//! The store in an SQLite file.

mod contract;

use gristmill_store::SqliteStore;

#[test]
fn holds_the_contract() {
    contract::all(&|check| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/store.db");
        check(&|tenant| Box::new(SqliteStore::open(&path, tenant, true).unwrap()));
    });
}
