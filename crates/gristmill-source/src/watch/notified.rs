//! Being told by the kernel of Linux: inotify, one watch a folder.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

use super::entries;
use super::scope::Scope;

/// How often is looked whether the roots are still the same folders.
const ROOTS_PAUSE: Duration = Duration::from_secs(1);

/// File systems whose files may be changed by other machines, which the kernel of this one does not hear of: NFS, SMB,
/// CIFS, SMB 2, 9P, AFS, Ceph, Coda, VirtualBox and FUSE, by their numbers in `statfs(2)` and the kernel's `magic.h`.
const DISTANT: &[u64] = &[
    0x6969,
    0x517b,
    0xff53_4d42,
    0xfe53_4d42,
    0x0102_1997,
    0x5346_414f,
    0x00c3_6400,
    0x7375_7245,
    0x786f_4256,
    0x6573_5546,
];

/// Watches of folders.
#[derive(Debug)]
pub(super) struct Notified {
    events: OwnedFd,
    /// The folder of each watch.
    folders: HashMap<i32, PathBuf>,
    /// What is watched for each root.
    roots: Vec<Watched>,
    /// When the roots are looked at again.
    roots_at: Instant,
}

/// What is watched for a root. Folders are known by device and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    /// There is none.
    Nothing,
    /// The root and all below it.
    Folder(u64, u64),
    /// The folder that a file is in: an editor puts a new file in the place of the old one, and only the folder tells.
    Holder(u64, u64),
}

/// An event as it is kept until all have been read.
struct Event {
    watch: i32,
    flags: ReadFlags,
    name: Option<Vec<u8>>,
}

