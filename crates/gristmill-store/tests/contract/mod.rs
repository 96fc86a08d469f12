//! What every store must hold. A store's own test makes the stores and calls [`all`].

pub mod fixture;
mod reads;
mod reuse;
mod search;
mod shadow;
mod sync;

use gristmill_core::Store;

/// Opens a tenant of one and the same store, as a new process would.
pub type Open<'a> = &'a dyn Fn(&str) -> Box<dyn Store>;

/// A check. It panics with what does not hold.
pub type Check = fn(Open<'_>);

/// Runs every check. `on_empty_store` makes a store for the check it is given.
pub fn all(on_empty_store: impl Fn(Check)) {
    let checks = [sync::CHECKS, reads::CHECKS, reuse::CHECKS, shadow::CHECKS, search::CHECKS];
    checks.concat().into_iter().for_each(on_empty_store);
}
