//! The way to a store: its settings, and requests through the client that all of gristmill uses.

use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{Error, Result};
use gristmill_http::{Client, ClientOptions, Headers, Method, Response, Trouble, TroubleKind};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path as Key;
use object_store::{ClientConfigKey, ObjectStore, ObjectStoreScheme, RetryConfig};
use url::Url;

use crate::ObjectSpec;

/// How often and how long is tried again.
const RETRIES: usize = 3;
const RETRIES_TIME: Duration = Duration::from_secs(60);

/// Opens the store of a URL. Answers with the prefix that it names as well.
///
/// # Errors
/// Config: the URL is that of no store, or a setting is wrong.
pub(super) fn open(spec: &ObjectSpec) -> Result<(Box<dyn ObjectStore>, Key)> {
    let wrong = |why: &str| Error::config(format!("`url` of an object source {why}: {}", spec.url));
    let url = Url::parse(&spec.url).map_err(|e| wrong("is no URL").because(e))?;
    if url.password().is_some() || url.query().is_some() {
        return Err(Error::config("`url` of an object source holds more than a bucket and a prefix")
            .hint("keys belong into its `options` or into the environment"));
    }
    let known = "is none of `s3://`, `gs://` and `az://`";
    let (scheme, prefix) = ObjectStoreScheme::parse(&url).map_err(|e| wrong(known).because(e))?;
    let connector = Connector(client(spec)?);
    macro_rules! built {
        ($builder:ty, $key:ty) => {{
            let builder = <$builder>::new().with_url(url.as_str()).with_http_connector(connector).with_retry(retries());
            let settings = settings::<$key>(spec)?;
            let builder = settings.into_iter().fold(builder, |builder, (key, value)| builder.with_config(key, value));
            Box::new(builder.build().map_err(|e| wrong("cannot be used").because(e))?) as Box<dyn ObjectStore>
        }};
    }
    let store = match scheme {
        ObjectStoreScheme::AmazonS3 => built!(AmazonS3Builder, AmazonS3ConfigKey),
        ObjectStoreScheme::GoogleCloudStorage => built!(GoogleCloudStorageBuilder, GoogleConfigKey),
        ObjectStoreScheme::MicrosoftAzure => built!(MicrosoftAzureBuilder, AzureConfigKey),
        _ => return Err(wrong(known)),
    };
    Ok((store, prefix))
}

fn retries() -> RetryConfig {
    RetryConfig { max_retries: RETRIES, retry_timeout: RETRIES_TIME, ..RetryConfig::default() }
}

fn client(spec: &ObjectSpec) -> Result<Arc<Client>> {
    let timeout = spec.timeout.unwrap_or(Duration::from_secs(60));
    let options = ClientOptions { timeout, proxy: spec.proxy.clone(), ..ClientOptions::default() };
    Ok(Arc::new(Client::new(options)?))
}

/// What is known of the environment, then the options, all of which must be known.
fn settings<K: FromStr>(spec: &ObjectSpec) -> Result<Vec<(K, String)>> {
    let parsed = |name: &str| name.to_ascii_lowercase().parse::<K>().ok();
    let surroundings = spec.environment.iter().filter_map(|(name, value)| Some((parsed(name)?, value.clone())));
    let mut all: Vec<(K, String)> = surroundings.collect();
    for (name, value) in &spec.options {
        let unknown = || Error::config(format!("`options` of an object source has an unknown name: {name}"));
        all.push((parsed(name).ok_or_else(unknown)?, value.clone()));
    }
    Ok(all)
}

/// Hands out the client.
#[derive(Clone, Debug)]
struct Connector(Arc<Client>);

impl HttpConnector for Connector {
    fn connect(&self, options: &object_store::ClientOptions) -> object_store::Result<HttpClient> {
        let allow_http = options.get_config_value(&ClientConfigKey::AllowHttp).is_some_and(|value| value == "true");
        Ok(HttpClient::new(Service { client: self.0.clone(), allow_http }))
    }
}

/// Sends requests, each in the thread that asks for it.
#[derive(Debug)]
struct Service {
    client: Arc<Client>,
    allow_http: bool,
}

#[async_trait::async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let url = request.uri().to_string();
        if !self.allow_http && !url.starts_with("https:") {
            return Err(other("the endpoint is not encrypted, which the option `allow_http` must allow"));
        }
        let mut headers = Headers::new();
        for (name, value) in request.headers() {
            // These two are made from body and URL.
            if !["content-length", "host"].contains(&name.as_str()) {
                let value = value.to_str().map_err(|e| HttpError::new(HttpErrorKind::Unknown, e))?;
                headers = headers.with(name.as_str(), value);
            }
        }
        let method = method(request.method())?;
        let body = request.body().as_bytes().filter(|body| !body.is_empty()).map(AsRef::as_ref);
        let response = self.client.send(method, &url, &headers, body).map_err(trouble)?;
        answer(&response)
    }
}

fn other(why: &'static str) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, io::Error::other(why))
}

fn method(method: &http::Method) -> Result<Method, HttpError> {
    match method.as_str() {
        "GET" => Ok(Method::Get),
        "HEAD" => Ok(Method::Head),
        "POST" => Ok(Method::Post),
        "PUT" => Ok(Method::Put),
        _ => Err(other("this is only read from")),
    }
}

fn trouble(trouble: Trouble) -> HttpError {
    let kind = match trouble.kind() {
        TroubleKind::Connect => HttpErrorKind::Connect,
        TroubleKind::TimedOut => HttpErrorKind::Timeout,
        TroubleKind::CutOff => HttpErrorKind::Interrupted,
        TroubleKind::Request | TroubleKind::Tls | TroubleKind::TooLarge => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, trouble)
}

fn answer(response: &Response) -> Result<HttpResponse, HttpError> {
    let mut answer = http::Response::builder().status(response.status());
    for (name, value) in response.headers() {
        answer = answer.header(name, value);
    }
    if response.header("content-length").is_none() {
        // It was unpacked, or came without its length.
        answer = answer.header("content-length", response.body().len());
    }
    answer.body(response.body().to_vec().into()).map_err(|e| HttpError::new(HttpErrorKind::Decode, e))
}
