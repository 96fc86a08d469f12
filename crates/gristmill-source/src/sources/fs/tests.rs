use std::fs;
use std::path::PathBuf;

use super::*;

struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[&str]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for file in files {
            tree.write(file, "text\n");
        }
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn spec(&self, paths: &[&str]) -> SourceSpec {
        SourceSpec {
            folder: self.0.path().to_owned(),
            paths: paths.iter().map(PathBuf::from).collect(),
            readmes: true,
            ..SourceSpec::default()
        }
    }

    fn list(&self, paths: &[&str]) -> Outcome<Listing> {
        FsSource::open(&self.spec(paths)).unwrap().list().unwrap()
    }

    fn names(&self, paths: &[&str]) -> Vec<String> {
        names(&self.list(paths))
    }
}

fn names(listing: &Outcome<Listing>) -> Vec<String> {
    listing.value.entries.iter().map(|e| e.path.clone()).collect()
}

fn codes(listing: &Outcome<Listing>) -> Vec<(&str, &str)> {
    listing.diagnostics.iter().map(|d| (d.place.source.as_str(), d.code)).collect()
}

#[test]
fn lists_sorted_names_with_sizes() {
    let tree = Tree::new(&["src/b.md", "src/a/z.md", "src/a-b.md", "src/empty.md"]);
    tree.write("src/empty.md", "");
    let listing = tree.list(&["src"]);
    assert_eq!(names(&listing), ["a-b.md", "a/z.md", "b.md", "empty.md"]);
    let sizes: Vec<u64> = listing.value.entries.iter().map(|e| e.size).collect();
    assert_eq!(sizes, [5, 5, 5, 0]);
    assert!(listing.value.entries.iter().all(|e| e.modified.is_some() && !e.escaped));
    assert!(listing.diagnostics.is_empty());
    assert_eq!(tree.list(&["src"]).value, listing.value);
}

#[test]
fn ignore_files_hold_outside_and_inside_a_repository() {
    for repository in [false, true] {
        let tree = Tree::new(&["src/a.md", "src/build/x.md", "src/sub/b.md", "src/sub/c.log", "src/private/d.md"]);
        tree.write(".gitignore", "build/\n");
        tree.write("src/sub/.gitignore", "*.log\n");
        tree.write("src/.gristmillignore", "private\n");
        if repository {
            fs::create_dir(tree.path(".git")).unwrap();
        }
        assert_eq!(tree.names(&["src"]), ["a.md", "sub/b.md"]);
        // What is named itself is taken.
        assert_eq!(tree.names(&["src/sub/c.log"]), ["src/sub/c.log"]);
        assert_eq!(tree.names(&["src/build"]), ["x.md"]);
    }
}

#[test]
fn ignore_files_above_a_repository_do_not_reach_into_it() {
    let tree = Tree::new(&["repo/a.md"]);
    tree.write(".gitignore", "*\n");
    fs::create_dir(tree.path("repo/.git")).unwrap();
    assert_eq!(tree.names(&["repo"]), ["a.md"]);
}

#[test]
fn hidden_files_are_skipped_unless_named() {
    let tree = Tree::new(&["src/.DS_Store", "src/.github/a.md", "src/.git/config", "src/b.md"]);
    assert_eq!(tree.names(&["src"]), ["b.md"]);
    assert_eq!(tree.names(&["src/.DS_Store"]), ["src/.DS_Store"]);
    assert_eq!(tree.names(&["src/.github"]), ["a.md"]);
    let spec = SourceSpec { include: vec!["**/*.md".into(), ".github/**".into()], ..tree.spec(&["src"]) };
    assert_eq!(names(&FsSource::open(&spec).unwrap().list().unwrap()), [".github/a.md", "b.md"]);
}

#[test]
fn globs_choose_and_readmes_can_be_left_out() {
    let tree = Tree::new(&["a.md", "README.md", "x/b.pdf", "x/c.txt", "drafts/d.md"]);
    let spec = SourceSpec {
        include: vec!["*.md".into(), "x/*.pdf".into()],
        exclude: vec!["drafts/".into()],
        readmes: false,
        ..tree.spec(&["."])
    };
    assert_eq!(names(&FsSource::open(&spec).unwrap().list().unwrap()), ["a.md", "x/b.pdf"]);
}

#[test]
fn what_is_given_twice_is_listed_once() {
    let tree = Tree::new(&["docs/a.md", "docs/b.md", "c.md"]);
    assert_eq!(tree.names(&["docs", "docs/a.md", "./c.md", "c.md"]), ["c.md", "docs/a.md", "docs/b.md"]);
}

