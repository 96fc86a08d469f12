//! Documents: sent, looked at, taken back.

use axum::http::{Method, StatusCode};
use gristmill::service::{
    Inbox, Job, NewJob, StoredDocument, Submitted, stored_chunks, stored_document, stored_documents,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::jobs::accepted;
use crate::problem::Problem;
use crate::route::{Answer, Call, Route, json};

/// Documents that are stored.
#[derive(Serialize, JsonSchema)]
struct Listed {
    /// The documents, by path.
    documents: Vec<StoredDocument>,
    /// How many there are.
    total: usize,
}

/// Chunks of a document.
#[derive(Serialize, JsonSchema)]
struct Chunks {
    /// The document.
    document: StoredDocument,
    /// Its chunks, as the records that were stored.
    chunks: Vec<Value>,
}

/// Paths of documents: parts between slashes that begin with no dot and end with none and no blank, of characters that file
/// names have everywhere.
const PATH: &str = concat!(
    r#"^([^./ \\:*?"<>|\x00-\x1f\x7f-\x9f]|[^./\\:*?"<>|\x00-\x1f\x7f-\x9f][^/\\:*?"<>|\x00-\x1f\x7f-\x9f]*[^/. \\:*?"<>|\x00-\x1f\x7f-\x9f])"#,
    r#"(/([^./ \\:*?"<>|\x00-\x1f\x7f-\x9f]|[^./\\:*?"<>|\x00-\x1f\x7f-\x9f][^/\\:*?"<>|\x00-\x1f\x7f-\x9f]*[^/. \\:*?"<>|\x00-\x1f\x7f-\x9f]))*$"#
);

/// What the system says of a path that is well formed: another document or folder is in its way.
fn in_the_way(problem: Problem) -> Problem {
    if problem.code != "input" {
        return problem;
    }
    Problem::new(StatusCode::CONFLICT, "in-the-way", problem.detail)
}

pub fn routes() -> Vec<Route> {
    let number = |least: u32, most: u32, usual: u32| json!({ "type": "integer", "minimum": least, "maximum": most, "default": usual });
    let project = json!({ "type": "string", "minLength": 1 });
    let path = json!({ "type": "string", "pattern": PATH, "maxLength": 512 });
    vec![
        Route::new(Method::GET, "/v1/documents", "The documents that are stored", list)
            .query("project", "Whose documents", project.clone())
            .query("limit", "Documents at most", number(1, 10_000, 1000))
            .query("offset", "Documents to pass over", number(0, u32::MAX, 0))
            .gives::<Listed>(StatusCode::OK, "Documents, by path"),
        Route::new(Method::PUT, "/v1/documents/{id}", "Send a document; the same one again changes nothing", put)
            .query("project", "Whose document", project.clone())
            .named(path.clone())
            .takes_bytes("application/octet-stream")
            .fails(StatusCode::CONFLICT, "Another document or folder is in the way")
            .gives::<Job>(StatusCode::ACCEPTED, "The job that brings it into the store"),
        Route::new(Method::GET, "/v1/documents/{id}", "A document that is stored, by path or identity", show)
            .query("project", "Whose document", project.clone())
            .gives::<StoredDocument>(StatusCode::OK, "The document"),
        Route::new(Method::DELETE, "/v1/documents/{id}", "Take back a document that was sent", remove)
            .query("project", "Whose document", project.clone())
            .named(path)
            .gives::<Job>(StatusCode::ACCEPTED, "The job that removes it from the store")
            .fails(StatusCode::CONFLICT, "A folder is in the way"),
        Route::new(Method::GET, "/v1/documents/{id}/chunks", "The chunks of a document", chunks)
            .query("project", "Whose document", project)
            .query("limit", "Chunks at most", number(1, 1000, 100))
            .query("offset", "Chunks to pass over", number(0, u32::MAX, 0))
            .gives::<Chunks>(StatusCode::OK, "The document and its chunks, in order"),
    ]
}

impl Call {
    /// The project that documents are sent to. The folder that they are put into is one for all, so that nobody of another
    /// project may write there.
    fn own_project(&self) -> Result<String, Problem> {
        let (project, own) = (self.project()?, &self.app.settings.project);
        if project == *own {
            return Ok(project);
        }
        let message = format!("documents are sent to the project `{own}` of the server alone");
        Err(Problem::new(StatusCode::FORBIDDEN, "other-project", message)
            .hint("let a server of its own take those of another"))
    }

    /// The project that the query names.
    pub fn project(&self) -> Result<String, Problem> {
        self.app.project(&self.caller, self.query.get("project").map(String::as_str))
    }

    fn offset(&self) -> Result<u32, Problem> {
        let Some(text) = self.query.get("offset") else { return Ok(0) };
        let wrong = |_| Problem::invalid("`offset` must be a whole number").pointing("offset", "not a whole number");
        text.parse().map_err(wrong)
    }
}

fn list(call: Call) -> Answer {
    Box::pin(async move {
        let (limit, offset) = (call.number("limit", 1000, 10_000)?, call.offset()?);
        let settings = call.app.settings_of(&call.project()?);
        let all = call.app.work(move || stored_documents(&settings)).await?;
        let total = all.len();
        let documents = all.into_iter().skip(offset as usize).take(limit).collect();
        json(StatusCode::OK, &Listed { documents, total })
    })
}

fn show(call: Call) -> Answer {
    Box::pin(async move {
        let id = call.part("id").to_owned();
        let (settings, wanted) = (call.app.settings_of(&call.project()?), id.clone());
        let found = call.app.work(move || stored_document(&settings, &wanted)).await?;
        json(StatusCode::OK, &found.ok_or_else(|| Problem::not_found("document", &id))?)
    })
}

fn chunks(call: Call) -> Answer {
    Box::pin(async move {
        let id = call.part("id").to_owned();
        let most = u32::try_from(call.number("limit", 100, 1000)?).unwrap_or(1000);
        let first = call.offset()?;
        let (settings, wanted) = (call.app.settings_of(&call.project()?), id.clone());
        let found = call.app.work(move || stored_chunks(&settings, &wanted, first, most)).await?;
        let (document, chunks) = found.ok_or_else(|| Problem::not_found("document", &id))?;
        json(StatusCode::OK, &Chunks { document, chunks })
    })
}

fn put(call: Call) -> Answer {
    Box::pin(async move {
        let (project, path, bytes) = (call.own_project()?, call.part("id").to_owned(), call.body.clone());
        call.ensure_room().await?;
        let (settings, place) = (call.app.settings_of(&project), path.clone());
        call.app.work(move || Inbox::open(&settings)?.put(&place, &bytes)).await.map_err(in_the_way)?;
        ingest(&call, project, path).await
    })
}

fn remove(call: Call) -> Answer {
    Box::pin(async move {
        let (project, path) = (call.own_project()?, call.part("id").to_owned());
        call.ensure_room().await?;
        let (settings, place) = (call.app.settings_of(&project), path.clone());
        let removed = call.app.work(move || Inbox::open(&settings)?.remove(&place)).await.map_err(in_the_way)?;
        if !removed {
            return Err(Problem::not_found("document that was sent as", &path));
        }
        ingest(&call, project, path).await
    })
}

/// Asks for the ingest of one document.
async fn ingest(call: &Call, project: String, path: String) -> Result<axum::response::Response, Problem> {
    let new = NewJob { project, select: Some(vec![path]), cause: "push".into(), ..NewJob::default() };
    match call.app.with_jobs(move |jobs| jobs.submit(&new)).await? {
        Submitted::New(job) => accepted(&job),
        _ => Err(Problem::bug("a job was not taken in")),
    }
}
