//! Starting and ending.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use gristmill::config::Settings;
use gristmill::service::{Inbox, Jobs, ServiceCx, Worker};
use gristmill::{Error, ErrorKind, Result};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::app::{App, Shared};
use crate::bounds::{answer, protect};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::route::Route;
use crate::routes;
use crate::traces::{self, Traces};

/// What a server is started with.
pub struct Serve {
    /// The settings.
    pub settings: Settings,
    /// The current folder, absolute.
    pub folder: PathBuf,
    /// Files that are no documents.
    pub own: Vec<PathBuf>,
    /// Threads for documents.
    pub threads: usize,
    /// Told what is worth a line in a log.
    pub log: fn(&str),
    /// Told where it listens, once it does.
    pub ready: fn(SocketAddr),
    /// Whether agents may write.
    pub allow_write: bool,
}

/// What is started before anybody calls.
pub struct Parts {
    pub app: Shared,
    pub runtime: tokio::runtime::Runtime,
    /// Runs jobs, unless another process does.
    pub worker: Option<Worker>,
}

/// Jobs that are followed at a time.
const STREAMS: usize = 512;

/// Requests of those who watch the server, at a time.
const WATCHERS: usize = 16;

/// How long the answers that are being made when the server ends may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves until the process is told to end.
///
/// # Errors
/// When it cannot listen, would be open to other machines, or the jobs of the store are run by another server.
pub fn serve(serve: Serve) -> Result<()> {
    check(&serve.settings)?;
    let address = address(&serve.settings)?;
    let ready = serve.ready;
    let Parts { app, runtime, worker } = start(serve, false)?;
    let traces = app.traces.clone();
    let served = runtime.block_on(listen(app, address, ready));
    if let Some(worker) = worker {
        worker.stop();
    }
    runtime.shutdown_timeout(Duration::from_millis(200));
    if let Some(traces) = traces {
        traces.end();
    }
    served
}

/// Looks whether a server could start with these settings. Nothing is written, and nobody is asked.
///
/// # Errors
/// The first thing in `[server]` that is wrong.
pub fn check(settings: &Settings) -> Result<()> {
    address(settings)?;
    if let Some(secret) = &settings.server.webhook_secret {
        let unusable = |cause| Error::config("the secret of webhooks is named and cannot be had").because(cause);
        secret.reveal(&settings.world.env).map_err(unusable)?;
    }
    settings.server.traces.as_deref().map(traces::place).transpose()?;
    Inbox::named(settings).map(drop)
}

/// Opens the jobs and begins to run them. With `join`, another process may run them.
///
/// # Errors
/// When the jobs cannot be opened, or without `join` another server runs them.
pub fn start(serve: Serve, join: bool) -> Result<Parts> {
    let place = Jobs::place(&serve.settings);
    let clock = serve.settings.world.clock;
    let jobs = Arc::new(if join { Jobs::join(&place, clock)? } else { Jobs::open(&place, clock)? });
    let settings = Arc::new(serve.settings);
    let traces = settings.server.traces.as_deref().map(|address| Traces::start(address, serve.log));
    let traces = traces.transpose()?.map(Arc::new);
    let told = traces.clone();
    let cx = ServiceCx {
        settings: Arc::clone(&settings),
        folder: serve.folder.clone(),
        own: serve.own.clone(),
        threads: serve.threads,
        at_a_time: settings.server.max_jobs as usize,
        log: serve.log,
        ended: Arc::new(move |job| told.iter().for_each(|traces| traces.job(job))),
    };
    let app = Arc::new(App {
        requests: Arc::new(Semaphore::new(settings.server.max_requests as usize)),
        strangers: Arc::new(Semaphore::new(settings.server.max_requests as usize)),
        watches: Arc::new(Semaphore::new(WATCHERS)),
        streams: Arc::new(Semaphore::new(STREAMS)),
        work: Arc::new(Semaphore::new(serve.threads.max(2))),
        settings,
        folder: serve.folder,
        own: serve.own,
        threads: serve.threads,
        jobs: Arc::clone(&jobs),
        metrics: Metrics::default(),
        traces,
        news: watch::Sender::new(0),
        ending: watch::Sender::new(false),
        log: serve.log,
        allow_write: serve.allow_write,
    });
    let news = app.news.clone();
    jobs.on_change(Box::new(move || news.send_modify(|count| *count += 1)));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Error::bug("no threads to answer with").because(cause))?;
    let worker = if jobs.may_run() { Some(Worker::start(jobs, cx)?) } else { None };
    Ok(Parts { app, runtime, worker })
}

/// Where to listen. Without tokens only this machine may come in.
fn address(settings: &Settings) -> Result<SocketAddr> {
    let bind = &settings.server.bind;
    let unclear = || Error::config(format!("not an address and port: `{bind}`")).hint("such as `127.0.0.1:7717`");
    let address = bind.to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or_else(unclear)?;
    if settings.server.token.is_empty() && !address.ip().is_loopback() {
        return Err(Error::config(format!("without tokens the server would be open to other machines: `{bind}`"))
            .hint("listen on 127.0.0.1, or make a token with `gristmill serve --new-token`"));
    }
    Ok(address)
}

async fn listen(app: Shared, address: SocketAddr, ready: fn(SocketAddr)) -> Result<()> {
    let cannot = |cause| Error::new(ErrorKind::Usage, format!("cannot listen on `{address}`")).because(cause);
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    ready(listener.local_addr().map_err(cannot)?);
    let ending = app.ending.clone();
    let router = router(&app);
    let (told, wait) = (ending.clone(), ending.subscribe());
    let served = axum::serve(listener, router).with_graceful_shutdown(async move {
        end_of_process().await;
        told.send_replace(true);
    });
    tokio::select! {
        served = served.into_future() => served.map_err(|cause| Error::bug("the server ended").because(cause)),
        () = after(wait) => Ok(()),
    }
}

/// Some time after the end began: answers that take longer are given up.
async fn after(mut ending: watch::Receiver<bool>) {
    if ending.wait_for(|ending| *ending).await.is_ok() {
        tokio::time::sleep(PATIENCE).await;
    }
}

/// Waits until the process is told to end.
async fn end_of_process() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            let _ = interrupt.await;
            return;
        };
        tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = interrupt.await;
}

/// What is answered where nothing can be called: a page to a browser.
fn nowhere(app: &App, headers: &HeaderMap) -> Response {
    let kinds = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    let problem = routes::nowhere();
    let mut response =
        if kinds.contains("text/html") { crate::ui::sorry(app, &problem) } else { problem.into_response() };
    protect(&mut response);
    response
}

/// The parts of a path that a route names, unless they are no text.
pub type PathParts = std::result::Result<RawPathParams, RawPathParamsRejection>;

/// The router over the table of what can be called.
fn router(app: &Shared) -> Router {
    let mut router = Router::new();
    for route in routes::all() {
        let route = Arc::new(route);
        let path = route.path;
        let Ok(filter) = MethodFilter::try_from(route.method.clone()) else { continue };
        let handler = move |State(app): State<Shared>, parts: PathParts, request: Request| {
            let route: Arc<Route> = Arc::clone(&route);
            async move { answer(app, route, parts, request).await }
        };
        router = router.route(path, on(filter, handler));
    }
    router
        .fallback(|State(app): State<Shared>, headers: HeaderMap| async move { nowhere(&app, &headers) })
        .method_not_allowed_fallback(|| async {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "this cannot be done at this address")
        })
        .with_state(Arc::clone(app))
}
