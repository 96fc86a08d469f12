//! What every store must hold. A store's own test makes the stores and calls [`all`].

mod fixture;
mod search;
mod sync;

use gristmill_core::Store;

/// Opens a tenant of one and the same store, as a new process would.
pub type Open<'a> = &'a dyn Fn(&str) -> Box<dyn Store>;

/// Runs every check. `fresh` makes an empty store and gives `check` the way to open it.
pub fn all(fresh: &dyn Fn(&dyn Fn(Open<'_>))) {
    for check in sync::CHECKS.iter().chain(search::CHECKS) {
        fresh(&|open| check(open));
    }
}
