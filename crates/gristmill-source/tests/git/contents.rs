//! What a commit holds: names, links, filters, and what is not read.

use gristmill_source::{Source, Symlinks};

use crate::place::{Place, bytes, codes, listing, names, open, texts};

#[test]
fn bytes_are_those_of_the_commit() {
    let place = Place::new(&[(".gitattributes", "*.md text eol=crlf\n*.txt ident\n")]);
    place.write_bytes("unix.md", b"a\nb\n");
    place.write_bytes("ident.txt", b"$Id$\n");
    place.write_bytes("dos.bin", b"a\r\nb\r\n\0\xff");
    place.write_bytes("empty.md", b"");
    place.commit();
    let source = place.open();
    assert_eq!(bytes(&source, "unix.md"), b"a\nb\n");
    assert_eq!(bytes(&source, "ident.txt"), b"$Id$\n");
    assert_eq!(bytes(&source, "dos.bin"), b"a\r\nb\r\n\0\xff");
    assert_eq!(bytes(&source, "empty.md"), b"");
}

#[test]
fn large_files_are_read_whole() {
    let place = Place::new(&[]);
    let large: Vec<u8> = (0..17 * 1024 * 1024_u32).map(|n| (n % 251) as u8).collect();
    place.write_bytes("large.bin", &large);
    place.commit();
    let source = place.open();
    assert!(bytes(&source, "large.bin") == large);
    let entry = &listing(&source).entries[0];
    assert!(source.fetch(entry).unwrap().bytes().is_none());
}

#[test]
fn several_threads_read_at_once() {
    let files: Vec<(String, String)> = (0..50).map(|n| (format!("{n:02}.md"), format!("text {n}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let place = Place::new(&files);
    let source = place.open();
    let expected: Vec<String> = files.iter().map(|(_, text)| (*text).to_owned()).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let read: Vec<String> = texts(&source).into_iter().map(|(_, text)| text).collect();
                assert_eq!(read, expected);
            });
        }
    });
}

#[test]
fn what_git_tracks_is_read_and_hidden_files_are_not() {
    let place = Place::new(&[
        (".gitignore", "build/\n"),
        ("build/a.md", "x"),
        (".github/b.md", "x"),
        ("c.md", "x"),
        ("README.md", "x"),
        ("drafts/d.md", "x"),
        ("e.txt", "x"),
    ]);
    assert_eq!(names(&place.open()), ["README.md", "build/a.md", "c.md", "drafts/d.md", "e.txt"]);
    let mut spec = place.spec();
    spec.include = vec!["*.md".to_owned(), ".github/**".to_owned()];
    spec.exclude = vec!["drafts/".to_owned()];
    spec.readmes = false;
    assert_eq!(names(&open(&spec)), [".github/b.md", "build/a.md", "c.md"]);
}

#[test]
fn own_ignore_files_of_the_commit_hold() {
    let place = Place::new(&[
        (".gristmillignore", "*.log\n"),
        ("docs/.gristmillignore", "private/\n"),
        ("docs/a.md", "x"),
        ("docs/b.log", "x"),
        ("docs/private/c.md", "x"),
    ]);
    assert_eq!(names(&place.open()), ["docs/a.md"]);
    assert_eq!(names(&open(&place.with(|git| git.path = Some("docs".into())))), ["a.md"]);
}

#[test]
fn a_folder_inside_is_the_root_of_its_names() {
    let place =
        Place::new(&[("guide/en/a.md", "x"), ("guide/en/b/c.md", "x"), ("guide/enough.md", "x"), ("d.md", "x")]);
    for path in ["guide/en", "./guide/en/"] {
        assert_eq!(names(&open(&place.with(|git| git.path = Some(path.into())))), ["a.md", "b/c.md"]);
    }
}

