//! Calling the `git` command so that it asks nothing, runs nothing of others, and ends.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use gristmill_core::{Error, ErrorKind, Result, Retry};

use super::address::Address;

/// The name by which the repository knows its remote. Not `origin`, of which settings of the user may speak.
pub(super) const REMOTE: &str = "gristmill";

/// Settings can be handed over in the environment, where no list of processes shows them, from here on.
const OLDEST: (u32, u32) = (2, 31);

/// From here on git can be told not to fetch each missing object by itself when it is looked for.
const COUNTS_MISSING: (u32, u32) = (2, 45);

/// The longest that work without a network may take.
const LOCAL_LIMIT: Duration = Duration::from_secs(600);

/// The bytes of messages that are kept.
const MESSAGES_MAX: u64 = 64 * 1024;

/// How long a stopped command gets to clear up.
const GRACE: Duration = Duration::from_secs(2);

/// Settings that hold whatever the user's say: no programs of others, no clearing up in the background, nothing fetched
/// or removed that was not asked for, and an end to connections that stand still.
const SETTINGS: &[(&str, &str)] = &[
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.bigFileThreshold", "16m"),
    ("protocol.ext.allow", "never"),
    ("safe.directory", "*"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("fetch.prune", "false"),
    ("fetch.pruneTags", "false"),
    ("fetch.writeCommitGraph", "false"),
    ("http.lowSpeedLimit", "1"),
    ("http.lowSpeedTime", "60"),
    ("credential.interactive", "false"),
];

/// Variables that lead git to another repository (a hook sets them), or make it chatty.
const UNSET: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CURL_VERBOSE",
    "GIT_DEFAULT_HASH",
    "GIT_DEFAULT_REF_FORMAT",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_TRACE_CURL",
    "GIT_TRACE_PACKET",
    "GIT_WORK_TREE",
];

const SET: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"),
    ("GIT_ASKPASS", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GCM_INTERACTIVE", "never"),
    ("LC_ALL", "C"),
    ("SSH_ASKPASS_REQUIRE", "never"),
];

/// The `git` command for one repository and its remote.
#[derive(Debug)]
pub(super) struct Git {
    pub(super) program: String,
    /// Where the repository is, or will be. Its parent exists.
    pub(super) repository: PathBuf,
    pub(super) address: Address,
    /// The longest that an exchange with the remote may take.
    pub(super) limit: Duration,
    /// Settings beside those of all.
    pub(super) settings: Vec<(String, String)>,
}

/// A command that did not succeed.
#[derive(Debug)]
pub(super) struct Failed {
    /// What it said, on one line and without secrets.
    pub(super) said: String,
    pub(super) timed_out: bool,
}

