use std::path::Path;

use gristmill_core::{ErrorKind, Outcome, Result};

use crate::config::{
    Env, IndexType, Layer, Options, Overlap, Preset, Secret, Settings, Start, Task, find_project, limits, load,
};

struct Project(tempfile::TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            let path = project.folder().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        project
    }

    fn with_toml(text: &str) -> Self {
        Self::new(&[("gristmill.toml", text)])
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    fn load_with(&self, env: &[(&str, &str)], flags: Options) -> Result<Outcome<Settings>> {
        let env: Env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        load(Task::Ingest, flags, &Start { folder: self.folder(), env: &env, config: None })
    }

    fn settings(&self) -> Settings {
        self.load_with(&[], Options::default()).unwrap().value
    }

    fn error(&self) -> String {
        let error = self.load_with(&[], Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config);
        error.to_string()
    }
}

fn origin(settings: &Settings, key: &str) -> String {
    settings.origins.of(key).to_string()
}

#[test]
fn the_file_of_the_cases_is_read_whole() {
    let project = Project::with_toml(
        r#"
version = 1
[[source]]
type = "fs"
path = "src"
repository = "acme/docs"
branch = "main"
[chunk]
max = 300
unit = "chars"
[embed]
provider = "openai"
base_url = "http://127.0.0.1:9/v1"
model = "stub-embed"
api_key_env = "GRISTMILL_TEST_API_KEY"
batch_size = 4
[store]
type = "sqlite"
path = "store-cases.db"
batch_size = 2
payload_indexes = { "chapter" = "keyword" }
[server]
webhook_secret_env = "GRISTMILL_TEST_WEBHOOK_SECRET"
"#,
    );
    let settings = project.settings();
    let source = &settings.source[0];
    assert_eq!(source.path, project.folder().join("src"));
    assert_eq!((source.repository.as_deref(), source.branch.as_deref()), (Some("acme/docs"), Some("main")));
    assert_eq!(limits(&settings.chunk).overlap, 30);
    assert_eq!(settings.embed.api_key, Some(Secret::Env("GRISTMILL_TEST_API_KEY".into())));
    assert_eq!((settings.embed.batch_size, settings.embed.concurrency, settings.embed.timeout_seconds), (4, 4, 60));
    assert_eq!(settings.store.path, project.folder().join("store-cases.db"));
    assert_eq!(settings.store.payload_indexes["chapter"], IndexType::Keyword);
    assert_eq!(settings.server.webhook_secret, Some(Secret::Env("GRISTMILL_TEST_WEBHOOK_SECRET".into())));
    assert_eq!(origin(&settings, "chunk.max"), "gristmill.toml:9");
    assert_eq!(origin(&settings, "chunk.target"), "chunk.max");
    assert_eq!(origin(&settings, "source[0].path"), "gristmill.toml:5");
    assert_eq!(origin(&settings, "embed.concurrency"), "default");
}

#[test]
fn the_nearest_file_is_found_from_below() {
    let python = "[project]\nname = \"x\"\n[tool.gristmill.chunk]\nmax = 200\n";
    let project = Project::new(&[
        ("pyproject.toml", python),
        ("a/pyproject.toml", "[project]\nname = \"y\"\n"),
        ("a/b/c/x.md", ""),
        ("d/gristmill.toml", ""),
        ("d/pyproject.toml", python),
    ]);
    let found = |from: &str| find_project(&project.folder().join(from)).unwrap();
    assert_eq!(found("a/b/c"), Some(project.folder().join("pyproject.toml")));
    assert_eq!(found("d"), Some(project.folder().join("d/gristmill.toml")));
    let settings = project.settings();
    assert_eq!((settings.chunk.max, origin(&settings, "chunk.max")), (200, "pyproject.toml:4".to_owned()));
    assert_eq!(settings.store.path, project.folder().join(".gristmill/store.db"));
}

