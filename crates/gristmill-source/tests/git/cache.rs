//! The copy: shared, damaged, filled only in part.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gristmill_source::Source;

use crate::place::{Place, listing, names, open, texts};

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}

/// Writes over a file that may be read-only.
fn replace(path: &Path, content: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, content).unwrap();
}

fn objects(place: &Place) -> Vec<PathBuf> {
    files_below(&place.copy().join("objects"))
        .into_iter()
        .filter(|p| p.extension().is_none_or(|e| e == "pack"))
        .collect()
}

#[test]
fn a_damaged_copy_is_made_anew() {
    let place = Place::new(&[("a.md", "one\n"), ("docs/b.md", "two\n")]);
    let damages: [&dyn Fn(); 6] = [
        &|| fs::remove_file(place.copy().join("HEAD")).unwrap(),
        &|| fs::remove_dir_all(place.copy().join("objects")).unwrap(),
        &|| objects(&place).iter().for_each(|object| replace(object, b"")),
        &|| objects(&place).iter().for_each(|object| replace(object, b"damage")),
        &|| fs::write(place.copy().join("shallow.lock"), "").unwrap(),
        &|| fs::write(place.copy().join("config"), "[core").unwrap(),
    ];
    let expected = texts(&place.open());
    assert_eq!(expected.len(), 2);
    for (number, damage) in damages.iter().enumerate() {
        damage();
        place.write(&[("c.md", &format!("new {number}\n"))]);
        place.commit();
        assert_eq!(texts(&place.open())[..1], expected[..1], "{number}");
        assert_eq!(names(&place.open()), ["a.md", "c.md", "docs/b.md"], "{number}");
    }
}

#[test]
fn each_object_may_be_the_damaged_one() {
    let place = Place::new(&[("a.md", "one\n"), ("docs/b.md", "two\n"), ("docs/deep/c.md", "three\n")]);
    place.open();
    let count = objects(&place).len();
    for number in 0..count {
        let mut all = objects(&place);
        all.sort();
        replace(&all[number.min(all.len() - 1)], b"damage");
        // One that only reading finds is an error of that file now, and healed by the next run.
        let source = place.open();
        let listing = listing(&source);
        assert_eq!(listing.entries.len(), 3);
        let failed = listing.entries.iter().filter(|entry| source.fetch(entry).is_err()).count();
        assert!(failed <= 1);
        assert_eq!(texts(&place.open()).len(), 3);
    }
}

#[test]
fn damage_within_a_pack_is_healed_by_the_run_after() {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let place = Place::new(&[]);
    for n in 0..120 {
        place.write_bytes(format!("{n:03}.bin"), &(0..2000).map(|_| noise()).collect::<Vec<u8>>());
    }
    place.commit();
    place.open();
    let packs = objects(&place);
    assert_eq!(packs.len(), 1);
    let mut pack = fs::read(&packs[0]).unwrap();
    let middle = pack.len() / 2;
    pack[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0xff);
    replace(&packs[0], &pack);
    let source = place.open();
    let entries = listing(&source).entries;
    assert_eq!(entries.len(), 120);
    let failed: Vec<String> = entries.iter().filter_map(|e| source.fetch(e).err()).map(|e| e.to_string()).collect();
    assert!((1..=2).contains(&failed.len()), "{failed:?}");
    assert!(failed[0].starts_with("cannot read from the repository: "));
    let source = place.open();
    assert!(entries.iter().all(|entry| source.fetch(entry).is_ok()));
}

#[test]
fn two_at_once_share_one_copy() {
    let place = Place::new(&[("a.md", "one\n"), ("b.md", "two\n")]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(texts(&place.open()).len(), 2));
        }
    });
    place.copy();
}

#[test]
fn a_folder_of_a_large_repository_is_fetched_without_the_rest() {
    let place =
        Place::new(&[("docs/a.md", "one\n"), ("docs/b.md", "two\n"), ("code/x.rs", "code\n"), ("y.bin", "y\n")]);
    place.git(&["config", "uploadpack.allowFilter", "true"]);
    let spec = place.with(|git| git.path = Some("docs".into()));
    assert_eq!(texts(&open(&spec)).len(), 2);
    let has = |path: &str| {
        let object = place.git(&["rev-parse", &format!("HEAD:{path}")]);
        let mut git = std::process::Command::new("git");
        git.arg("--git-dir").arg(place.copy()).env("GIT_NO_LAZY_FETCH", "1");
        git.args(["cat-file", "-e", &object]).output().unwrap().status.success()
    };
    assert!(has("docs/a.md") && has("docs/b.md"));
    let version = String::from_utf8(std::process::Command::new("git").arg("version").output().unwrap().stdout).unwrap();
    let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
    if version.starts_with("git version 2.") && minor >= 45 {
        assert!(!has("code/x.rs") && !has("y.bin"));
    }
    place.write(&[("docs/c.md", "three\n"), ("code/x.rs", "new code\n")]);
    place.commit();
    assert_eq!(names(&open(&spec)), ["a.md", "b.md", "c.md"]);
    // The whole is another copy.
    assert_eq!(names(&place.open()).len(), 5);
}

#[test]
#[expect(clippy::print_stdout, reason = "tells how long it took")]
fn five_thousand_files() {
    let place = Place::new(&[]);
    for n in 0..5000 {
        place.write(&[(&format!("d{}/f{n}.md", n % 50), &format!("# Page {n}\n\n{}\n", "words ".repeat(300)))]);
    }
    place.commit();
    let start = Instant::now();
    let source = place.open();
    println!("first: {:?}", start.elapsed());
    let entries = listing(&source).entries;
    assert_eq!(entries.len(), 5000);
    let start = Instant::now();
    let bytes: u64 = entries.iter().map(|entry| source.fetch(entry).unwrap().len()).sum();
    println!("read {bytes} bytes: {:?}", start.elapsed());
    assert_eq!(bytes, entries.iter().map(|entry| entry.size).sum::<u64>());
    let start = Instant::now();
    place.open();
    println!("nothing new: {:?}", start.elapsed());
    place.write(&[("d0/f0.md", "new\n")]);
    place.commit();
    let start = Instant::now();
    place.open();
    println!("one file changed: {:?}", start.elapsed());
}
