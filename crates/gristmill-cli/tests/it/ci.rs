//! What is handed to continuous integration: each file is read, and its commands are run as the service runs them.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use saphyr::{LoadableYamlNode, Yaml};

use crate::lint::{SOUND, WORN};
use crate::run::{Folder, Ran};

fn repository(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

fn yaml(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn text<'y>(yaml: &'y Yaml<'_>) -> &'y str {
    yaml.as_str().unwrap_or_else(|| panic!("no text: {yaml:?}"))
}

fn folder() -> Folder {
    Folder::with(&[("worn.json", WORN), ("sound.json", SOUND), ("gone bad.json", "{"), ("out", ""), ("sum", "")])
}

/// Runs a script as services do.
fn bash(folder: &Folder, script: &str, env: &[(String, String)]) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_gristmill")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut command = std::process::Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(folder.path()).env_clear();
    command.env("PATH", path).env("HOME", folder.path()).envs(env.iter().map(|(name, value)| (name, value)));
    folder.finish(command)
}

/// The step of the action that scans, with these inputs.
fn act(folder: &Folder, inputs: &[(&str, &str)]) -> Ran {
    let action = repository("action.yml");
    let action = yaml(&action);
    let steps = action["runs"]["steps"].as_sequence().unwrap();
    let scan = steps.iter().find(|step| step.as_mapping_get("id").and_then(Yaml::as_str) == Some("scan")).unwrap();
    let mut env =
        vec![("GITHUB_OUTPUT".to_owned(), "out".to_owned()), ("GITHUB_STEP_SUMMARY".to_owned(), "sum".to_owned())];
    for (name, value) in scan["env"].as_mapping().unwrap() {
        let input = text(value).strip_prefix("${{ inputs.").unwrap().strip_suffix(" }}").unwrap();
        let standard = text(&action["inputs"][input]["default"]);
        let given = inputs.iter().find(|(name, _)| *name == input).map_or(standard, |(_, value)| value);
        env.push((text(name).to_owned(), given.to_owned()));
    }
    assert!(inputs.iter().all(|(name, _)| action["inputs"].as_mapping_get(name).is_some()), "{inputs:?}");
    bash(folder, text(&scan["run"]), &env)
}

#[test]
fn the_action_tells_what_was_found_in_four_ways() {
    let folder = folder();
    let ran = act(&folder, &[("paths", "worn.json\n"), ("binary", "gristmill")]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert!(ran.stdout.starts_with("::error file=worn.json,line=3,title=gristmill mid-sentence-start"), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 4);
    assert_eq!(folder.read("out"), "exit-code=1\nsarif=gristmill.sarif\n");
    assert!(folder.read("sum").starts_with("## Scan of `worn.json`\n"));
    assert_eq!(folder.json("gristmill.sarif")["runs"][0]["results"].as_array().unwrap().len(), 4);
}

#[test]
fn the_inputs_of_the_action_reach_the_scan() {
    let code = |inputs: &[(&str, &str)]| {
        let inputs = [inputs, &[("binary", "gristmill")]].concat();
        let folder = folder();
        folder.run(&["scan", "worn.json", "--write-baseline", "known files.json", "-q"]);
        let ran = act(&folder, &inputs);
        let passed = folder.read("out").contains(&format!("exit-code={}\n", ran.code.unwrap()));
        assert!(passed, "{inputs:?}: {ran:?}");
        ran.code.unwrap()
    };
    assert_eq!(code(&[("paths", "sound.json")]), 0);
    assert_eq!(code(&[("paths", "sound.json\nworn.json")]), 1);
    assert_eq!(code(&[("paths", "worn.json"), ("fail-on", "never")]), 0);
    assert_eq!(code(&[("paths", "worn.json"), ("select", "orphan-table")]), 0);
    assert_eq!(code(&[("paths", "worn.json"), ("ignore", "mid-sentence-start"), ("fail-on", "medium")]), 1);
    assert_eq!(code(&[("paths", "worn.json"), ("baseline", "known files.json")]), 0);
    assert_eq!(code(&[("paths", "sound.json"), ("args", "--max-chars\n20\n--fail-on\nlow"), ("fail-on", "low")]), 2);
    assert_eq!(code(&[("paths", "sound.json"), ("args", "--max-chars\n20"), ("fail-on", "low")]), 1);
    assert_eq!(code(&[("paths", "gone bad.json")]), 2);
    assert_eq!(code(&[]), 2, "no settings name a source");
}

#[test]
fn the_action_builds_what_is_there() {
    let action = repository("action.yml");
    let build = &yaml(&action)["runs"]["steps"][0];
    assert!(text(&build["run"]).contains("--path \"$GRISTMILL_SOURCE/crates/gristmill-cli\""));
    assert!(repository("crates/gristmill-cli/Cargo.toml").contains("name = \"gristmill\"\n"));
}

/// Runs the commands of the GitLab job, but those that install.
fn job(folder: &Folder, template: &str, variables: &[(&str, &str)]) -> Ran {
    let template = yaml(template);
    let mut env: Vec<(String, String)> = Vec::new();
    for (name, value) in template["variables"].as_mapping().unwrap() {
        let given = variables.iter().find(|(variable, _)| *variable == text(name));
        env.push((text(name).to_owned(), given.map_or(text(value), |(_, value)| value).to_owned()));
    }
    let job = &template["gristmill-scan"];
    let script: Vec<&str> = job["script"].as_sequence().unwrap().iter().map(text).collect();
    assert_eq!(text(&job["artifacts"]["reports"]["codequality"]), "gl-code-quality-report.json");
    bash(folder, &script.join("\n"), &env)
}

#[test]
fn the_gitlab_job_writes_its_report_and_then_judges() {
    let template = repository("ci/gitlab/gristmill-scan.yml");
    for (paths, fail_on, args, code, issues) in [
        ("worn.json", "high", "", 1, 4),
        ("worn.json sound.json", "never", "", 0, 4),
        ("worn.json", "high", "--ignore mid-sentence-start", 0, 3),
        ("'sound.json'", "info", "", 0, 0),
    ] {
        let folder = folder();
        let variables = [("GRISTMILL_PATHS", paths), ("GRISTMILL_FAIL_ON", fail_on), ("GRISTMILL_ARGS", args)];
        let ran = job(&folder, &template, &variables);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(code), ""), "{paths}: {ran:?}");
        assert!(ran.stdout.contains("scanned"), "people read the log: {ran:?}");
        assert_eq!(folder.json("gl-code-quality-report.json").as_array().unwrap().len(), issues);
    }
}

