//! Single texts, nothing kept: extract, cut, scan, repair.

use axum::http::{Method, StatusCode};
use gristmill::chunk_file::{ChunkFile, ChunkFormat};
use gristmill::config::{ChunkOptions, CleanOptions, Context, Options, Settings, SizeUnit, TopicThreshold};
use gristmill::cut_given;
use gristmill::findings::{FixReport, ScanReport};
use gristmill::report::RunReport;
use gristmill::{Given, Inputs, LintCx, Result as Done, extract, fix, scan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::app::{App, quietly};
use crate::problem::Problem;
use crate::route::{Answer, Call, Route, json};

/// A document in a request: its text, or its bytes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = one_of_both)]
pub struct Sent {
    /// A name, whose extension tells the kind of document.
    #[serde(default = "unnamed")]
    #[schemars(length(min = 1, max = 512), regex(pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]+$"))]
    name: String,
    /// The document as text.
    text: Option<String>,
    /// The document as bytes in Base64, for kinds that are not text.
    #[schemars(regex(pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"))]
    base64: Option<String>,
}

/// Just one of `text` and `base64` must be there.
fn one_of_both(schema: &mut schemars::Schema) {
    let with = |name: &str| json!({ "required": [name], "properties": { name: { "type": "string" } } });
    schema.insert("oneOf".into(), json!([with("text"), with("base64")]));
}

/// How a document is cut, as in `[chunk]` of the settings.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CutSettings {
    /// The size that is never exceeded.
    #[schemars(range(min = 1, max = 1_000_000))]
    max: Option<u32>,
    /// The size to aim at.
    #[schemars(range(min = 1, max = 1_000_000))]
    target: Option<u32>,
    /// Smaller chunks are merged where they fit.
    #[schemars(range(max = 1_000_000))]
    min: Option<u32>,
    /// How much of the chunk before is repeated.
    #[schemars(range(max = 1_000_000))]
    overlap: Option<u32>,
    /// What sizes are counted in.
    unit: Option<SizeUnit>,
    /// The tokenizer.
    #[schemars(transform = tokenizers)]
    tokenizer: Option<String>,
    /// How borders are found.
    #[schemars(transform = strategies)]
    strategy: Option<String>,
    /// What is put before each chunk.
    context: Option<Context>,
    /// So many sentences a chunk.
    #[schemars(range(min = 1, max = 1_000_000))]
    sentences_per_chunk: Option<u32>,
    /// How unlike neighbouring sentences are between which the strategy `semantic` ends a topic.
    topic_threshold: Option<TopicThreshold>,
}

/// The tokenizers that have a name; the others are files, which requests do not name.
fn named_tokenizers() -> impl Iterator<Item = &'static str> {
    gristmill::TOKENIZERS.iter().map(|(name, _)| *name).filter(|name| !name.contains('/'))
}

fn tokenizers(schema: &mut schemars::Schema) {
    let names = named_tokenizers().map(|name| json!(name)).chain([Value::Null]);
    schema.insert("enum".into(), names.collect());
}

fn strategies(schema: &mut schemars::Schema) {
    let names = gristmill::STRATEGIES.iter().map(|entry| json!(entry.name)).chain([Value::Null]);
    schema.insert("enum".into(), names.collect());
}

/// Sizes at most.
const LARGEST: u32 = 1_000_000;

impl CutSettings {
    /// Fails for a number that is out of bounds.
    fn check(&self) -> Result<(), Problem> {
        let bounds = [
            ("max", self.max, 1),
            ("target", self.target, 1),
            ("min", self.min, 0),
            ("overlap", self.overlap, 0),
            ("sentences_per_chunk", self.sentences_per_chunk, 1),
        ];
        let beyond =
            |(_, number, least): &&(&str, Option<u32>, u32)| number.is_some_and(|n| !(*least..=LARGEST).contains(&n));
        bounds.iter().find(beyond).map_or(Ok(()), |(name, _, least)| {
            let wrong = format!("must be from {least} to {LARGEST}");
            Err(Problem::invalid(format!("`{name}` {wrong}")).pointing(format!("/chunk/{name}"), wrong))
        })
    }
}

impl From<CutSettings> for ChunkOptions {
    fn from(own: CutSettings) -> Self {
        Self {
            max: own.max,
            target: own.target,
            min: own.min,
            overlap: own.overlap.map(gristmill::config::Overlap::Size),
            unit: own.unit,
            tokenizer: own.tokenizer,
            strategy: own.strategy,
            context: own.context,
            sentences_per_chunk: own.sentences_per_chunk,
            topic_threshold: own.topic_threshold,
            ..Self::default()
        }
    }
}

/// A document to be cut.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutRequest {
    /// The document.
    document: Sent,
    /// How it is cut.
    chunk: Option<CutSettings>,
}

