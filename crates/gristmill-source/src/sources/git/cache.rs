//! The copy of a remote on this machine: made, brought up to date, and made anew when it is damaged.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gristmill_core::{Error, ErrorKind, Result, Retry};

use super::command::{Failed, Git, REMOTE};

/// In the copy: one of its objects could not be read.
const DAMAGED: &str = "damaged";

/// Where fetched commits are held, so that clearing up leaves them.
const REFS: &str = "refs/gristmill";

/// What is wanted of the remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// `None` is the remote's default branch.
    pub(super) branch: Option<String>,
    /// The exact commit, by its whole name in lower case.
    pub(super) commit: Option<String>,
    /// Without the contents of files, which are then fetched as they are needed.
    pub(super) without_blobs: bool,
}

impl Wanted {
    /// The name on the remote.
    fn reference(&self) -> String {
        self.branch.as_ref().map_or_else(|| "HEAD".to_owned(), |branch| format!("refs/heads/{branch}"))
    }
}

/// Why the copy is not up to date.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The remote or the settings; a new copy would not help.
    Given(Error),
    /// The copy itself.
    Copy(Failed),
}

impl From<Failed> for Trouble {
    fn from(failed: Failed) -> Self {
        Self::Copy(failed)
    }
}

/// Runs `work` on an up-to-date copy, with the commit that is wanted, while no other process changes the copy. A copy
/// that turns out to be damaged is made anew once.
pub(super) fn with_copy<T>(
    git: &Git,
    wanted: &Wanted,
    mut work: impl FnMut(&str) -> Result<T, Trouble>,
) -> Result<(String, T)> {
    let _lock = lock(git)?;
    let mut attempt = |commit: Result<String, Trouble>| {
        let commit = commit?;
        work(&commit).map(|done| (commit, done))
    };
    let was_there = git.repository.exists();
    let first = if was_there && !git.repository.join(DAMAGED).exists() {
        attempt(fetch(git, wanted))
    } else {
        attempt(anew(git, wanted))
    };
    let done = match first {
        Err(Trouble::Copy(_)) if was_there => attempt(anew(git, wanted)),
        first => first,
    };
    // Nothing depends on it: what was fetched before is packed, and what is long out of use goes.
    let _ = git.local(&["-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"], None);
    done.map_err(|trouble| match trouble {
        Trouble::Given(error) => error,
        Trouble::Copy(failed) => {
            Error::new(ErrorKind::Remote, format!("the repository cannot be copied: {}", git.address.shown))
                .because(failed.said)
        }
    })
}

/// Has the next run make the copy anew.
pub(super) fn mark_damaged(git: &Git) {
    // When even this cannot be written, the next run meets the same fault and says so.
    let _ = fs::write(git.repository.join(DAMAGED), "");
}

/// Brings in `names`: blobs that the copy was made without.
pub(super) fn fetch_blobs(git: &Git, names: &[&str]) -> Result<(), Trouble> {
    let input = names.iter().flat_map(|name| [name.as_bytes(), b"\n"]).flatten().copied().collect();
    let arguments = [
        "-c",
        "fetch.negotiationAlgorithm=noop",
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--refmap=",
        "--filter=blob:none",
        "--stdin",
        REMOTE,
    ];
    git.remote(&arguments, Some(input)).map_err(|failed| Trouble::Given(git.unreachable(failed)))?;
    Ok(())
}

fn lock(git: &Git) -> Result<File> {
    let path = git.repository.with_extension("lock");
    let failed = |e| Error::input(format!("the cache cannot be used: {}", path.display())).because(e);
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    let deadline = Instant::now() + git.limit;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(e)) => return Err(failed(e)),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(busy(&path)),
        }
    }
}

fn busy(path: &Path) -> Error {
    Error::new(ErrorKind::Remote, format!("another process has held the cache for too long: {}", path.display()))
        .retry(Retry::Backoff)
}