#[test]
fn a_named_file_must_be_there_and_be_ours() {
    let project = Project::new(&[("pyproject.toml", "[tool.other]\n"), ("own.toml", "[chunk]\nmax = 90\n")]);
    let with = |config: &str| {
        load(
            Task::Chunk,
            Options::default(),
            &Start { folder: project.folder(), env: &Env::new(), config: Some(Path::new(config)) },
        )
    };
    assert_eq!(with("own.toml").unwrap().value.chunk.max, 90);
    assert_eq!(with("none.toml").unwrap_err().to_string(), "cannot read settings: none.toml");
    assert_eq!(with("pyproject.toml").unwrap_err().to_string(), "file has no `[tool.gristmill]`: pyproject.toml");
}

#[test]
fn what_is_said_higher_up_holds() {
    let project = Project::new(&[
        ("gristmill.toml", "project = \"a\"\npreset = \"legal\"\n[chunk]\nmax = 500\noverlap = 40\n"),
        ("home/gristmill/gristmill.toml", "project = \"b\"\n[embed]\nmodel = \"m\"\n[chunk]\nmax = 9\n"),
    ]);
    let home = project.folder().join("home");
    let env = [("GRISTMILL_CHUNK_OVERLAP", "10%"), ("XDG_CONFIG_HOME", home.to_str().unwrap())];
    let mut flags = Options::default();
    flags.chunk.target = Some(123);
    let settings = project.load_with(&env, flags).unwrap().value;
    assert_eq!((settings.project.as_str(), settings.preset), ("a", Some(Preset::Legal)));
    let chunk = limits(&settings.chunk);
    // `min` stands to `max` as in the preset: 125 * 500 / 800.
    assert_eq!((chunk.target, chunk.max, chunk.min, chunk.overlap), (123, 500, 78, 50));
    let origins = ["chunk.target", "chunk.max", "chunk.min", "chunk.overlap", "chunk.strategy", "chunk.unit"];
    assert_eq!(
        origins.map(|key| origin(&settings, key)),
        [
            "flag",
            "gristmill.toml:4",
            "chunk.max",
            "environment GRISTMILL_CHUNK_OVERLAP",
            "preset legal",
            "preset legal"
        ]
    );
    assert!(origin(&settings, "embed.model").ends_with("home/gristmill/gristmill.toml:3"));
}

#[test]
fn sources_of_a_higher_layer_replace_those_below() {
    let project = Project::with_toml("[[source]]\npath = \"a\"\n[[source]]\npath = \"b\"\n");
    let settings = project.load_with(&[("GRISTMILL_SOURCE", "[{ path = \"c\" }]")], Options::default()).unwrap().value;
    assert_eq!(settings.source.len(), 1);
    assert_eq!(origin(&settings, "source[0].path"), "environment GRISTMILL_SOURCE");
}

#[test]
fn variables_are_read_as_what_their_key_takes() {
    let env = [
        ("GRISTMILL_CHUNK_MAX", "300"),
        ("GRISTMILL_PROJECT", "42"),
        ("GRISTMILL_CLEAN_DROP", "code, images"),
        ("GRISTMILL_CLEAN_BLANKS", "false"),
        ("GRISTMILL_STORE_PAYLOAD_INDEXES", "{ chapter = \"integer\" }"),
        ("GRISTMILL_EMBED_API_KEY", "sk-1"),
        ("GRISTMILL_EMBED_MODLE", "m"),
        ("GRISTMILL_TEST_CLOCK_OFFSET", "5"),
    ];
    let env: Env = env.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let Outcome { value: Layer { options, .. }, diagnostics } = Layer::environment(&env).unwrap();
    assert_eq!((options.chunk.max, options.project.as_deref()), (Some(300), Some("42")));
    assert_eq!(options.clean.drop.unwrap().len(), 2);
    assert_eq!(options.clean.blanks, Some(false));
    assert_eq!(options.store.payload_indexes.unwrap()["chapter"], IndexType::Integer);
    assert_eq!(options.embed.api_key.unwrap().reveal(&env).unwrap(), "sk-1");
    let notes: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        ["GRISTMILL_EMBED_MODLE: variable sets nothing, nearest is `GRISTMILL_EMBED_MODEL` [unknown-variable]"]
    );
    let wrong = Env::from([("GRISTMILL_CHUNK_MAX".to_owned(), "many".to_owned())]);
    assert_eq!(
        Layer::environment(&wrong).unwrap_err().to_string(),
        "wrong value for `chunk.max`, expected a whole number from 0 to 4294967295, found string \"many\": \
         environment variable GRISTMILL_CHUNK_MAX"
    );
}

