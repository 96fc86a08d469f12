//! What `scan` and `fix` say, in every format.

mod baseline;
mod hostile;
mod page;
mod sample;
mod shapes;
mod terminal;
mod tools;