fn anew(git: &Git, wanted: &Wanted) -> Result<String, Trouble> {
    let format = look(git, wanted)?;
    if let Err(e) = remove(&git.repository) {
        let error = Error::input(format!("the cache cannot be made anew: {}", git.repository.display())).because(e);
        return Err(Trouble::Given(error));
    }
    git.local(&["init", "--quiet", "--bare", "--template=", &format!("--object-format={format}")], None)?;
    fetch(git, wanted)
}

fn remove(path: &PathBuf) -> std::io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Asks the remote for what is wanted, without a copy. Answers with its kind of hash.
fn look(git: &Git, wanted: &Wanted) -> Result<&'static str, Trouble> {
    let reference = wanted.reference();
    let given = |error| Err(Trouble::Given(error));
    let names = match git.outside(&["ls-remote", REMOTE, "HEAD", &reference]) {
        Ok(names) => String::from_utf8_lossy(&names).into_owned(),
        Err(failed) => return given(git.unreachable(failed)),
    };
    let is_there = names.lines().any(|line| line.split('\t').nth(1) == Some(reference.as_str()));
    if !is_there && wanted.commit.is_none() {
        return given(no_branch(git, wanted));
    }
    let length = names.find('\t').or(wanted.commit.as_ref().map(String::len));
    Ok(if length == Some(64) { "sha256" } else { "sha1" })
}

fn no_branch(git: &Git, wanted: &Wanted) -> Error {
    let shown = &git.address.shown;
    match &wanted.branch {
        Some(branch) => Error::input(format!("the repository has no branch `{branch}`: {shown}"))
            .hint("nothing was taken for deleted; set `branch`, or remove the source"),
        None => Error::input(format!("the repository has no default branch, or no commit yet: {shown}"))
            .hint("set `branch`"),
    }
}

fn fetch(git: &Git, wanted: &Wanted) -> Result<String, Trouble> {
    match &wanted.commit {
        Some(commit) => fetch_commit(git, wanted, commit),
        None => fetch_branch(git, wanted),
    }
}

fn fetch_branch(git: &Git, wanted: &Wanted) -> Result<String, Trouble> {
    // One name for each branch: those of the remote may stand in each other's way over time, as `a` and `a/b`.
    let reference = wanted.reference();
    let kept = format!("{REFS}/{}", gristmill_core::Fingerprint::of(reference.as_bytes()));
    if let Err(failed) = shallow(git, wanted, &format!("+{reference}:{kept}")) {
        return Err(whose(git, wanted, failed));
    }
    let commit = git.local(&["rev-parse", "--verify", "--quiet", &format!("{kept}^{{commit}}")], None)?;
    Ok(String::from_utf8_lossy(&commit).trim().to_owned())
}

/// A fetch failed: is it the remote, or is it the copy?
fn whose(git: &Git, wanted: &Wanted, failed: Failed) -> Trouble {
    let broke_off = ["RPC failed", "early EOF", "hung up", "unable to access", "Connection", "imed out"];
    if failed.timed_out || broke_off.iter().any(|words| failed.said.contains(words)) {
        return Trouble::Given(git.unreachable(failed));
    }
    look(git, wanted).err().unwrap_or(Trouble::Copy(failed))
}

fn fetch_commit(git: &Git, wanted: &Wanted, commit: &str) -> Result<String, Trouble> {
    let is_here = || git.local(&["cat-file", "-e", &format!("{commit}^{{commit}}")], None).is_ok();
    if is_here() {
        return Ok(commit.to_owned());
    }
    let Err(failed) = shallow(git, wanted, &format!("+{commit}:{REFS}/commit")) else {
        return if is_here() { Ok(commit.to_owned()) } else { Err(Trouble::Given(no_commit(git, commit))) };
    };
    if failed.said.contains("unadvertised object") {
        fetch_all(git)?;
    } else if !failed.said.contains("not our ref") {
        return Err(whose(git, wanted, failed));
    }
    if is_here() { Ok(commit.to_owned()) } else { Err(Trouble::Given(no_commit(git, commit))) }
}

fn no_commit(git: &Git, commit: &str) -> Error {
    Error::input(format!("the repository has no commit `{commit}`: {}", git.address.shown))
}

