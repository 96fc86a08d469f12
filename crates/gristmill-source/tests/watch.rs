//! Waiting for changes of real files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use gristmill_source::watch::{Changed, Watch};

const QUIET: Duration = Duration::from_millis(60);

/// Long enough for a change to be told that was going to be.
const PATIENCE: Duration = Duration::from_millis(1500);

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(desk.path("docs/sub")).unwrap();
        fs::write(desk.path("docs/a.md"), "one").unwrap();
        fs::write(desk.path("docs/sub/b.md"), "two").unwrap();
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn watch(&self, paths: &[&str], ignore: &[&str]) -> Watch {
        let own = |paths: &[&str]| paths.iter().map(|path| self.path(path)).collect::<Vec<_>>();
        Watch::new(&own(paths), &own(ignore)).unwrap()
    }
}

fn next(watch: &mut Watch) -> PathBuf {
    match next_within(watch, Duration::from_secs(60)) {
        Changed::Path(path) => path,
        Changed::Stopped => panic!("nothing was told"),
    }
}

/// True when nothing is told for a while.
fn is_still(watch: &mut Watch) -> bool {
    next_within(watch, PATIENCE) == Changed::Stopped
}

fn next_within(watch: &mut Watch, limit: Duration) -> Changed {
    let stop = AtomicBool::new(false);
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            if ended.recv_timeout(limit).is_err_and(|e| e == mpsc::RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let changed = watch.next(QUIET, stop);
        drop(done);
        changed
    })
}

#[test]
fn every_kind_of_change_is_told() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs"], &[]);
    fs::write(desk.path("docs/a.md"), "new").unwrap();
    assert_eq!(next(&mut watch), desk.path("docs/a.md"));
    fs::write(desk.path("docs/sub/c.md"), "new").unwrap();
    assert_eq!(next(&mut watch), desk.path("docs/sub/c.md"));
    fs::rename(desk.path("docs/sub/c.md"), desk.path("docs/d.md")).unwrap();
    assert!([desk.path("docs/sub/c.md"), desk.path("docs/d.md")].contains(&next(&mut watch)));
    fs::remove_file(desk.path("docs/d.md")).unwrap();
    assert_eq!(next(&mut watch), desk.path("docs/d.md"));
    // Folders that come with files in them, and files that come later.
    fs::create_dir_all(desk.path("docs/x/y")).unwrap();
    assert!(next(&mut watch).starts_with(desk.path("docs/x")));
    fs::write(desk.path("docs/x/y/z.md"), "deep").unwrap();
    assert_eq!(next(&mut watch), desk.path("docs/x/y/z.md"));
    // A folder that moves takes its watches along.
    fs::rename(desk.path("docs/x"), desk.path("docs/w")).unwrap();
    next(&mut watch);
    fs::write(desk.path("docs/w/y/z.md"), "deeper").unwrap();
    assert_eq!(next(&mut watch), desk.path("docs/w/y/z.md"));
    assert!(is_still(&mut watch));
}

#[test]
fn what_changes_between_two_waits_is_told_by_the_second() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs"], &[]);
    assert_eq!(watch.next(QUIET, &AtomicBool::new(true)), Changed::Stopped);
    fs::write(desk.path("docs/a.md"), "new").unwrap();
    assert_eq!(watch.next(QUIET, &AtomicBool::new(true)), Changed::Stopped);
    assert_eq!(next(&mut watch), desk.path("docs/a.md"));
}

#[test]
fn reads_and_own_files_are_no_changes() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs"], &["docs/.gristmill/store.db", "docs/out"]);
    fs::read(desk.path("docs/a.md")).unwrap();
    fs::read_dir(desk.path("docs/sub")).unwrap().for_each(drop);
    fs::create_dir_all(desk.path("docs/.gristmill")).unwrap();
    fs::create_dir_all(desk.path("docs/.git/objects")).unwrap();
    fs::create_dir_all(desk.path("docs/out/deep")).unwrap();
    for file in ["docs/.gristmill/store.db", "docs/.gristmill/store.db-wal", "docs/.git/index", "docs/out/deep/a.json"]
    {
        fs::write(desk.path(file), "own").unwrap();
    }
    assert!(is_still(&mut watch));
}

