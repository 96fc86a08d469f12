//! The store `qdrant` holds the contract: over a stand-in for the server, and over a real one where
//! `GRISTMILL_TEST_QDRANT_URL` names it.
#![expect(clippy::print_stdout, reason = "says what was skipped")]

#[path = "../contract/mod.rs"]
mod contract;
mod double;
mod faults;
mod flow;
mod lease;
mod limits;
mod open;
mod peers;
mod shared;

use contract::Check;
use double::{Behaviour, Double};
use open::Opened;

fn holds_the_contract_on(behaviour: &Behaviour) {
    contract::all(|check: Check| {
        let double = Double::start(behaviour.clone());
        let opened = Opened::new(&double.url());
        check(&|tenant| Box::new(opened.store(tenant)));
    });
}

#[test]
fn holds_the_contract() {
    holds_the_contract_on(&Behaviour::default());
}