fn shallow(git: &Git, wanted: &Wanted, reference: &str) -> Result<(), Failed> {
    let mut arguments = vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    arguments.extend(["--refmap=", "--depth=1"]);
    if wanted.without_blobs {
        arguments.push("--filter=blob:none");
    }
    arguments.extend([REMOTE, reference]);
    git.remote(&arguments, None).map(drop)
}

/// For servers that hand out only what a name leads to: all branches with their histories.
fn fetch_all(git: &Git) -> Result<(), Trouble> {
    let whole = if git.repository.join("shallow").exists() { "--unshallow" } else { "--no-tags" };
    let branches = format!("+refs/heads/*:{REFS}/all/*");
    let arguments =
        ["fetch", "--quiet", "--no-tags", "--prune", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap="];
    let arguments = arguments.into_iter().chain([whole, REMOTE, &branches]).collect::<Vec<_>>();
    git.remote(&arguments, None).map_err(|failed| Trouble::Given(git.unreachable(failed)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::address::Address;
    use super::*;

    fn git(folder: &Path, repository: &str) -> Git {
        Git {
            program: "git".to_owned(),
            repository: folder.join(repository),
            address: Address::parse("remote", folder).unwrap(),
            limit: Duration::from_secs(60),
            settings: Vec::new(),
        }
    }

    /// Two commits, one file each, made without a work tree. Answers with the name of the first.
    fn remote(folder: &Path) -> String {
        let git = git(folder, "remote");
        let run = |arguments: &[&str], input: &str| {
            let said = git.local(arguments, Some(input.as_bytes().to_vec())).unwrap();
            String::from_utf8(said).unwrap().trim().to_owned()
        };
        run(&["init", "--quiet", "--bare", "--initial-branch=main"], "");
        let author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let tree = run(&["mktree"], "");
        let commit = |more: &[&str]| {
            let arguments = [&author, &["commit-tree", "-m", "x", &tree][..], more].concat();
            run(&arguments, "")
        };
        let first = commit(&[]);
        let second = commit(&["-p", &first]);
        run(&["update-ref", "refs/heads/main", &second], "");
        first
    }

    #[test]
    fn a_server_that_hands_out_only_what_a_name_leads_to_is_asked_for_its_branches() {
        let folder = tempfile::tempdir().unwrap();
        let first = remote(folder.path());
        let mut copy = git(folder.path(), "copy.git");
        // The older protocol has servers refuse what they have not named.
        copy.settings.push(("protocol.version".to_owned(), "0".to_owned()));
        let wanted = |commit: &str| Wanted { branch: None, commit: Some(commit.to_owned()), without_blobs: false };
        for _ in 0..2 {
            let (commit, ()) = with_copy(&copy, &wanted(&first), |_| Ok(())).unwrap();
            assert_eq!(commit, first);
        }
        let error = with_copy(&copy, &wanted(&"1".repeat(40)), |_| Ok(())).unwrap_err();
        assert!(error.to_string().starts_with("the repository has no commit `111"), "{}", error.chain());
    }

    #[test]
    fn work_that_meets_a_damaged_copy_is_done_again_once() {
        let folder = tempfile::tempdir().unwrap();
        remote(folder.path());
        let copy = git(folder.path(), "copy.git");
        let wanted = Wanted { branch: None, commit: None, without_blobs: false };
        let mut calls = 0;
        let mut broken = |_: &str| -> Result<(), Trouble> {
            calls += 1;
            Err(Trouble::Copy(Failed { said: "broken".to_owned(), timed_out: false }))
        };
        assert!(with_copy(&copy, &wanted, &mut broken).unwrap_err().chain().ends_with("remote: broken"));
        // A copy just made is not made again.
        assert_eq!(calls, 1);
        calls = 0;
        let mut broken = |_: &str| -> Result<(), Trouble> {
            calls += 1;
            Err(Trouble::Copy(Failed { said: "broken".to_owned(), timed_out: false }))
        };
        assert!(with_copy(&copy, &wanted, &mut broken).is_err());
        assert_eq!(calls, 2);
    }
}