#[test]
fn a_folder_may_be_deleted_and_made_again() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs"], &[]);
    fs::remove_dir_all(desk.path("docs")).unwrap();
    assert!(next(&mut watch).starts_with(desk.path("docs")));
    assert!(is_still(&mut watch));
    fs::create_dir_all(desk.path("docs/sub")).unwrap();
    assert_eq!(next(&mut watch), desk.path("docs"));
    fs::write(desk.path("docs/sub/b.md"), "again").unwrap();
    assert_eq!(next(&mut watch), desk.path("docs/sub/b.md"));
    // Moved away, and another put in its place at once.
    fs::rename(desk.path("docs"), desk.path("old")).unwrap();
    fs::create_dir(desk.path("docs")).unwrap();
    next(&mut watch);
    fs::write(desk.path("docs/c.md"), "third").unwrap();
    while next(&mut watch) != desk.path("docs/c.md") {}
    fs::write(desk.path("old/sub/b.md"), "elsewhere").unwrap();
    assert!(is_still(&mut watch));
}

#[test]
fn a_file_is_watched_when_an_editor_replaces_it() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs/a.md"], &[]);
    fs::write(desk.path("docs/other.md"), "new").unwrap();
    assert!(is_still(&mut watch));
    for text in ["two", "three"] {
        fs::write(desk.path("docs/.a.md.tmp"), text).unwrap();
        fs::rename(desk.path("docs/.a.md.tmp"), desk.path("docs/a.md")).unwrap();
        assert_eq!(next(&mut watch), desk.path("docs/a.md"));
    }
}

#[test]
fn changes_that_go_on_are_told_all_the_same() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs"], &[]);
    let stop = AtomicBool::new(false);
    let path = desk.path("docs/busy.log");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::write(&path, "more").unwrap();
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        assert_eq!(next(&mut watch), path);
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn more_events_than_the_kernel_holds_lose_no_folder() {
    let desk = Desk::new();
    let mut watch = desk.watch(&["docs"], &[]);
    let held = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").ok();
    let held: usize = held.and_then(|number| number.trim().parse().ok()).unwrap_or(1000);
    for n in 0..held.min(20_000) {
        // Equal events one after the other are one.
        fs::write(desk.path(&format!("docs/f{}.md", n % 2)), "x").unwrap();
    }
    fs::create_dir(desk.path("docs/late")).unwrap();
    next(&mut watch);
    fs::write(desk.path("docs/late/a.md"), "x").unwrap();
    while next(&mut watch) != desk.path("docs/late/a.md") {}
}

#[test]
fn what_does_not_exist_is_named() {
    let desk = Desk::new();
    let error = Watch::new(&[desk.path("none")], &[]).unwrap_err();
    assert!(error.to_string().starts_with("no such file or folder: "));
}

#[cfg(unix)]
#[test]
fn a_root_may_be_a_link_that_is_turned() {
    let desk = Desk::new();
    fs::create_dir(desk.path("v2")).unwrap();
    let link = |to: &str| {
        std::os::unix::fs::symlink(to, desk.path("new")).unwrap();
        fs::rename(desk.path("new"), desk.path("current")).unwrap();
    };
    link("docs");
    let store = desk.path("docs/store.db");
    let mut watch = Watch::new(&[desk.path("current")], std::slice::from_ref(&store)).unwrap();
    fs::write(&store, "own").unwrap();
    fs::write(desk.path("docs/a.md"), "new").unwrap();
    assert_eq!(next(&mut watch), desk.path("current/a.md"));
    link("v2");
    assert_eq!(next(&mut watch), desk.path("current"));
    fs::write(desk.path("v2/b.md"), "new").unwrap();
    assert_eq!(next(&mut watch), Path::new(&desk.path("current/b.md")));
}