/// Chunks to be looked at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChunksRequest {
    /// The chunks, of any splitter: texts, or objects with a text.
    #[schemars(length(max = 10_000), transform = each_a_chunk)]
    chunks: Vec<Value>,
}

/// What is said of a chunk can be a hundred times as long as the chunk.
const CHUNKS: usize = 10_000;

/// A text, or an object with one under a name that some splitter uses.
fn each_a_chunk(schema: &mut schemars::Schema) {
    let object =
        |name: &str| json!({ "type": "object", "required": [name], "properties": { name: { "type": "string" } } });
    let any = json!([{ "type": "string" }, object("content"), object("text"), object("page_content")]);
    schema.insert("items".into(), json!({ "anyOf": any }));
}

/// What a reader makes of a document.
#[derive(Default, Serialize, JsonSchema)]
struct Extracted {
    /// Its name.
    source: String,
    /// The reader; empty when nobody can read it.
    format: String,
    /// The encoding it was read with.
    encoding: String,
    /// What it declares of itself.
    attributes: serde_json::Map<String, Value>,
    /// Its text, as Markdown for kinds that are not text.
    text: String,
    /// Problems that did not keep it from being read.
    warnings: Vec<String>,
}

/// The chunks of a document.
#[derive(Serialize, JsonSchema)]
struct Cut {
    /// The text that the parts of the chunks point into.
    text: String,
    /// The chunks, as records.
    chunks: Vec<Value>,
    /// What was read and cut.
    report: RunReport,
}

/// Repaired chunks.
#[derive(Serialize, JsonSchema)]
struct Mended {
    /// The chunks after their repair.
    chunks: Vec<Value>,
    /// What was done, and what is left.
    report: FixReport,
}

pub fn routes() -> Vec<Route> {
    let ok = StatusCode::OK;
    let route = |path, summary, handler: fn(Call) -> Answer| Route::new(Method::POST, path, summary, handler).reading();
    vec![
        route("/v1/extract", "What a reader makes of a document", extracted)
            .takes::<Sent>()
            .gives::<Extracted>(ok, "Its text")
            .fails(StatusCode::CONFLICT, "No reader can take the document"),
        route("/v1/chunk", "The chunks of a document", cut)
            .takes::<CutRequest>()
            .gives::<Cut>(ok, "Its chunks")
            .fails(StatusCode::CONFLICT, "Settings that do not go together, or a document that no reader can take"),
        route("/v1/scan", "What is wrong with chunks", scanned)
            .takes::<ChunksRequest>()
            .gives::<ScanReport>(ok, "What was found"),
        route("/v1/fix", "Repair chunks", fixed).takes::<ChunksRequest>().gives::<Mended>(ok, "Repaired chunks"),
    ]
}

fn unnamed() -> String {
    "document.md".to_owned()
}

impl Sent {
    /// Name and bytes.
    ///
    /// # Errors
    /// When not just one of text and bytes is given, or the name is none.
    pub fn given(self) -> Result<Given, Problem> {
        if self.name.is_empty() || self.name.chars().count() > 512 || self.name.chars().any(char::is_control) {
            return Err(Problem::invalid("not a name for a document").pointing("/name", "empty, too long, or odd"));
        }
        let bytes = match (self.text, self.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => decoded(&text)?,
            _ => {
                let wrong = "give just one of `text` and `base64`";
                return Err(Problem::invalid(wrong).pointing("/text", wrong));
            }
        };
        Ok(Given { name: self.name, bytes })
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, Problem> {
    use base64::Engine;
    let wrong = |_| Problem::invalid("`base64` is not Base64").pointing("/base64", "not Base64");
    let lenient = base64::engine::GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    let engine = base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, lenient);
    engine.decode(text).map_err(wrong)
}

fn extracted(call: Call) -> Answer {
    Box::pin(async move {
        let given = call.object::<Sent>(&[])?.given()?;
        let settings = Settings::clone(&call.app.settings);
        let extracted = call.app.work(move || extract_one(&settings, given)).await;
        let named = |problem: Problem| if problem.code == "input" { unread(&problem.detail) } else { problem };
        json(StatusCode::OK, &extracted.map_err(named)?)
    })
}

fn extract_one(settings: &Settings, given: Given) -> Done<Extracted> {
    let mut found = None;
    let inputs = Inputs { given: Some(vec![given]), ..Inputs::default() };
    extract(settings, &inputs, &mut |source, outcome| {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return Err(error),
        };
        let document = outcome.value;
        found = Some(Extracted {
            source: source.to_owned(),
            format: document.format.to_owned(),
            encoding: document.encoding.to_owned(),
            attributes: document.attrs.into_iter().collect(),
            text: document.text,
            warnings: outcome.diagnostics.iter().map(ToString::to_string).collect(),
        });
        Ok(())
    })?;
    found.ok_or_else(|| gristmill::Error::bug("nothing was read"))
}