impl Notified {
    /// # Errors
    /// Why there are no notifications.
    pub(super) fn new(scope: &Scope) -> Result<Self, String> {
        if scope.roots.iter().any(|root| is_distant(root)) {
            return Err("the file system is one of another machine".to_owned());
        }
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).map_err(refused)?;
        let roots = vec![Watched::Nothing; scope.roots.len()];
        let mut eyes = Self { events, folders: HashMap::new(), roots, roots_at: Instant::now() };
        eyes.renew(scope)?;
        Ok(eyes)
    }

    /// The first change since the last look.
    ///
    /// # Errors
    /// Why there are no notifications any more.
    pub(super) fn look(&mut self, scope: &Scope) -> Result<Option<PathBuf>, String> {
        let mut first = None;
        for event in self.read()? {
            let changed = self.take(scope, &event)?;
            first = first.or(changed);
        }
        if Instant::now() >= self.roots_at {
            let changed = self.renew(scope)?;
            first = first.or(changed);
        }
        Ok(first)
    }

    /// Watches each root that is not, or no longer, what is watched for it. Answers with one that has changed.
    fn renew(&mut self, scope: &Scope) -> Result<Option<PathBuf>, String> {
        self.roots_at = Instant::now() + ROOTS_PAUSE;
        let mut changed = None;
        for (index, root) in scope.roots.iter().enumerate() {
            let Some(known) = self.roots.get_mut(index) else { continue };
            let now = watched(root, *known);
            if *known == now {
                continue;
            }
            *known = now;
            self.forget(root);
            changed = changed.or_else(|| Some(root.clone()));
            match now {
                Watched::Nothing => {}
                Watched::Folder(..) => self.watch(scope, root)?,
                Watched::Holder(..) => drop(root.parent().map(|folder| self.add(folder)).transpose()?),
            }
        }
        Ok(changed)
    }

    /// Watches a folder and all below it. It is watched before it is read, so that nothing comes between.
    fn watch(&mut self, scope: &Scope, folder: &Path) -> Result<(), String> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            if !self.add(&folder)? {
                continue;
            }
            let inner = entries(&folder).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.extend(inner.map(|entry| entry.path()).filter(|path| scope.concerns(path)));
        }
        Ok(())
    }

    /// False when the folder has gone or cannot be read.
    fn add(&mut self, folder: &Path) -> Result<bool, String> {
        let flags = WatchFlags::ATTRIB
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MODIFY
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        match inotify::add_watch(&self.events, folder, flags) {
            Ok(watch) => {
                self.folders.insert(watch, folder.to_owned());
                Ok(true)
            }
            Err(Errno::NOSPC | Errno::NOMEM | Errno::MFILE) => {
                Err("there are more folders than the kernel watches (fs.inotify.max_user_watches)".to_owned())
            }
            Err(_) => Ok(false),
        }
    }

    /// Ends the watches of a folder and of all below it.
    fn forget(&mut self, folder: &Path) {
        for (watch, _) in self.folders.extract_if(|_, path| path.starts_with(folder)) {
            // The kernel may have ended it already.
            let _ = inotify::remove_watch(&self.events, watch);
        }
    }

    fn read(&self) -> Result<Vec<Event>, String> {
        let mut buffer = [MaybeUninit::uninit(); 16 * 1024];
        let mut reader = inotify::Reader::new(&self.events, &mut buffer);
        let mut all = Vec::new();
        loop {
            match reader.next() {
                Ok(event) => all.push(Event {
                    watch: event.wd(),
                    flags: event.events(),
                    name: event.file_name().map(|name| name.to_bytes().to_owned()),
                }),
                Err(Errno::AGAIN) => return Ok(all),
                Err(Errno::INTR) => {}
                Err(e) => return Err(refused(e)),
            }
        }
    }

    /// The path, where the event is a change of one that matters.
    fn take(&mut self, scope: &Scope, event: &Event) -> Result<Option<PathBuf>, String> {
        if event.flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            // What was lost may have been new folders.
            self.roots.iter_mut().for_each(|root| *root = Watched::Nothing);
            return self.renew(scope);
        }
        if event.flags.contains(ReadFlags::IGNORED) {
            self.folders.remove(&event.watch);
            return Ok(None);
        }
        let Some(folder) = self.folders.get(&event.watch).cloned() else { return Ok(None) };
        if event.flags.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF) {
            self.lose(scope, &folder);
        }
        let path = event.name.as_ref().map_or_else(|| folder.clone(), |name| folder.join(OsStr::from_bytes(name)));
        if !scope.concerns(&path) {
            return Ok(None);
        }
        if event.flags.contains(ReadFlags::ISDIR) && event.name.is_some() {
            self.turn(scope, &path, event.flags)?;
            let is_made = event.flags.intersects(ReadFlags::CREATE | ReadFlags::ATTRIB);
            if is_made && scope.holds_ignored(&path) {
                return Ok(None);
            }
        }
        Ok(Some(path))
    }

    /// A root that has gone is looked for at once, and from now on.
    fn lose(&mut self, scope: &Scope, folder: &Path) {
        for (root, known) in scope.roots.iter().zip(&mut self.roots) {
            if root == folder || (matches!(known, Watched::Holder(..)) && root.parent() == Some(folder)) {
                *known = Watched::Nothing;
                self.roots_at = Instant::now();
            }
        }
    }

    /// A folder has come, gone, or can perhaps be read now.
    fn turn(&mut self, scope: &Scope, folder: &Path, flags: ReadFlags) -> Result<(), String> {
        if flags.contains(ReadFlags::MOVED_FROM) {
            self.forget(folder);
        }
        if flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO | ReadFlags::ATTRIB) {
            self.watch(scope, folder)?;
        }
        Ok(())
    }
}

/// What is to be watched for a root for which `known` was.
fn watched(root: &Path, known: Watched) -> Watched {
    let found = std::fs::metadata(root);
    let holder = || root.parent().and_then(|folder| std::fs::metadata(folder).ok());
    let holder = || holder().map_or(Watched::Nothing, |folder| Watched::Holder(folder.dev(), folder.ino()));
    match found {
        Ok(found) if found.is_dir() => Watched::Folder(found.dev(), found.ino()),
        Ok(_) => holder(),
        // While an editor replaces it, there may be no file.
        Err(_) if known == holder() => known,
        Err(_) => Watched::Nothing,
    }
}

fn is_distant(root: &Path) -> bool {
    // The type is signed or not, and 32 or 64 bits wide, by machine; the numbers have 32 bits.
    rustix::fs::statfs(root).is_ok_and(|found| DISTANT.contains(&(found.f_type as u64 & 0xffff_ffff)))
}

fn refused(cause: Errno) -> String {
    format!("the kernel gives no notifications: {cause}")
}
