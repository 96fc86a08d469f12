//! What the source of a stored chunk gives now.

use gristmill_core::{DocumentId, Error, Result, StoredPoint, Tracked};
use gristmill_format::Record;
use gristmill_pipeline::Sink;
use gristmill_pipeline::sync::Recipe;
use serde::Serialize;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::ingest::seen::SeenNow;
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// What the source of a stored chunk gives now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Present {
    /// In one word.
    pub state: PresentState,
    /// Why, in words: what changed, or what kept the comparison from being made.
    pub reasons: Vec<String>,
}

/// What became of a chunk in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PresentState {
    /// The source gives this very record.
    Same,
    /// The source gives this text, with other facts beside it.
    Facts,
    /// The source has the document and gives this chunk no more.
    Recut,
    /// The source no longer has the document.
    Gone,
    /// The document cannot be read now, or nobody knows where it is.
    Unknown,
}

/// Cuts the document of a chunk again and compares.
pub(super) fn present(
    settings: &Settings,
    inputs: &Inputs,
    tracked: &Tracked,
    point: &StoredPoint,
    cx: &mut RunCx<'_>,
) -> Present {
    let compared = Comparison { settings, tracked, point }.run(inputs, cx);
    compared.unwrap_or_else(|error| Present { state: PresentState::Unknown, reasons: vec![error.chain()] })
}

struct Comparison<'a> {
    settings: &'a Settings,
    tracked: &'a Tracked,
    point: &'a StoredPoint,
}

impl Comparison<'_> {
    fn run(&self, inputs: &Inputs, cx: &mut RunCx<'_>) -> Result<Present> {
        let named = !inputs.paths.is_empty();
        if !named && self.settings.source.is_empty() {
            return Err(Error::usage("no source is configured: name the documents that were ingested, too"));
        }
        let mut documents = Documents::list(&self.narrowed(), inputs)?;
        let index = documents.every_job().position(|job| job.id == self.tracked.version.document);
        let Some(index) = index else {
            let place = if named { "what was named" } else { "the sources" };
            let reasons = vec![format!("{place} does not have `{}`", self.tracked.version.source)];
            return Ok(Present { state: PresentState::Gone, reasons });
        };
        documents.select(|other| other == index);
        let reasons = self.reasons(&mut documents)?;
        let mut sink = Twin { id: self.point.id.to_string(), found: None };
        let report = run_over(self.settings, &Toolkit::new(self.settings)?, &documents, &mut sink, cx)?;
        if let Some(failure) = report.documents.iter().find_map(|document| document.error.as_ref()) {
            return Err(Error::input(failure.message.clone()));
        }
        Ok(Present { state: self.state(sink.found.as_ref()), reasons })
    }

    /// The settings with no more than the sources that the document can be of, where these can be told: to list others,
    /// such as those on the network, would be a waste.
    fn narrowed(&self) -> Settings {
        let version = &self.tracked.version;
        let mut settings = self.settings.clone();
        settings.source.retain(|source| {
            let name = source.name.as_deref().unwrap_or_default();
            DocumentId::new(&self.settings.project, name, &version.source) == version.document
        });
        if settings.source.is_empty() { self.settings.clone() } else { settings }
    }

    /// What shapes the document and has changed since.
    fn reasons(&self, documents: &mut Documents) -> Result<Vec<String>> {
        let seen = SeenNow::of(self.settings, documents, true, 1)?;
        let version = &self.tracked.version;
        let mut reasons = Vec::new();
        for now in seen.list(documents) {
            if now.fingerprint.is_some_and(|hash| hash != version.source_hash) {
                reasons.push("the document has changed".to_owned());
            }
            let stages = Recipe::differing(&version.recipe, now.recipe);
            if !stages.is_empty() {
                let names: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
                reasons.push(format!("settings have changed: {}", names.join(", ")));
            }
        }
        Ok(reasons)
    }

    fn state(&self, found: Option<&(String, String)>) -> PresentState {
        match found {
            Some((_, payload)) if *payload == self.point.payload => PresentState::Same,
            Some((content, _)) if *content == self.point.text => PresentState::Facts,
            _ => PresentState::Recut,
        }
    }
}

/// Waits for the chunk with an identity; keeps its content and its record.
struct Twin {
    id: String,
    found: Option<(String, String)>,
}

impl Sink for Twin {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        if record.chunk_id == self.id {
            let payload =
                serde_json::to_string(record).map_err(|e| Error::bug("a record cannot be written").because(e))?;
            self.found = Some((record.content.clone().into_owned(), payload));
        }
        Ok(())
    }
}
