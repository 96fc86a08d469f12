//! The collections of a tenant: the one that answers, and the shadow that grows beside it for another model.

use gristmill_core::VectorSpec;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::index;
use super::read::size;
use super::schema::keys;

/// Documents of a tenant under one model.
pub(super) struct Collection {
    pub(super) key: i64,
    pub(super) spec: VectorSpec,
}

/// The collection of a tenant that answers.
pub(super) fn answering(db: &Connection, tenant: &str) -> Result<Option<Collection>> {
    named(db, tenant, true)
}

/// The collection of a tenant that does not answer yet.
pub(super) fn shadow(db: &Connection, tenant: &str) -> Result<Option<Collection>> {
    named(db, tenant, false)
}

fn named(db: &Connection, tenant: &str, answers: bool) -> Result<Option<Collection>> {
    db.prepare_cached(
        "SELECT collections.key, model, dimensions FROM tenants JOIN collections ON tenant = tenants.key
        WHERE name = ?1 AND answers = ?2",
    )?
    .query_row(params![tenant, answers], collection)
    .optional()
}

/// The keys of all collections.
pub(super) fn all(db: &Connection) -> Result<Vec<i64>> {
    db.prepare("SELECT key FROM collections")?.query_map([], |row| row.get(0))?.collect()
}

/// The collection with this key, unless it is gone.
pub(super) fn of_key(db: &Connection, key: i64) -> Result<Option<Collection>> {
    db.prepare_cached("SELECT key, model, dimensions FROM collections WHERE key = ?1")?
        .query_row([key], collection)
        .optional()
}

fn of_tenant(db: &Connection, tenant: i64, answers: bool) -> Result<Option<Collection>> {
    db.prepare_cached("SELECT key, model, dimensions FROM collections WHERE tenant = ?1 AND answers = ?2")?
        .query_row(params![tenant, answers], collection)
        .optional()
}

fn collection(row: &Row<'_>) -> Result<Collection> {
    let dimensions = row.get::<_, Option<i64>>(2)?.map(|_| size(row, 2)).transpose()?;
    Ok(Collection { key: row.get(0)?, spec: VectorSpec { model: row.get(1)?, dimensions } })
}

/// The key of a tenant, made if it is new.
pub(super) fn tenant(db: &Connection, name: &str) -> Result<i64> {
    let key = || db.query_row("SELECT key FROM tenants WHERE name = ?1", [name], |row| row.get(0)).optional();
    if let Some(key) = key()? {
        return Ok(key);
    }
    db.execute("INSERT OR IGNORE INTO tenants(name) VALUES(?1)", [name])?;
    key()?.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// The collection for a writer of this model, and whether it is a shadow.
pub(super) fn for_writer(db: &Connection, tenant: i64, spec: &VectorSpec) -> Result<(Collection, bool)> {
    let Some(answering) = of_tenant(db, tenant, true)? else { return Ok((create(db, tenant, true, spec)?, false)) };
    if !holds_vectors(db, answering.key)? {
        return Ok((settle(db, &answering, spec)?, false));
    }
    if answering.spec.agrees(spec) {
        return Ok((answering, false));
    }
    let shadow = match of_tenant(db, tenant, false)? {
        Some(shadow) if !shadow.spec.agrees(spec) => {
            remove(db, shadow.key)?;
            create(db, tenant, false, spec)?
        }
        Some(shadow) if holds_vectors(db, shadow.key)? => shadow,
        Some(shadow) => settle(db, &shadow, spec)?,
        None => create(db, tenant, false, spec)?,
    };
    Ok((shadow, true))
}

fn create(db: &Connection, tenant: i64, answers: bool, spec: &VectorSpec) -> Result<Collection> {
    db.execute(
        "INSERT INTO collections(tenant, answers, model, dimensions) VALUES(?1, ?2, ?3, ?4)",
        params![tenant, answers, spec.model, spec.dimensions.map(|length| length as i64)],
    )?;
    Ok(Collection { key: db.last_insert_rowid(), spec: spec.clone() })
}

fn holds_vectors(db: &Connection, key: i64) -> Result<bool> {
    let [first, last] = keys(key);
    db.query_row(
        "SELECT EXISTS(SELECT 1 FROM vectors WHERE key BETWEEN ?1 AND ?2)
        OR EXISTS(SELECT 1 FROM kept WHERE collection = ?3)",
        [first, last, key],
        |row| row.get(0),
    )
}

/// Gives a collection that holds no vectors this model.
fn settle(db: &Connection, collection: &Collection, spec: &VectorSpec) -> Result<Collection> {
    if collection.spec != *spec {
        db.execute(
            "UPDATE collections SET model = ?2, dimensions = ?3 WHERE key = ?1",
            params![collection.key, spec.model, spec.dimensions.map(|length| length as i64)],
        )?;
    }
    Ok(Collection { key: collection.key, spec: spec.clone() })
}

/// Notes the length of all vectors.
pub(super) fn settle_length(db: &Connection, key: i64, dimensions: usize) -> Result<()> {
    db.execute("UPDATE collections SET dimensions = ?2 WHERE key = ?1", [key, dimensions as i64])?;
    Ok(())
}

/// Lets a shadow take the place of the collection that answers.
pub(super) fn publish(db: &Connection, shadow: i64) -> Result<()> {
    if let Some(old) = beside(db, shadow)? {
        remove(db, old)?;
    }
    db.execute("UPDATE collections SET answers = 1 WHERE key = ?1", [shadow])?;
    Ok(())
}

/// The other collection of the same tenant.
pub(super) fn beside(db: &Connection, key: i64) -> Result<Option<i64>> {
    db.query_row(
        "SELECT other.key FROM collections JOIN collections AS other USING(tenant)
        WHERE collections.key = ?1 AND other.key <> ?1",
        [key],
        |row| row.get(0),
    )
    .optional()
}

/// Removes a collection with all that is in it; gives the number of points and kept vectors.
pub(super) fn remove(db: &Connection, key: i64) -> Result<usize> {
    let [first, last] = keys(key);
    db.execute("DELETE FROM vectors WHERE key BETWEEN ?1 AND ?2", [first, last])?;
    let points = db.execute("DELETE FROM chunks WHERE key BETWEEN ?1 AND ?2", [first, last])?;
    let kept = db.execute("DELETE FROM kept WHERE collection = ?1", [key])?;
    db.execute("DELETE FROM documents WHERE collection = ?1", [key])?;
    db.execute("DELETE FROM collections WHERE key = ?1", [key])?;
    index::forget(db, key)?;
    Ok(points + kept)
}
