//! Settings as a whole: what follows from what.

mod files;
mod sizes;