impl Git {
    /// Checks that there is a git that will do. True when it can tell what is missing without fetching it.
    pub(super) fn check(&self) -> Result<bool> {
        let output = Command::new(&self.program).arg("version").stdin(Stdio::null()).output();
        let output = output.map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => Error::config("the `git` command is not installed")
                .hint("install git 2.31 or newer, it reads git sources"),
            _ => Error::config("the `git` command cannot be run").because(e),
        })?;
        let said = String::from_utf8_lossy(&output.stdout);
        let version =
            version(&said).ok_or_else(|| Error::config(format!("unknown version of git: {}", said.trim())))?;
        if version < OLDEST {
            let (major, minor) = version;
            return Err(Error::config(format!("git is too old: {major}.{minor}")).hint("install git 2.31 or newer"));
        }
        Ok(version >= COUNTS_MISSING)
    }

    /// Has ssh ask nothing: the user's own command for it, or the usual one.
    pub(super) fn quiet_ssh(&mut self) {
        let own = self.outside(&["config", "--get", "core.sshCommand"]).unwrap_or_default();
        let own = String::from_utf8_lossy(&own).trim().to_owned();
        let ssh = if own.is_empty() { "ssh" } else { own.as_str() };
        let program = ssh.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
        if program == "ssh" || program.ends_with("/ssh") || program.ends_with("ssh.exe") {
            let quiet = format!("{ssh} -oBatchMode=yes -oConnectTimeout=30");
            self.settings.push(("core.sshCommand".to_owned(), quiet));
        }
    }

    /// Runs without a network.
    pub(super) fn local(&self, arguments: &[&str], input: Option<Vec<u8>>) -> Result<Vec<u8>, Failed> {
        self.run(self.command(arguments), input, LOCAL_LIMIT)
    }

    /// Runs in no repository, so that a damaged one has no say.
    pub(super) fn outside(&self, arguments: &[&str]) -> Result<Vec<u8>, Failed> {
        let mut command = self.command(arguments);
        command.env("GIT_DIR", self.folder().join("none"));
        self.run(command, None, self.limit)
    }

    /// Runs with the remote at the other end.
    pub(super) fn remote(&self, arguments: &[&str], input: Option<Vec<u8>>) -> Result<Vec<u8>, Failed> {
        let mut command = self.command(arguments);
        command.env_remove("GIT_NO_LAZY_FETCH");
        self.run(command, input, self.limit)
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(self.folder()).args(arguments).env("GIT_DIR", &self.repository);
        UNSET.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(SET.iter().copied());
        let own = self.settings.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let url = (format!("remote.{REMOTE}.url"), self.address.url.as_str());
        let all = SETTINGS.iter().copied().chain([(url.0.as_str(), url.1)]).chain(own);
        let mut count = 0;
        for (key, value) in all {
            command.env(format!("GIT_CONFIG_KEY_{count}"), key).env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
        command.env("GIT_CONFIG_COUNT", count.to_string());
        command
    }

    fn folder(&self) -> PathBuf {
        self.repository.parent().map(std::path::Path::to_owned).unwrap_or_default()
    }

    fn run(&self, mut command: Command, input: Option<Vec<u8>>, limit: Duration) -> Result<Vec<u8>, Failed> {
        let failed = |e: io::Error| Failed { said: e.to_string(), timed_out: false };
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        let spawned = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.map_err(failed)?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
            // When it ends before it has read everything, its own words say why.
            std::thread::spawn(move || stdin.write_all(&input).is_ok());
        }
        let output = collect(child.stdout.take(), u64::MAX);
        let messages = collect(child.stderr.take(), MESSAGES_MAX);
        let deadline = Instant::now() + limit;
        let Some(status) = wait(&mut child, deadline).map_err(failed)? else {
            return Err(Failed { said: format!("no end after {} s", limit.as_secs()), timed_out: true });
        };
        // A process that it left behind may hold the pipes open; it is not waited for.
        let rest = deadline.saturating_duration_since(Instant::now()).max(GRACE);
        let output = output.recv_timeout(rest).unwrap_or_default();
        if status.success() {
            return Ok(output);
        }
        let messages = messages.recv_timeout(GRACE).unwrap_or_default();
        Err(Failed { said: self.one_line(&messages), timed_out: false })
    }

    fn one_line(&self, messages: &[u8]) -> String {
        let text = self.address.redact(&String::from_utf8_lossy(messages));
        let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
        let lines = lines.filter(|line| !line.starts_with("hint:") && !line.starts_with("warning:"));
        let lines: Vec<&str> = lines.map(|line| line.trim_start_matches("fatal: ").trim_end_matches('.')).collect();
        // What the other side says is not trusted to steer a terminal.
        let line = lines.join("; ").chars().map(|c| if c.is_control() { ' ' } else { c }).take(600).collect::<String>();
        if line.is_empty() { "git failed without a word".to_owned() } else { line }
    }

    /// The error for a remote that cannot be reached.
    pub(super) fn unreachable(&self, failed: Failed) -> Error {
        let what = if failed.timed_out { "the repository does not answer" } else { "the repository cannot be reached" };
        let error = Error::new(ErrorKind::Remote, format!("{what}: {}", self.address.shown)).retry(Retry::Backoff);
        let is_locked =
            ["could not read Username", "could not read Password", "Authentication failed", "Permission denied"];
        let error = if is_locked.iter().any(|words| failed.said.contains(words)) {
            error.hint(
                "nobody is asked for a password here: use an ssh key, a credential store of git, or a token in the url",
            )
        } else {
            error
        };
        error.because(failed.said)
    }
}

fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix("git version ")?.trim().split(['.', ' ', '-']).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Reads in a thread of its own, so that neither side waits for the other. What is beyond `max` is read and dropped.
fn collect<R: Read + Send + 'static>(from: Option<R>, max: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from
            && (&mut from).take(max).read_to_end(&mut bytes).is_ok()
        {
            // A full pipe would keep the command from ending.
            let _ = io::copy(&mut from, &mut io::sink());
        }
        // Nobody listens any more after a time limit.
        let _ = sender.send(bytes);
    });
    receiver
}

/// `None` when it had to be stopped.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<Option<std::process::ExitStatus>> {
    let ended = wait_until(child, deadline)?;
    if ended.is_none() {
        ask_to_end(child);
        if wait_until(child, Instant::now() + GRACE)?.is_none() {
            child.kill()?;
            child.wait()?;
        }
    }
    Ok(ended)
}

fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<std::process::ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// git ends those it has called when it is asked to end, and cannot when it is killed.
#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended by itself meanwhile.
        let _ = kill_process(pid, Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(_child: &Child) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(program: &str) -> (tempfile::TempDir, Git) {
        let folder = tempfile::tempdir().unwrap();
        let address = Address::parse("https://me:secret@example.org/a", folder.path()).unwrap();
        let git = Git {
            program: program.to_owned(),
            repository: folder.path().join("r.git"),
            address,
            limit: Duration::from_millis(200),
            settings: Vec::new(),
        };
        (folder, git)
    }

    #[test]
    fn versions_of_every_maker_are_read() {
        assert_eq!(version("git version 2.47.3\n"), Some((2, 47)));
        assert_eq!(version("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(version("git version 2.41.0.windows.1"), Some((2, 41)));
        assert_eq!(version("git version 2.51-rc1"), Some((2, 51)));
        assert_eq!(version("hub"), None);
    }

    #[test]
    fn a_missing_git_is_named() {
        let (_folder, git) = git("no-such-git");
        let error = git.check().unwrap_err();
        assert_eq!(error.to_string(), "the `git` command is not installed");
        assert!(error.hint_text().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn an_old_git_is_named() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, mut git) = git("");
        let program = folder.path().join("git");
        std::fs::write(&program, "#!/bin/sh\necho git version 2.25.1\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        git.program = program.to_str().unwrap().to_owned();
        assert_eq!(git.check().unwrap_err().to_string(), "git is too old: 2.25");
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_end_is_ended() {
        let (_folder, git) = git("sleep");
        let mut command = Command::new("sleep");
        command.arg("100");
        let failed = git.run(command, None, git.limit).unwrap_err();
        assert!(failed.timed_out);
        let error = git.unreachable(failed);
        assert_eq!(error.chain(), "the repository does not answer: https://example.org/a: no end after 0 s");
    }

    #[test]
    fn what_git_says_is_one_line_without_secrets() {
        let (_folder, git) = git("git");
        let said = b"warning: w\nfatal: no 'https://me:secret@example.org/a'.\n\x1b[31mremote: x secret\n\nPlease\n";
        assert_eq!(git.one_line(said), "no '***';  [31mremote: x ***");
        assert_eq!(git.one_line(b""), "git failed without a word");
    }

    #[test]
    fn settings_of_the_surroundings_do_not_lead_elsewhere() {
        let (_folder, git) = git("git");
        let command = git.command(&["x"]);
        let value = |name: &str| command.get_envs().find(|(key, _)| *key == name).map(|(_, value)| value);
        assert_eq!(value("GIT_INDEX_FILE"), Some(None));
        assert_eq!(value("GIT_DIR"), Some(Some(git.repository.as_os_str())));
        assert_eq!(value("GIT_TERMINAL_PROMPT"), Some(Some(std::ffi::OsStr::new("0"))));
        assert!(command.get_args().all(|argument| !argument.to_string_lossy().contains("secret")));
    }
}