#[test]
fn odd_names_come_through() {
    let odd = ["-rf.md", "a b.md", "line\nbreak.md", "o\u{308}.md", "ö.md", "Größe#2%.md", "资料.md"];
    let files: Vec<String> = odd.iter().map(|n| format!("src/{n}")).collect();
    let tree = Tree::new(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let mut sorted = odd.map(str::to_owned);
    sorted.sort();
    let source = FsSource::open(&tree.spec(&["src"])).unwrap();
    let listing = source.list().unwrap();
    assert_eq!(names(&listing), sorted);
    for entry in &listing.value.entries {
        assert_eq!(source.fetch(entry).unwrap().bytes(), Some(&b"text\n"[..]));
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn names_that_are_not_unicode_are_escaped_and_can_be_read() {
        let tree = Tree::new(&["src/a.md"]);
        fs::write(tree.path("src").join(OsStr::from_bytes(b"caf\xe9.md")), "old").unwrap();
        let source = FsSource::open(&tree.spec(&["src"])).unwrap();
        let listing = source.list().unwrap().value;
        let flags: Vec<(&str, bool)> = listing.entries.iter().map(|e| (e.path.as_str(), e.escaped)).collect();
        assert_eq!(flags, [("a.md", false), ("caf\\xE9.md", true)]);
        assert_eq!(source.fetch(&listing.entries[1]).unwrap().bytes(), Some(&b"old"[..]));
    }

    #[test]
    fn links_list_a_file_once_and_loops_end() {
        let tree = Tree::new(&["src/a.md", "src/sub/b.md", "outside/c.md", "outside/d/e.md"]);
        symlink(tree.path("src"), tree.path("src/loop")).unwrap();
        symlink("..", tree.path("src/sub/up")).unwrap();
        symlink("a.md", tree.path("src/alias.md")).unwrap();
        symlink("nowhere", tree.path("src/broken")).unwrap();
        symlink("self", tree.path("src/self")).unwrap();
        symlink("../outside", tree.path("src/out")).unwrap();
        symlink("../outside/c.md", tree.path("src/out.md")).unwrap();
        let listing = tree.list(&["src"]);
        assert_eq!(names(&listing), ["a.md", "sub/b.md"]);
        assert_eq!(
            codes(&listing),
            [
                ("alias.md", "listed-once"),
                ("broken", "broken-link"),
                ("loop", "listed-once"),
                ("out", "link-leaves-root"),
                ("out.md", "link-leaves-root"),
                ("self", "broken-link"),
                ("sub/up", "listed-once"),
            ]
        );
        assert!(listing.value.unseen.is_empty());
        let anywhere = SourceSpec { symlinks: Symlinks::Anywhere, ..tree.spec(&["src"]) };
        let listing = FsSource::open(&anywhere).unwrap().list().unwrap();
        assert_eq!(names(&listing), ["a.md", "out/c.md", "out/d/e.md", "sub/b.md"]);
    }

    #[test]
    fn links_that_lead_above_the_root_list_nothing_twice() {
        let tree = Tree::new(&["top/src/a.md", "top/b.md"]);
        symlink("..", tree.path("top/src/up")).unwrap();
        symlink("src", tree.path("top/again")).unwrap();
        let anywhere = SourceSpec { symlinks: Symlinks::Anywhere, ..tree.spec(&["top/src"]) };
        assert_eq!(names(&FsSource::open(&anywhere).unwrap().list().unwrap()), ["a.md", "up/b.md"]);
    }

    #[test]
    fn a_link_to_what_is_not_listed_itself_is_followed() {
        let tree = Tree::new(&["src/build/v2/a.md"]);
        tree.write("src/.gitignore", "build/\n");
        symlink("build/v2", tree.path("src/current")).unwrap();
        symlink("build/v2", tree.path("src/newest")).unwrap();
        assert_eq!(tree.names(&["src"]), ["current/a.md"]);
    }

    #[test]
    fn links_that_were_named_are_followed_once() {
        let tree = Tree::new(&["docs/a.md", "b.md"]);
        symlink("docs", tree.path("link")).unwrap();
        symlink("b.md", tree.path("c.md")).unwrap();
        assert_eq!(tree.names(&["link"]), ["a.md"]);
        assert_eq!(tree.names(&["link", "b.md"]), ["b.md", "link/a.md"]);
        assert_eq!(tree.names(&["link", "docs", "c.md"]), ["c.md", "docs/a.md"]);
    }

    #[test]
    fn what_a_link_cannot_reach_now_is_not_taken_for_deleted() {
        let tree = Tree::new(&["src/a.md"]);
        symlink(tree.path("disk/b.md"), tree.path("src/b.md")).unwrap();
        symlink("none.md", tree.path("src/c.md")).unwrap();
        let anywhere = SourceSpec { symlinks: Symlinks::Anywhere, ..tree.spec(&["src"]) };
        let listing = FsSource::open(&anywhere).unwrap().list().unwrap();
        assert_eq!(listing.value.unseen, ["b.md"]);
        assert_eq!(codes(&listing), [("b.md", "unreadable"), ("c.md", "broken-link")]);
        assert!(tree.list(&["src"]).value.unseen.is_empty());
    }

    #[test]
    fn a_named_link_that_vanished_is_unseen() {
        let tree = Tree::new(&["docs/a.md", "b.md"]);
        symlink("docs", tree.path("link")).unwrap();
        let source = FsSource::open(&tree.spec(&["link", "b.md"])).unwrap();
        fs::rename(tree.path("docs"), tree.path("away")).unwrap();
        assert_eq!(source.list().unwrap().value.unseen, ["link"]);
    }

    #[test]
    fn pipes_and_sockets_are_named_and_never_opened() {
        let tree = Tree::new(&["src/a.md"]);
        let _listener = UnixListener::bind(tree.path("src/socket")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(tree.path("src/pipe.md")).status().unwrap();
        assert!(made.success());
        let listing = tree.list(&["src"]);
        assert_eq!(names(&listing), ["a.md"]);
        assert_eq!(codes(&listing), [("pipe.md", "special-file"), ("socket", "special-file")]);
        assert_eq!(codes(&tree.list(&["src/pipe.md"])), [("src/pipe.md", "special-file")]);
        assert!(Raw::open(&tree.path("src/pipe.md")).is_err());
    }

    #[test]
    #[expect(clippy::print_stdout, reason = "says why it is skipped")]
    fn what_cannot_be_read_is_reported_and_does_not_stop_the_rest() {
        let tree = Tree::new(&["src/a.md", "src/locked/b.md", "src/c.md"]);
        let mode = |path: &str, mode| fs::set_permissions(tree.path(path), fs::Permissions::from_mode(mode)).unwrap();
        symlink("locked/b.md", tree.path("src/d.md")).unwrap();
        mode("src/locked", 0o000);
        mode("src/c.md", 0o000);
        if fs::read(tree.path("src/c.md")).is_ok() {
            println!("skipped: file modes do not hold for this user");
            return mode("src/locked", 0o755);
        }
        let source = FsSource::open(&tree.spec(&["src"])).unwrap();
        let listing = source.list().unwrap();
        let fetched = source.fetch(&listing.value.entries[1]);
        mode("src/locked", 0o755);
        assert_eq!(names(&listing), ["a.md", "c.md"]);
        assert_eq!(listing.value.unseen, ["d.md", "locked"]);
        assert_eq!(codes(&listing), [("d.md", "unreadable"), ("locked", "unreadable")]);
        assert!(fetched.unwrap_err().to_string().ends_with("c.md"));
    }
}

#[test]
fn a_folder_that_vanished_is_unseen_not_empty() {
    let tree = Tree::new(&["src/a.md"]);
    let source = FsSource::open(&tree.spec(&["src"])).unwrap();
    fs::remove_dir_all(tree.path("src")).unwrap();
    let listing = source.list().unwrap();
    assert_eq!((listing.value.entries.len(), listing.value.unseen), (0, vec![String::new()]));
    assert_eq!(listing.diagnostics[0].place.source, ".");
}

#[test]
fn one_of_several_folders_that_vanished_is_unseen_not_empty() {
    let tree = Tree::new(&["docs/a.md", "more/b.md", "c.md"]);
    let source = FsSource::open(&tree.spec(&["docs", "more", "c.md"])).unwrap();
    fs::remove_dir_all(tree.path("docs")).unwrap();
    fs::remove_file(tree.path("c.md")).unwrap();
    let listing = source.list().unwrap();
    assert_eq!(names(&listing), ["more/b.md"]);
    assert_eq!(listing.value.unseen, ["c.md", "docs"]);
}

#[test]
fn a_missing_path_is_named() {
    let tree = Tree::new(&[]);
    let error = FsSource::open(&tree.spec(&["gone/x.md"])).unwrap_err();
    assert_eq!(error.to_string(), "no such file or folder: gone/x.md");
    assert_eq!(error.kind(), gristmill_core::ErrorKind::Input);
}