/// The settings with what a request says of cutting. Names of files are not taken from requests.
///
/// # Errors
/// When a value makes no sense.
pub fn settings_with(app: &App, chunk: Option<ChunkOptions>, clean: Option<CleanOptions>) -> Result<Settings, Problem> {
    let chunk = chunk.unwrap_or_default();
    let named = chunk.tokenizer.iter().chain(chunk.by_type.values().filter_map(|own| own.tokenizer.as_ref()));
    for name in named {
        if !named_tokenizers().any(|known| known == name) {
            let known: Vec<&str> = named_tokenizers().collect();
            return Err(Problem::invalid(format!("there is no tokenizer `{name}`"))
                .hint(format!("the tokenizers are {}", known.join(", ")))
                .pointing("/chunk/tokenizer", "not known"));
        }
    }
    let options = Options { chunk, clean: clean.unwrap_or_default(), ..Options::default() };
    let layers = [gristmill::config::Layer::flags(options)];
    let resolved = gristmill::config::resolve(gristmill::config::Task::Chunk, &app.folder, &layers);
    // Each value may be good by itself and still not go with another.
    let conflict = |error: gristmill::Error| {
        let problem = Problem::new(StatusCode::CONFLICT, "settings-conflict", error.chain());
        error.hint_text().map(str::to_owned).into_iter().fold(problem, Problem::hint)
    };
    let mut settings = resolved.map_err(conflict)?.value;
    // How documents are read, with what limits, and whether programs are started for it, is not for callers to say.
    settings.read.clone_from(&app.settings.read);
    settings.world.clone_from(&app.settings.world);
    Ok(settings)
}

/// A document of a request that no reader takes.
fn unread(why: &str) -> Problem {
    // The request is well formed: what it says of the document and what that holds do not go together.
    Problem::new(StatusCode::CONFLICT, "unreadable", why)
}

fn cut(call: Call) -> Answer {
    Box::pin(async move {
        let CutRequest { document, chunk } = call.object(&["document", "chunk"])?;
        let given = document.given()?;
        chunk.as_ref().map_or(Ok(()), CutSettings::check)?;
        let settings = settings_with(&call.app, chunk.map(ChunkOptions::from), None)?;
        let threads = call.app.threads;
        let now = call.app.work(move || quietly(threads, true, |cx| cut_given(&settings, given, cx))).await?;
        if let Some(error) = now.report.documents.iter().find_map(|document| document.error.as_ref()) {
            return Err(unread(&error.message));
        }
        if let Some(skipped) = now.report.skipped.first() {
            return Err(unread(&skipped.reason));
        }
        json(StatusCode::OK, &Cut { text: now.text, chunks: now.records, report: now.report })
    })
}

/// Runs something over chunks of a request.
async fn over<T: Send + 'static>(
    call: &Call,
    run: impl FnOnce(&ChunkFile, &LintCx<'_>) -> Done<T> + Send + 'static,
) -> Result<T, Problem> {
    let ChunksRequest { chunks } = call.object(&[])?;
    if chunks.len() > CHUNKS {
        let wrong = format!("at most {CHUNKS} chunks are taken at a time");
        let hint = "send them in parts, or use `gristmill scan` and `fix`, which take any number";
        return Err(Problem::invalid(wrong.clone()).hint(hint).pointing("/chunks", wrong));
    }
    let (settings, threads) = (std::sync::Arc::clone(&call.app.settings), call.app.threads);
    call.app
        .work(move || {
            let bytes = Value::Array(chunks).to_string().into_bytes();
            let file = ChunkFile::from_bytes(bytes, "chunks", Some(ChunkFormat::Json))?;
            let cx = LintCx {
                settings: &settings.lint,
                tokenizer: &settings.chunk.tokenizer,
                workers: threads,
                risky: false,
                max_findings: Some(10_000),
                diff: true,
            };
            run(&file, &cx)
        })
        .await
}

fn scanned(call: Call) -> Answer {
    Box::pin(async move { json(StatusCode::OK, &over(&call, |file, cx| Ok(scan(file, cx)?.report)).await?) })
}

fn fixed(call: Call) -> Answer {
    Box::pin(async move {
        let mended = over(&call, |file, cx| {
            let fixed = fix(file, cx)?;
            let mut out = Vec::new();
            fixed.write(file, cx, &mut out)?;
            let chunks = serde_json::from_slice(&out);
            let chunks = chunks.map_err(|e| gristmill::Error::bug("repaired chunks cannot be read").because(e))?;
            Ok(Mended { chunks, report: fixed.report })
        });
        json(StatusCode::OK, &mended.await?)
    })
}
