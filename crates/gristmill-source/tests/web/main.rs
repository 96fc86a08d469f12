//! The web source over small servers of this machine that answer well and badly.

mod bounds;
mod crawl;
mod places;
mod redirects;
mod site;
mod unreachable;