#[test]
fn submodules_and_pointers_are_named_and_not_read() {
    let pointer = "version https://git-lfs.github.com/spec/v1\n\
        oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    let place = Place::new(&[("a.md", "x"), ("manual.pdf", pointer), ("not.md", &format!("See:\n{pointer}"))]);
    let lib = Place::new(&[("inner.md", "x")]);
    let url = lib.remote().display().to_string();
    place.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "lib"]);
    place.commit();
    let source = place.open();
    assert_eq!(names(&source), ["a.md", "not.md"]);
    assert_eq!(listing(&source).unseen, ["manual.pdf"]);
    assert_eq!(codes(&source), [("lib".to_owned(), "submodule"), ("manual.pdf".to_owned(), "lfs-pointer")]);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;

    #[test]
    fn odd_names_come_through() {
        let odd: [&[u8]; 10] = [
            b"-rf.md",
            b"\"quoted\".md",
            b"it's.md",
            b"a b.md",
            b"caf\xe9.md",
            b"line\nbreak.md",
            "o\u{308}.md".as_bytes(),
            "资料.md".as_bytes(),
            b"tab\there.md",
            b"back\\slash.md",
        ];
        let place = Place::new(&[]);
        for name in odd {
            place.write_bytes(Path::new("d").join(OsStr::from_bytes(name)), name);
        }
        place.commit();
        let source = open(&place.with(|git| git.path = Some("d".into())));
        let mut expected: Vec<String> = odd
            .iter()
            .map(|name| String::from_utf8(name.to_vec()).unwrap_or_else(|_| "caf\\xE9.md".to_owned()))
            .collect();
        expected.sort();
        assert_eq!(names(&source), expected);
        for entry in listing(&source).entries {
            assert_eq!(entry.escaped, entry.path == "caf\\xE9.md");
            let content = bytes(&source, &entry.path);
            assert!(if entry.escaped { content == b"caf\xe9.md" } else { content == entry.path.as_bytes() });
        }
    }

    #[test]
    fn a_folder_with_an_odd_name_can_be_the_root() {
        let place = Place::new(&[("a b/\"c\nd\"/e.md", "x")]);
        assert_eq!(names(&open(&place.with(|git| git.path = Some("a b/\"c\nd\"".into())))), ["e.md"]);
    }

    fn linked() -> Place {
        let place =
            Place::new(&[("src/a.md", "a"), ("src/sub/b.md", "b"), ("src/.hidden/v/h.md", "h"), ("out/c.md", "c")]);
        for (target, link) in [
            ("a.md", "src/alias.md"),
            ("nowhere", "src/broken"),
            (".", "src/loop"),
            ("../out", "src/out"),
            ("../out/c.md", "src/out.md"),
            ("self", "src/self"),
            ("..", "src/sub/up"),
            ("/etc", "src/etc"),
            (".hidden/v", "src/current"),
            ("src", "way"),
        ] {
            symlink(target, place.remote().join(link)).unwrap();
        }
        place.commit();
        place
    }

    #[test]
    fn links_are_answered_as_in_a_file_system() {
        let place = linked();
        for path in ["src", "way"] {
            let source = open(&place.with(|git| git.path = Some(path.into())));
            assert_eq!(texts(&source).len(), 3);
            assert_eq!(names(&source), ["a.md", "current/h.md", "sub/b.md"]);
            let expected = [
                ("alias.md", "listed-once"),
                ("broken", "broken-link"),
                ("etc", "link-leaves-root"),
                ("loop", "listed-once"),
                ("out", "link-leaves-root"),
                ("out.md", "link-leaves-root"),
                ("self", "broken-link"),
                ("sub/up", "listed-once"),
            ];
            assert_eq!(codes(&source), expected.map(|(path, code)| (path.to_owned(), code)));
            assert!(listing(&source).unseen.is_empty());
        }
    }

    #[test]
    fn the_file_system_gives_the_same_names() {
        let place = linked();
        for symlinks in [Symlinks::Within, Symlinks::Never, Symlinks::Anywhere] {
            std::fs::remove_file(place.remote().join("src/etc")).unwrap_or_default();
            place.commit();
            let git = place.with(|git| git.path = Some("src".into()));
            let git = open(&gristmill_source::SourceSpec { symlinks, ..git });
            let fs = gristmill_source::SourceSpec { symlinks, paths: vec!["remote/src".into()], ..place.spec() };
            let fs = gristmill_source::FsSource::open(&fs).unwrap().list().unwrap();
            let fs_names: Vec<String> = fs.value.entries.into_iter().map(|entry| entry.path).collect();
            assert_eq!(names(&git), fs_names, "{symlinks:?}");
            let fs_codes: Vec<_> = fs.diagnostics.into_iter().map(|d| (d.place.source, d.code)).collect();
            assert_eq!(codes(&git), fs_codes, "{symlinks:?}");
        }
    }
}
