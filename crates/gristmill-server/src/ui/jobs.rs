//! Jobs: what runs, what ran, and what became of it.

use gristmill::service::Job;
use serde_json::Value;

use super::answer;
use super::html::Html;
use crate::route::{Answer, Call};

pub fn list(call: Call) -> Answer {
    Box::pin(async move {
        let projects = call.caller.projects().map(<[String]>::to_vec);
        let jobs = call.app.with_jobs(move |jobs| jobs.list(projects.as_deref(), None, 100)).await?;
        let mut main = Html::new();
        main.push("<h1>Jobs</h1><div class=\"row\"><button data-post=\"/v1/jobs\" data-body=\"{}\" data-go=\"/jobs/\">Ingest what has changed</button>");
        main.push(
            "<button data-post=\"/v1/jobs\" data-body='{\"dry_run\":true}' data-go=\"/jobs/\">Only plan</button></div>",
        );
        if jobs.is_empty() {
            main.push("<p>No job yet.</p>");
        } else {
            main.push("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Jobs\"><table><thead><tr><th>Job</th><th>Status</th><th>Asked by</th><th>Documents</th><th>Asked at</th></tr></thead><tbody>");
            for job in &jobs {
                main.html(&row(job));
            }
            main.push("</tbody></table></div>");
        }
        answer(&call.app, "/jobs", "Jobs", &main)
    })
}

fn row(job: &Job) -> Html {
    let mut html = Html::new();
    html.push("<tr><td><a")
        .attribute("href", format!("/jobs/{}", job.id))
        .push(">")
        .text(&job.id)
        .push("</a></td><td>");
    status(&mut html, job);
    html.push("</td><td>")
        .text(&job.cause)
        .push("</td><td>")
        .text(&figures(job))
        .push("</td><td><time>")
        .text(&job.created_at);
    html.push("</time></td></tr>");
    html
}

/// Status, followed while the job has not ended.
fn status(html: &mut Html, job: &Job) {
    html.push("<span").attribute("class", format!("status {}", job.status.name()));
    if !job.status.is_final() {
        html.attribute("data-follow", &job.id);
    }
    html.push(">").text(job.status.name()).push("</span>");
}

fn figures(job: &Job) -> String {
    let Some(files) = &job.files else { return format!("{} of {}", job.progress.done, job.progress.total) };
    let told = files.told();
    let there: Vec<String> = told.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if there.is_empty() { "nothing to do".to_owned() } else { there.join(", ") }
}

pub fn show(call: Call) -> Answer {
    Box::pin(async move {
        let job = call.job().await?;
        let id = job.id.clone();
        let report = call.app.with_jobs(move |jobs| jobs.report(&id)).await?;
        let report: Value = report.and_then(|report| serde_json::from_str(&report).ok()).unwrap_or_default();
        answer(&call.app, "/jobs", &job.id, &whole(&job, &report))
    })
}

fn whole(job: &Job, report: &Value) -> Html {
    let mut main = Html::new();
    main.push("<h1>").text(&job.id).push("</h1><div class=\"job\"");
    if !job.status.is_final() {
        main.attribute("data-job", &job.id);
    }
    main.push("><p role=\"status\" aria-live=\"polite\">");
    status(&mut main, job);
    main.push(" <span class=\"stage\"></span></p>");
    if !job.status.is_final() {
        main.push("<progress aria-label=\"Documents\"")
            .attribute("max", job.progress.total.max(1))
            .attribute("value", job.progress.done)
            .push("></progress>");
        main.push("<p class=\"at\"></p>");
        button(&mut main, job, "cancel", "Stop");
    } else {
        button(&mut main, job, "retry", "Again");
    }
    main.push("</div>");
    if let Some(error) = &job.error {
        main.push("<p class=\"error\" role=\"alert\">").text(&error.message).push("</p>");
        if let Some(hint) = &error.hint {
            main.push("<p>").text(hint).push("</p>");
        }
    }
    for warning in &job.warnings {
        main.push("<p class=\"warning\">").text(warning).push("</p>");
    }
    main.html(&facts(job)).html(&failures(report));
    main
}

fn button(html: &mut Html, job: &Job, what: &'static str, name: &'static str) {
    html.push("<button").attribute("data-post", format!("/v1/jobs/{}/{what}", job.id)).attribute("data-go", "/jobs/");
    html.push(">").text(name).push("</button>");
}

fn facts(job: &Job) -> Html {
    let none = || "–".to_owned();
    let scope = serde_json::to_value(job.scope).ok().and_then(|scope| Some(scope.as_str()?.to_owned()));
    let history: Vec<String> =
        job.history.iter().map(|moment| format!("{} {}", moment.at, moment.status.name())).collect();
    let mut html = Html::new();
    html.push("<dl class=\"facts\">");
    for (name, value) in [
        ("Project", job.project.clone()),
        ("Asked by", job.cause.clone()),
        ("Scope", scope.unwrap_or_default()),
        ("Commit", job.commit.clone().unwrap_or_else(none)),
        (if job.dry_run { "Documents, if it were done" } else { "Documents" }, figures(job)),
        (
            "Chunks",
            job.chunks.map_or_else(none, |c| {
                format!("{} written, {} embedded, {} reused, {} removed", c.upserted, c.embedded, c.reused, c.deleted)
            }),
        ),
        ("Superseded by", job.superseded_by.clone().unwrap_or_else(none)),
        ("History", history.join("\n")),
    ] {
        html.push("<dt>").text(name).push("</dt><dd>").text(&value).push("</dd>");
    }
    html.push("</dl>");
    html
}

fn failures(report: &Value) -> Html {
    let mut html = Html::new();
    let failures = report["failures"].as_array().map(Vec::as_slice).unwrap_or_default();
    if failures.is_empty() {
        return html;
    }
    html.push("<h2>Failures</h2><ul>");
    for failure in failures {
        html.push("<li><b>").text(failure["source"].as_str().unwrap_or_default()).push("</b> ");
        html.text(failure["message"].as_str().unwrap_or_default()).push("</li>");
    }
    html.push("</ul>");
    html
}
