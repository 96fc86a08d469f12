//! Following symbolic links without listing a file twice and without walking in circles.
//!
//! Links are followed after everything that is reached without them. A link to a folder that has been walked already
//! adds nothing, so a loop ends at its first step.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use gristmill_core::Severity;

use super::collect::{Collector, Via};

use crate::Symlinks;
use crate::names::text_of;

/// `ELOOP` of Linux and of the BSDs.
const LOOP: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };

/// Follows the links that `collector` has met, and `roots`: what was given and is reached through a link.
pub(super) fn follow(collector: &mut Collector<'_>, mode: Symlinks, roots: BTreeSet<PathBuf>) {
    if roots.is_empty() && collector.links.is_empty() {
        return;
    }
    let Ok(real_base) = collector.base.canonicalize() else { return };
    let mut follower =
        Follower { mode, direct: collector.listing.entries.len(), real_base: &real_base, walked: HashSet::new() };
    for root in roots {
        follower.link(collector, &root, true);
    }
    while !collector.links.is_empty() {
        let mut links = std::mem::take(&mut collector.links);
        links.sort_unstable();
        for link in links {
            follower.link(collector, &link, false);
        }
    }
}

struct Follower<'a> {
    mode: Symlinks,
    /// Entries that were reached without links; they come first and are sorted.
    direct: usize,
    real_base: &'a Path,
    /// Real paths of folders walked through links.
    walked: HashSet<PathBuf>,
}

impl Follower<'_> {
    /// `given`: named by the user, so neither globs nor the mode apply.
    fn link(&mut self, collector: &mut Collector<'_>, link: &Path, given: bool) {
        if !given && self.mode == Symlinks::Never {
            return collector.note("link-not-followed", Severity::Info, link, "symbolic link is not followed");
        }
        let there = collector.base.join(link);
        let target = there.canonicalize().and_then(|real| Ok((std::fs::metadata(&there)?, real)));
        let (metadata, real) = match target {
            Ok(target) => target,
            // What was named itself, or may be there without being reached, is not taken for deleted.
            Err(e) if given || !is_broken(&e) || self.leads_out(&there) => {
                return collector.unseen_path(link, &e.to_string());
            }
            Err(e) => return collector.note("broken-link", Severity::Low, link, format!("leads nowhere: {e}")),
        };
        if !given && !collector.selection.wants(link, metadata.is_dir()) {
            return;
        }
        if !given && self.mode == Symlinks::Within && !real.starts_with(self.real_base) {
            let message = "symbolic link leaves the source's folder and is not followed";
            return collector.note("link-leaves-root", Severity::Low, link, message);
        }
        if metadata.is_dir() {
            self.folder(collector, link, real);
        } else if collector.is_listed(&real, self.real_base, self.direct) || !collector.reached.insert(real) {
            collector.note("listed-once", Severity::Info, link, "leads to a file that is listed by another name");
        } else {
            collector.add(link, &metadata);
        }
    }

    /// True for a link to be followed that leads, as far as there is something, to a place outside of the base: it may
    /// be a disk that is not mounted now.
    fn leads_out(&self, link: &Path) -> bool {
        let Some(target) = std::fs::read_link(link).ok().filter(|_| self.mode == Symlinks::Anywhere) else {
            return false;
        };
        let target = link.parent().unwrap_or(link).join(target);
        let nearest = target.ancestors().find_map(|folder| folder.canonicalize().ok());
        nearest.is_some_and(|folder| !folder.starts_with(self.real_base))
    }

    fn folder(&mut self, collector: &mut Collector<'_>, link: &Path, real: PathBuf) {
        let walked = real.ancestors().any(|folder| self.walked.contains(folder));
        if walked || self.has_entries(collector, &real) {
            return collector.note(
                "listed-once",
                Severity::Info,
                link,
                "leads to a folder that is listed by another name",
            );
        }
        let via = Via { link, real: &real, direct: self.direct, real_base: self.real_base };
        collector.walk(link, Some(&via));
        self.walked.insert(real);
    }

    /// True when something in this folder was listed without links.
    fn has_entries(&self, collector: &Collector<'_>, real: &Path) -> bool {
        let Ok(path) = real.strip_prefix(self.real_base) else { return false };
        let direct = &collector.listing.entries[..self.direct];
        let mut text = text_of(path).0;
        if text.is_empty() {
            return true; // The base itself, which everything lies below.
        }
        text.push('/');
        direct.get(direct.partition_point(|e| e.path < text)).is_some_and(|e| e.path.starts_with(&text))
    }
}

/// True when there is no such target; false when it could not be looked for.
fn is_broken(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    // More links in a row than the system follows have an error of their own, without a kind that is stable.
    let is_loop = cfg!(unix) && error.raw_os_error() == Some(LOOP);
    is_loop || matches!(error.kind(), NotFound | NotADirectory | InvalidFilename)
}