#[test]
fn the_hook_scans_files_of_chunks() {
    let hooks = repository(".pre-commit-hooks.yaml");
    let hook = &yaml(&hooks)[0];
    assert_eq!((text(&hook["id"]), text(&hook["language"])), ("gristmill-scan", "system"));
    let folder = folder();
    assert_eq!(bash(&folder, &format!("{} sound.json", text(&hook["entry"])), &[]).code, Some(0));
    assert_eq!(bash(&folder, &format!("{} sound.json worn.json", text(&hook["entry"])), &[]).code, Some(1));
}

#[test]
fn init_writes_a_file_for_each_service() {
    let origin = ["--from", "https://git.example.org/tools/gristmill@v9"];
    let folder = folder();
    let ran = folder.run(&[&["init", "--ci", "github", "worn.json", "gone bad.json"], &origin[..]].concat());
    ran.is(
        0,
        "wrote .github/workflows/gristmill.yml\n\nnext: commit it; findings stand in the next pull request\n",
        "",
    );
    let workflow = folder.read(".github/workflows/gristmill.yml");
    let steps = &yaml(&workflow)["jobs"]["scan"]["steps"];
    let get = "git clone -q --filter=blob:none https://git.example.org/tools/gristmill .gristmill-action\n\
               git -C .gristmill-action checkout -q v9\n";
    assert_eq!(text(&steps[1]["run"]), get);
    assert_eq!(text(&steps[2]["with"]["paths"]), "worn.json\ngone bad.json\n");
    let inputs = repository("action.yml");
    let inputs = yaml(&inputs);
    for (name, _) in steps[2]["with"].as_mapping().unwrap() {
        assert!(inputs["inputs"].as_mapping_get(text(name)).is_some(), "{name:?}");
    }

    let ran = folder.run(&[&["init", "--ci", "gitlab", "worn.json"], &origin[..]].concat());
    assert!(ran.code == Some(0) && ran.stdout.starts_with("wrote .gitlab/gristmill-scan.yml\n"), "{ran:?}");
    assert_eq!(job(&folder, &folder.read(".gitlab/gristmill-scan.yml"), &[]).code, Some(1));

    let ran = folder.run(&["init", "--ci", "pre-commit", "worn.json", "-q"]);
    ran.is(0, "", "");
    let hooks = folder.read(".pre-commit-config.yaml");
    let hook = &yaml(&hooks)["repos"][0]["hooks"][0];
    assert_eq!((text(&hook["entry"]), text(&hook["files"])), ("gristmill scan worn.json", r"^(worn\.json)(/|$)"));
    assert_eq!(bash(&folder, text(&hook["entry"]), &[]).code, Some(1));
}

#[test]
fn init_leaves_what_is_there() {
    let folder = folder();
    folder.write(".pre-commit-config.yaml", "repos: []\n");
    let ran = folder.run(&["init", "--ci", "pre-commit", "worn.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let error = "error: there is a file already: .pre-commit-config.yaml\n\nhint: it is left as it is; this would be written:\n";
    assert!(
        ran.stderr.starts_with(error) && ran.stderr.contains("entry: 'gristmill scan worn.json'"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.read(".pre-commit-config.yaml"), "repos: []\n");
    for (args, message) in [
        (&["--ci", "github", "worn.json"][..], "error: nothing says where CI gets gristmill from\n"),
        (&["--ci", "pre-commit"], "error: nothing says what is scanned: "),
        (&["--ci", "pre-commit", "nowhere"], "error: no such file or folder: nowhere\n"),
        (&["--ci", "pre-commit", "../x"], "error: not below the current folder: ../x\n"),
        (&["--ci", "jenkins"], "error: invalid value 'jenkins'"),
        (&["--from", "x"], "error: the following required arguments were not provided:"),
    ] {
        let ran = folder.run(&[&["init"], args].concat());
        assert!(ran.code == Some(2) && ran.stderr.starts_with(message), "{args:?}: {ran:?}");
    }
    assert!(!folder.at(".github").exists());
}

#[test]
fn the_template_is_what_init_writes() {
    let folder = Folder::with(&[("gristmill.toml", "version = 1\n")]);
    let version = format!("@v{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(folder.run(&["init", "--ci", "gitlab", "--from", &version]).code, Some(0));
    assert_eq!(folder.read(".gitlab/gristmill-scan.yml"), repository("ci/gitlab/gristmill-scan.yml"));
    assert_eq!(folder.run(&["init", "--ci", "github", "--from", "https://git.example.org/g"]).code, Some(0));
    let workflow = folder.read(".github/workflows/gristmill.yml");
    assert_eq!(text(&yaml(&workflow)["jobs"]["scan"]["steps"][2]["with"]["paths"]), "");
}
