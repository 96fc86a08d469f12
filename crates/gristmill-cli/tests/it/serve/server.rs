//! A server of this machine with a folder of documents and a stub that embeds.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::http::{Answer, send};
use crate::service::Service;

pub const SECRET: &str = "case-secret";
const JSON: (&str, &str) = ("Content-Type", "application/json");

pub struct Server {
    process: Child,
    pub address: String,
}

/// Settings of a folder `docs` that pushes to `acme/docs` ingest. `more` stands at the end, in `[server]`.
pub fn configure(folder: &Path, service: &Service, more: &str) {
    let text = format!(
        "version = 1\n[[source]]\nname = \"docs\"\npath = \"docs\"\nrepository = \"acme/docs\"\nbranch = \"main\"\n\
        [chunk]\nmax = 80\nmin = 0\noverlap = 0\nunit = \"chars\"\n\
        [embed]\nprovider = \"openai\"\nmodel = \"stub\"\nbase_url = \"{}\"\napi_key_env = \"KEY\"\nbatch_size = 4\n\
        [server]\nwebhook_secret_env = \"HOOK\"\n{more}",
        service.url()
    );
    std::fs::create_dir_all(folder.join("docs")).unwrap();
    std::fs::write(folder.join("gristmill.toml"), text).unwrap();
}

/// Some documents, each with a few texts of its own.
pub fn write_documents(folder: &Path, count: usize, version: usize) {
    for file in 0..count {
        let mut text = format!("# File {file}\n\n");
        for n in 0..4 {
            text.push_str(&format!("Paragraph {n} of file {file} in version {version} says something.\n\n"));
        }
        std::fs::write(folder.join("docs").join(format!("{file}.md")), text).unwrap();
    }
}

impl Server {
    pub fn start(folder: &Path) -> Self {
        Self::try_start(folder).unwrap_or_else(|said| panic!("the server does not start: {said}"))
    }

    /// What it says instead, when it does not start.
    pub fn try_start(folder: &Path) -> Result<Self, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
        command.current_dir(folder).args(["serve", "--bind", "127.0.0.1:0"]).env("KEY", "k-secret").env("HOOK", SECRET);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let address = loop {
            let Some(Ok(line)) = lines.next() else {
                let _ = process.wait();
                return Err(said);
            };
            if let Some((_, address)) = line.split_once("serves at http://") {
                break address.to_owned();
            }
            said.push_str(&line);
        };
        // What it says later must not fill the pipe.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Ok(Self { process, address })
    }

    pub fn get(&self, path: &str) -> Answer {
        send(&self.address, "GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        send(&self.address, "POST", path, &[JSON], body.to_string().as_bytes())
    }

    /// Asks for an ingest; gives the job's name.
    pub fn ingest(&self, body: &Value) -> String {
        let answer = self.post("/v1/jobs", body);
        assert_eq!(answer.status, 202, "{}", answer.text());
        let id = answer.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(answer.header("location"), Some(format!("/v1/jobs/{id}").as_str()));
        id
    }

    pub fn job(&self, id: &str) -> Value {
        self.get(&format!("/v1/jobs/{id}")).json()
    }

    /// A job once it has ended.
    pub fn ended(&self, id: &str) -> Value {
        for _ in 0..4 {
            let job = self.get(&format!("/v1/jobs/{id}?wait=30s")).json();
            if !["queued", "planning", "running", "waiting"].contains(&job["status"].as_str().unwrap()) {
                return job;
            }
        }
        panic!("the job does not end: {}", self.job(id));
    }

    /// Jobs, the oldest first.
    pub fn jobs(&self) -> Vec<Value> {
        let mut jobs = self.get("/v1/jobs").json()["jobs"].as_array().unwrap().clone();
        jobs.reverse();
        jobs
    }

    pub fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Ends it as a service manager does; true when it ends with 0.
    #[cfg(unix)]
    pub fn terminate(mut self) -> bool {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.process.wait().unwrap().success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The texts of a store, sorted.
pub fn stored(folder: &Path) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.current_dir(folder).args(["export", "--format", "jsonl"]).env("KEY", "k-secret").stdin(Stdio::null());
    let out = command.output().unwrap();
    let text = |line: &str| serde_json::from_str::<Value>(line).unwrap()["content"].as_str().unwrap().to_owned();
    let mut texts: Vec<String> = String::from_utf8(out.stdout).unwrap().lines().map(text).collect();
    texts.sort();
    texts
}

/// True when the command `verify` finds nothing wrong.
pub fn verifies(folder: &Path) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.current_dir(folder).arg("verify").env("KEY", "k-secret").stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

pub fn nothing() -> Value {
    json!({})
}
