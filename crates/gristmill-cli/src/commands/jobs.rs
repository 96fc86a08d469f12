//! `gristmill jobs`: the jobs of a server that runs.

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use gristmill::config::{Options, Task};
use gristmill::service::{Job, JobStatus, Remote};
use gristmill::{Error, Result};
use serde_json::json;

use super::Form;
use super::plan::counts;
use crate::args::Global;
use crate::output::{print, write_text};
use crate::paint::visible;
use crate::settings::settle;
use crate::words::{Side, Table, number};
use crate::{exit, say};

/// Start, follow and stop the jobs of a server
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
    /// Address of the server [default: http:// with `[server] bind`]
    #[arg(long, value_name = "URL", global = true, help_heading = "Server")]
    url: Option<String>,
    /// Environment variable with the token
    #[arg(long, value_name = "NAME", global = true, default_value = "GRISTMILL_TOKEN", help_heading = "Server")]
    token_env: String,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, global = true, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the newest jobs
    List {
        /// Jobs at most
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// Ask for an ingest
    Start {
        /// Documents and folders that alone are looked at, relative to the sources
        #[arg(value_name = "PATH")]
        select: Vec<String>,
        /// How much is done anew: incremental, full or recreate
        #[arg(long, value_enum, default_value_t = Mode::Incremental, hide_possible_values = true)]
        mode: Mode,
        /// Write nothing: the job's report is the plan
        #[arg(long)]
        dry_run: bool,
        /// Wait until it has ended
        #[arg(long)]
        wait: bool,
    },
    /// Show a job
    Show {
        /// Name of the job
        id: String,
        /// Wait until it has ended
        #[arg(long)]
        wait: bool,
    },
    /// Print what a job did, as JSON
    Report {
        /// Name of the job
        id: String,
    },
    /// Stop a job; what it has committed stays
    Cancel {
        /// Name of the job
        id: String,
    },
    /// Ask for the same again
    Retry {
        /// Name of the job
        id: String,
    },
}

/// How much is done anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Incremental,
    Full,
    Recreate,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let server = remote(global, args)?;
    let job = match &args.command {
        Command::List { limit } => {
            let mut jobs = server.jobs(*limit)?;
            jobs.retain(|job| global.project.as_ref().is_none_or(|project| job.project == *project));
            match args.format {
                Form::Json => write_text(None, &super::json(&jobs)?)?,
                Form::Text => print(&table(&jobs))?,
            }
            return Ok(ExitCode::SUCCESS);
        }
        Command::Report { id } => {
            write_text(None, &super::json(&server.report(id)?)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Start { select, mode, dry_run, wait } => {
            let mode = mode.to_possible_value().map(|mode| mode.get_name().to_owned());
            let select = Some(select).filter(|select| !select.is_empty());
            let asked = json!({ "project": global.project, "mode": mode, "select": select, "dry_run": dry_run });
            let job = server.start(&asked)?;
            if *wait { ended(&server, &job.id, global)? } else { job }
        }
        Command::Show { id, wait: true } => ended(&server, id, global)?,
        Command::Show { id, wait: false } => server.job(id)?,
        Command::Cancel { id } => server.cancel(id)?,
        Command::Retry { id } => server.retry(id)?,
    };
    match args.format {
        Form::Json => write_text(None, &super::json(&job)?)?,
        Form::Text => print(&text(&job))?,
    }
    let was_stopped = job.status == JobStatus::Cancelled && !matches!(args.command, Command::Cancel { .. });
    Ok(match job.status {
        JobStatus::Failed => ExitCode::from(exit::GATE),
        _ if was_stopped => ExitCode::from(exit::GATE),
        JobStatus::Partial => ExitCode::from(exit::PARTIAL),
        _ => ExitCode::SUCCESS,
    })
}

fn remote(global: &Global, args: &Args) -> Result<Remote> {
    let token = std::env::var(&args.token_env).ok().filter(|token| !token.is_empty());
    let address = match &args.url {
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => url.clone(),
        Some(url) => return Err(Error::usage(format!("`{url}` is no address")).hint("it begins with `http://`")),
        None => format!("http://{}", settle(Task::Ingest, global, Options::default())?.server.bind),
    };
    Remote::new(&address, token.as_deref())
}

/// A job once it has ended.
fn ended(server: &Remote, id: &str, global: &Global) -> Result<Job> {
    server.ended(id, |job| {
        if !global.quiet {
            say::line(&format!("{}: {}, {}", job.id, job.status.name(), so_far(job)));
        }
    })
}

fn so_far(job: &Job) -> String {
    let progress = &job.progress;
    format!("{} of {} documents", number(progress.done), number(progress.total))
}

fn table(jobs: &[Job]) -> String {
    if jobs.is_empty() {
        return "no jobs yet; `gristmill jobs start` asks for one\n".to_owned();
    }
    let columns = [
        ("job", Side::Left),
        ("project", Side::Left),
        ("status", Side::Left),
        ("asked", Side::Left),
        ("did", Side::Left),
    ];
    let mut table = Table::new(&columns);
    for job in jobs {
        let asked = format!("{} by {}", job.created_at, job.cause);
        table.row(vec![job.id.clone(), visible(&job.project), job.status.name().to_owned(), visible(&asked), did(job)]);
    }
    table.text()
}

/// What a job did, or how far it is.
fn did(job: &Job) -> String {
    match (&job.files, &job.error) {
        (_, Some(error)) => visible(&error.message),
        (Some(files), None) => counts(&files.told()),
        (None, None) => so_far(job),
    }
}

fn text(job: &Job) -> String {
    let mut lines = vec![
        format!("job:     {}", job.id),
        format!("project: {}", visible(&job.project)),
        format!("status:  {}", job.status.name()),
        format!("asked:   {} by {}", job.created_at, visible(&job.cause)),
        format!("{} {}", if job.dry_run { "plan:   " } else { "did:    " }, did(job)),
    ];
    let hint = job.error.as_ref().and_then(|error| error.hint.as_deref());
    lines.extend(hint.map(|hint| format!("hint:    {}", visible(hint))));
    lines.extend(job.warnings.iter().map(|warning| format!("warning: {}", visible(warning))));
    lines.extend(job.retry_of.as_ref().map(|id| format!("repeats: {id}")));
    lines.join("\n") + "\n"
}
