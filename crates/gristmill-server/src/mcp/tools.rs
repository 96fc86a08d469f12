//! The tools. One joins by its entry in [`TOOLS`].

use std::pin::Pin;
use std::time::Duration;

use axum::http::StatusCode;
use gristmill::chunk_file::{ChunkFile, ChunkFormat};
use gristmill::config::{ChunkOptions, CleanOptions, TokenScope};
use gristmill::service::{NewJob, Submitted, scan_stored};
use gristmill::{CutNow, cut_given, cut_now};
use gristmill::{
    Given, IngestOptions, InspectOptions, LintCx, fix, inspect, lineage, plan, scan, search_passages, status,
};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::app::{App, Shared, quietly};
use crate::auth::Caller;
use crate::evaluation::{Compared, compare};
use crate::problem::Problem;
use crate::routes::{SearchRequest, hit, settings_with};

type Run = fn(Shared, Caller, Value) -> Pin<Box<dyn Future<Output = Result<Value, Problem>> + Send>>;

/// Something that an agent may call.
pub struct Tool {
    pub name: &'static str,
    pub about: &'static str,
    pub schema: fn() -> Value,
    pub writes: bool,
    pub run: Run,
}

impl Tool {
    pub fn is_allowed(&self, app: &App, caller: &Caller) -> bool {
        !self.writes || (app.allow_write && caller.may(TokenScope::Write))
    }
}

/// All of them.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "inspect_corpus",
        about: "Counts what the configured sources hold (documents, kinds, blocks, problems) and what the store has of them.",
        schema: || of::<Nothing>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { inspect_corpus(&app, &caller, arguments).await }),
    },
    Tool {
        name: "extract_document",
        about: "The text that a reader makes of a document of the sources, or of a text that is given.",
        schema: || of::<Extract>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { extract_document(&app, &caller, arguments).await }),
    },
    Tool {
        name: "chunk_preview",
        about: "Cuts a document with settings of your choice and shows its chunks with their sizes. Nothing is stored.",
        schema: || of::<Cut>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { chunk_preview(&app, &caller, arguments).await }),
    },
    Tool {
        name: "scan_chunks",
        about: "Finds damaged chunks: those that are given, or without any those of the store.",
        schema: || of::<Scan>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { scan_chunks(&app, &caller, arguments).await }),
    },
    Tool {
        name: "fix_chunks",
        about: "Repairs the chunks that are given, without losing text, and gives them back with what was done. Nothing is stored.",
        schema: || of::<Fix>(),
        writes: false,
        run: |app, _, arguments| Box::pin(async move { fix_chunks(&app, arguments).await }),
    },
    Tool {
        name: "plan_ingest",
        about: "What an ingest would do now: documents and chunks, what embedding would cost. Gives a plan id for apply_plan.",
        schema: || of::<Nothing>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { plan_ingest(&app, &caller, arguments).await }),
    },
    Tool {
        name: "apply_plan",
        about: "Begins the ingest that a plan describes, or refuses when something has changed since. Gives a job id.",
        schema: || of::<Apply>(),
        writes: true,
        run: |app, caller, arguments| Box::pin(async move { apply_plan(&app, &caller, arguments).await }),
    },
    Tool {
        name: "job_status",
        about: "Where a job is, and once it has ended what it did. May wait for its end.",
        schema: || of::<Job>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { job_status(&app, &caller, arguments).await }),
    },
    Tool {
        name: "search",
        about: "The chunks of the store that best answer a question, with scores and what stands around them.",
        schema: || of::<SearchRequest>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { search(&app, &caller, arguments).await }),
    },
    Tool {
        name: "explain_chunk",
        about: "Where a stored chunk comes from, what stands beside it, and whether its source still gives it.",
        schema: || of::<Explain>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { explain_chunk(&app, &caller, arguments).await }),
    },
    Tool {
        name: "eval_strategies",
        about: "Measures which settings find most: on the configured questions, else on synthetic ones that are made by rule.",
        schema: || of::<Eval>(),
        writes: false,
        run: |app, caller, arguments| Box::pin(async move { eval_strategies(&app, &caller, arguments).await }),
    },
];