#[test]
fn slips_are_shown_with_their_line_and_the_name_that_was_meant() {
    assert_eq!(
        Project::with_toml("[chunk]\nmx = 300\n").error(),
        "unknown key `mx` in `chunk`, nearest is `max`: gristmill.toml:2:1\n  |\n2 | mx\n  | ^^ nearest is `max`"
    );
    let first = |text: &str| Project::with_toml(text).error().lines().next().unwrap().to_owned();
    assert_eq!(first("overlap = 3\n"), "unknown key `overlap` at the top, belongs in `[chunk]`: gristmill.toml:1:1");
    assert_eq!(
        first("[[source]]\npath = \"x\"\n[[source]]\npaht = \"y\"\n"),
        "unknown key `paht` in `source[1]`, nearest is `path`: gristmill.toml:4:1"
    );
    assert_eq!(
        first("[chunk]\nmax = \"abc\"\n"),
        "wrong value for `chunk.max`, expected a whole number from 0 to 4294967295, found string \"abc\": gristmill.toml:2:7"
    );
    assert_eq!(
        first("[chunk]\r\noverlap = \"15\"\r\n"),
        "wrong value for `chunk.overlap`, expected a whole number, or a share of `max` such as \"15%\", found string \"15\": \
         gristmill.toml:2:11"
    );
    assert_eq!(first("[chunk\n"), "malformed TOML, unclosed table, expected `]`: gristmill.toml:1:7");
    assert_eq!(first("version = 2\n"), "`version` must be 1, not: 2");
    assert_eq!(first("[embed]\nbatch_size = 0\n"), "`embed.batch_size` must be at least 1, not: 0");
    assert_eq!(first("[[source]]\ntype = \"sf\"\npath = \"x\"\n"), "unknown type of source (nearest is `fs`): sf");
    let doubled = "[[source]]\nname = \"a\"\npath = \"x\"\n[[source]]\nname = \"a\"\npath = \"y\"\n";
    assert_eq!(first(doubled), "two sources have the same name: a");
    assert_eq!(first("[[source]]\nname = \"a\"\n"), "a source needs a `path`: source[0]");
    assert_eq!(
        first("[[source]]\npath = \"x\"\npath_metadata = \"{a\"\n"),
        "malformed `path_metadata`, `{` is not closed (character 1): {a"
    );
}

#[test]
fn secrets_are_never_shown() {
    for text in [
        "[embed]\napi_key = \"hush-1\"\n",
        "[embed]\napi_key = hush-1\n",
        "[embed]\napi_kye = \"hush-1\"\n",
        "[embed]\napi_key_env = [\"hush-1\"]\n",
        "[server]\nwebhook_secret = \"hush-1\"\n",
        "[server]\nwebhook_secret = 1\nhush = \"hush-1\"\n",
    ] {
        let error = Project::with_toml(text).error();
        assert!(!error.contains("hush-1"), "{error}");
        assert!(error.contains("gristmill.toml:"), "{error}");
    }
    let both = Project::with_toml("[embed]\napi_key = \"${A}\"\napi_key_env = \"B\"\n").error();
    assert_eq!(both, "`embed.api_key` and `embed.api_key_env` cannot both be given");
}

