use gristmill_core::Outcome;

use super::Project;
use crate::config::{
    ChunkOptions, Context, Env, IndexType, Layer, Options, Preset, Secret, Settings, SizeUnit, find_project, limits,
};

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

/// Settings where values are said for a type in the project's file, with more from above.
fn faq_under(env: &[(&str, &str)], flags: ChunkOptions) -> Outcome<Settings> {
    let project = Project::with_toml(
        "[chunk.by_type.faq]\nmax = 50\ntarget = 40\nmin = 5\noverlap = 0\nunit = \"words\"\nstrategy = \"faq\"\n\
         tokenizer = \"cl100k_base\"\ncontext = \"none\"\n[chunk.by_type.short]\nmax = 30\n",
    );
    project.load_with(env, Options { chunk: flags, ..Options::default() }).unwrap()
}

#[test]
fn what_is_said_above_beats_the_values_of_a_type() {
    let flags = ChunkOptions { max: Some(20), target: Some(15), ..ChunkOptions::default() };
    let env = [("GRISTMILL_CHUNK_MAX", "30"), ("GRISTMILL_CHUNK_MIN", "3"), ("GRISTMILL_CHUNK_OVERLAP", "2")];
    let settings = faq_under(&env, flags).value;
    for kind in ["faq", "short"] {
        let typed = settings.chunk.for_type(Some(kind));
        assert_eq!((typed.max, typed.target, typed.min, typed.overlap), (20, 15, 3, 2), "{kind}");
    }
    let of = |key: &str| origin(&settings, &format!("chunk.by_type.faq.{key}"));
    assert_eq!((of("max"), of("min")), ("flag".to_owned(), "environment GRISTMILL_CHUNK_MIN".to_owned()));
    // What was not said above holds still.
    let faq = settings.chunk.for_type(Some("faq"));
    assert_eq!((faq.strategy.as_str(), faq.unit, faq.context), ("faq", SizeUnit::Words, Context::None));
    assert_eq!(of("unit"), "gristmill.toml:6");
}

#[test]
fn every_key_said_above_reaches_the_types() {
    let settings = faq_under(
        &[("GRISTMILL_CHUNK_CONTEXT", "headings"), ("GRISTMILL_CHUNK_TOKENIZER", "o200k_base")],
        ChunkOptions { unit: Some(SizeUnit::Chars), strategy: Some("fixed".into()), ..ChunkOptions::default() },
    );
    let faq = settings.value.chunk.for_type(Some("faq")).clone();
    assert_eq!((faq.unit, faq.context, faq.max), (SizeUnit::Chars, Context::Headings, 50));
    assert_eq!((faq.strategy.as_str(), faq.tokenizer.as_str()), ("fixed", "o200k_base"));
}

#[test]
fn sentences_and_strategies_said_above_end_one_another_in_types() {
    let sentences = ChunkOptions { sentences_per_chunk: Some(2), ..ChunkOptions::default() };
    let faq = faq_under(&[], sentences).value.chunk.for_type(Some("faq")).clone();
    assert_eq!((faq.strategy.as_str(), faq.sentences_per_chunk), ("sentence", Some(2)));
    let project = Project::with_toml("[chunk.by_type.faq]\nsentences_per_chunk = 1\n");
    let chunk = ChunkOptions { strategy: Some("fixed".into()), ..ChunkOptions::default() };
    let settings = project.load_with(&[], Options { chunk, ..Options::default() }).unwrap().value;
    let faq = settings.chunk.for_type(Some("faq"));
    assert_eq!((faq.strategy.as_str(), faq.sentences_per_chunk), ("fixed", None));
}

#[test]
fn a_type_stands_on_the_table_in_its_own_file() {
    let project = Project::with_toml("[chunk]\nmax = 300\n[chunk.by_type.faq]\nmax = 50\n");
    assert_eq!(project.settings().chunk.for_type(Some("faq")).max, 50);
    // One note about a flag, not one a type.
    let chunk = ChunkOptions { max: Some(20), target: Some(30), ..ChunkOptions::default() };
    let outcome = project.load_with(&[], Options { chunk, ..Options::default() }).unwrap();
    assert_eq!(outcome.diagnostics.iter().map(|note| note.code).collect::<Vec<_>>(), ["size-lowered"]);
}