/// Takes no arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Extract {
    /// Path of a document of the sources.
    source: Option<String>,
    /// A text in place of it.
    text: Option<String>,
    /// Characters that are given at most.
    #[serde(default = "many")]
    limit: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cut {
    /// Path of a document of the sources.
    source: Option<String>,
    /// A text in place of it.
    text: Option<String>,
    /// How it is cut, as in `[chunk]` of the settings.
    chunk: Option<ChunkOptions>,
    /// What is removed before, as in `[clean]` of the settings.
    clean: Option<CleanOptions>,
    /// Chunks that are shown at most.
    #[serde(default = "some")]
    show: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Scan {
    /// Texts, or objects with a text.
    chunks: Option<Vec<Value>>,
    /// Findings that are shown at most.
    #[serde(default = "some")]
    show: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fix {
    /// Texts, or objects with a text.
    chunks: Vec<Value>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Apply {
    /// A plan of plan_ingest.
    plan_id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Job {
    /// A job of apply_plan.
    job_id: String,
    /// Seconds to wait for its end, 60 at most.
    #[serde(default)]
    wait_seconds: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Explain {
    /// The identity of a chunk, as search gives it.
    chunk_id: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Eval {
    /// Strategies to compare; by default the configured one.
    #[serde(default)]
    strategies: Vec<String>,
    /// Values to compare, as `target=200,400;overlap=0,60`.
    #[serde(default)]
    grid: String,
}

fn many() -> usize {
    20_000
}

fn some() -> usize {
    20
}

fn of<T: JsonSchema>() -> Value {
    schema_for!(T).to_value()
}

fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Problem> {
    serde_json::from_value(arguments).map_err(|error| Problem::invalid(format!("wrong arguments: {error}")))
}

async fn eval_strategies(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let Eval { strategies, grid } = read(arguments)?;
    let report = compare(app, caller, &Compared { strategies, grid }).await?;
    serde_json::to_value(report).map_err(|_| Problem::bug("a report cannot be written"))
}

async fn inspect_corpus(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    read::<Nothing>(arguments)?;
    let settings = app.settings_of(&app.project(caller, None)?);
    let (inputs, threads) = (app.inputs(), app.threads);
    let (report, stored) = app
        .work(move || {
            let report = quietly(threads, false, |cx| inspect(&settings, &inputs, InspectOptions::default(), cx))?;
            Ok((report, status(&settings)?))
        })
        .await?;
    Ok(json!({ "corpus": report, "store": stored }))
}

/// The document that is named or given, cut.
async fn cut(app: &Shared, caller: &Caller, wanted: Cut) -> Result<CutNow, Problem> {
    let Cut { source, text, chunk, clean, .. } = wanted;
    let chosen = chunk.is_some() || clean.is_some();
    let mut settings = app.settings_of(&app.project(caller, None)?);
    if chosen {
        let with = settings_with(app, chunk, clean)?;
        (settings.chunk, settings.clean) = (with.chunk, with.clean);
    }
    let (inputs, threads) = (app.inputs(), app.threads);
    let name = source.clone().unwrap_or_default();
    let cut = app.work(move || {
        quietly(threads, true, |cx| match (source, text) {
            (_, Some(text)) => {
                cut_given(&settings, Given { name: "text.md".into(), bytes: text.into_bytes() }, cx).map(Some)
            }
            (Some(source), None) => cut_now(&settings, &inputs, &source, cx),
            (None, None) => Ok(None),
        })
    });
    cut.await?.ok_or_else(|| Problem::not_found("document of the sources", &name))
}

async fn extract_document(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let Extract { source, text, limit } = read(arguments)?;
    let now = cut(app, caller, Cut { source, text, chunk: None, clean: None, show: 0 }).await?;
    let said: String = now.text.chars().take(limit).collect();
    Ok(
        json!({ "source": now.source, "characters": now.text.chars().count(), "text": said, "documents": now.report.documents }),
    )
}

async fn chunk_preview(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let wanted: Cut = read(arguments)?;
    let show = wanted.show;
    let now = cut(app, caller, wanted).await?;
    let chunks: Vec<Value> = now
        .records
        .iter()
        .take(show)
        .map(|record| {
            let metadata = &record["metadata"];
            json!({ "content": record["content"], "tokens": record["token_count"], "heading_path": metadata["heading_path"],
                    "lines": [metadata["line_start"], metadata["line_end"]] })
        })
        .collect();
    Ok(json!({ "source": now.source, "chunks": now.records.len(), "shown": chunks, "size": now.report.totals.size,
               "findings": now.report.findings, "configuration": now.report.configuration }))
}

async fn scan_chunks(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let Scan { chunks, show } = read(arguments)?;
    let settings = app.settings_of(&app.project(caller, None)?);
    let threads = app.threads;
    let report = app
        .work(move || match chunks {
            None => scan_stored(&settings, threads, show.max(1)),
            Some(chunks) => {
                let file = ChunkFile::from_bytes(
                    Value::Array(chunks).to_string().into_bytes(),
                    "chunks",
                    Some(ChunkFormat::Json),
                )?;
                let cx = LintCx {
                    settings: &settings.lint,
                    tokenizer: &settings.chunk.tokenizer,
                    workers: threads,
                    risky: false,
                    max_findings: Some(show.max(1)),
                    diff: false,
                };
                scan(&file, &cx).map(|scanned| Some(scanned.report))
            }
        })
        .await?;
    let mut report = report.ok_or_else(|| Problem::not_found("chunk", "in the store"))?;
    report.findings.truncate(show);
    serde_json::to_value(report).map_err(|_| Problem::bug("a report cannot be written"))
}

async fn fix_chunks(app: &Shared, arguments: Value) -> Result<Value, Problem> {
    let Fix { chunks } = read(arguments)?;
    let (settings, threads) = (std::sync::Arc::clone(&app.settings), app.threads);
    app.work(move || {
        let file =
            ChunkFile::from_bytes(Value::Array(chunks).to_string().into_bytes(), "chunks", Some(ChunkFormat::Json))?;
        let cx = LintCx {
            settings: &settings.lint,
            tokenizer: &settings.chunk.tokenizer,
            workers: threads,
            risky: false,
            max_findings: Some(1000),
            diff: false,
        };
        let (fixed, mut out) = (fix(&file, &cx)?, Vec::new());
        fixed.write(&file, &cx, &mut out)?;
        let chunks: Value = serde_json::from_slice(&out).unwrap_or_default();
        Ok(json!({ "chunks": chunks, "report": fixed.report }))
    })
    .await
}

async fn plan_ingest(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    read::<Nothing>(arguments)?;
    let project = app.project(caller, None)?;
    let (settings, inputs, threads) = (app.settings_of(&project), app.inputs(), app.threads);
    let options = IngestOptions::default();
    let made = app.work(move || quietly(threads, false, |cx| plan(&settings, &inputs, &options, cx))).await?;
    let saved = app.with_jobs(move |jobs| jobs.save_plan(&project, made)).await?;
    let plan = &saved.plan;
    let documents: Vec<Value> = plan.documents.iter().take(100).map(|document| json!(document)).collect();
    Ok(
        json!({ "plan_id": saved.id, "files": plan.files, "totals": plan.totals, "cost": plan.cost, "requests": plan.requests,
               "new_model": plan.new_model, "documents": documents, "more": plan.documents.len().saturating_sub(100) }),
    )
}

async fn apply_plan(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let Apply { plan_id } = read(arguments)?;
    let project = app.project(caller, None)?;
    let wanted = plan_id.clone();
    let found = app.with_jobs(move |jobs| jobs.plan(&wanted)).await?;
    if found.is_none_or(|saved| saved.project != project) {
        return Err(Problem::not_found("plan", &plan_id));
    }
    let new = NewJob { project, plan_id: Some(plan_id), cause: "mcp".into(), ..NewJob::default() };
    match app.with_jobs(move |jobs| jobs.submit(&new)).await? {
        Submitted::New(job) => Ok(json!({ "job_id": job.id, "status": job.status })),
        _ => Err(Problem::bug("a job was not taken in")),
    }
}

async fn job_status(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let Job { job_id, wait_seconds } = read(arguments)?;
    let end = tokio::time::Instant::now() + Duration::from_secs(wait_seconds.min(60));
    loop {
        let wanted = job_id.clone();
        let (job, report) = app.with_jobs(move |jobs| Ok((jobs.job(&wanted)?, jobs.report(&wanted)?))).await?;
        let job = job.filter(|job| caller.may_see(&job.project)).ok_or_else(|| Problem::not_found("job", &job_id))?;
        if job.status.is_final() || tokio::time::Instant::now() >= end {
            let report: Option<Value> = report.and_then(|report| serde_json::from_str(&report).ok());
            return Ok(json!({ "job": job, "report": report }));
        }
        // Another process may run it, whose news do not come here.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn search(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let request: SearchRequest = read(arguments)?;
    let options = request.options()?;
    let settings = app.settings_of(&app.project(caller, request.project.as_deref())?);
    let found = app.work(move || search_passages(&settings, &request.query, &options)).await?;
    Ok(json!({ "hits": found.hits.iter().map(hit).collect::<Vec<_>>(), "passages": found.passages }))
}

async fn explain_chunk(app: &Shared, caller: &Caller, arguments: Value) -> Result<Value, Problem> {
    let Explain { chunk_id } = read(arguments)?;
    let settings = app.settings_of(&app.project(caller, None)?);
    let (inputs, threads) = (app.inputs(), app.threads);
    let told = app.work(move || quietly(threads, false, |cx| lineage(&settings, &inputs, &chunk_id, cx))).await?;
    serde_json::to_value(told)
        .map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "bug", "a lineage cannot be written"))
}