#[test]
fn a_secret_given_above_ends_the_one_below() {
    let project = Project::with_toml("[embed]\napi_key_env = \"A\"\n[server]\nwebhook_secret = \"file:s\"\n");
    let mut flags = Options::default();
    flags.server.webhook_secret_env = Some("S".to_owned());
    let settings = project.load_with(&[("GRISTMILL_EMBED_API_KEY", "k")], flags).unwrap().value;
    assert_eq!(settings.embed.api_key, Some(Secret::Env("GRISTMILL_EMBED_API_KEY".into())));
    assert_eq!(settings.server.webhook_secret, Some(Secret::Env("S".into())));
    let below = project.settings();
    assert_eq!(below.server.webhook_secret, Some(Secret::File(project.folder().join("s"))));
}

#[test]
fn settings_are_written_and_read_back() {
    let text = r#"
project = "line\nbreak \"q\" \\ ü"
[[source]]
name = "handbook"
path = "docs"
path_metadata = "{n:int}-{module}.md"
values = { module = { "ros2.1" = "ROS 2", two = 2, half = 0.5, yes = true } }
normalisers = { module = "upper" }
[chunk]
max = 512
[chunk.by_type."q and a"]
max = 100
sentences_per_chunk = 2
[embed]
api_key_env = "KEY"
[store]
payload_names = { tenant = "book_id" }
"#;
    let project = Project::with_toml(text);
    let settings = project.settings();
    let written = settings.to_toml().unwrap();
    assert!(written.contains("path = \".gristmill/store.db\""), "{written}");
    let again = Project::with_toml(&written);
    let mut read = again.settings();
    assert_eq!(read.to_toml().unwrap(), written);
    read.origins = settings.origins.clone();
    read.root.clone_from(&settings.root);
    read.store.path.clone_from(&settings.store.path);
    read.source[0].path.clone_from(&settings.source[0].path);
    assert_eq!(read, settings);
    let shown = settings.show_origins().unwrap();
    assert!(shown.contains("max = 512  # from gristmill.toml:10\n"), "{shown}");
    assert!(shown.contains("overlap = 51  # from chunk.max\n"), "{shown}");
    assert!(shown.contains("api_key = \"${KEY}\"  # from gristmill.toml:15\n"), "{shown}");
    assert!(shown.contains("provider = \"static\"  # from default\n"), "{shown}");
}

#[test]
fn odd_files_never_panic() {
    let deep = "[".repeat(100_000);
    let nested = format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    let wide: String = (0..20_000).map(|n| format!("k{n} = {n}\n")).collect();
    let indexes = format!("[store.payload_indexes]\n{}", wide.replace(" = ", " = \"integer\" # "));
    let long = format!("[chunk]\nmax = \"{}\"\n", "x".repeat(1_000_000));
    for text in
        [deep.as_str(), &nested, &long, "\u{feff}[chunk]\nmx = 1", "a = \"\u{0}\"", "=", "[chunk]\n\u{202e}max = 1"]
    {
        assert!(Project::with_toml(text).error().len() < 2000, "{}", &text[..text.len().min(40)]);
    }
    assert_eq!(Project::with_toml(&indexes).settings().store.payload_indexes.len(), 20_000);
    let project = Project::new(&[]);
    std::fs::write(project.folder().join("gristmill.toml"), b"project = \"\xff\"").unwrap();
    assert!(project.error().starts_with("cannot read settings: gristmill.toml"));
}

#[test]
fn overlap_from_a_file_and_max_from_a_flag_are_both_named() {
    let project = Project::with_toml("[chunk]\noverlap = 100\n");
    let mut flags = Options::default();
    flags.chunk.max = Some(100);
    flags.chunk.overlap = None::<Overlap>;
    let error = project.load_with(&[], flags).unwrap_err();
    assert_eq!(error.to_string(), "overlap 100 is not below max 100");
    let hint = error.hint_text().unwrap();
    assert!(hint.starts_with("`overlap` comes from: gristmill.toml:2, `max` from: flag;"), "{hint}");
}
