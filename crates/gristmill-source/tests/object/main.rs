//! The object source over small stand-ins for stores.

mod reading;
mod signature;
mod stand_in;
