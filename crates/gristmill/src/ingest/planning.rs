//! Makes a plan without writing anything.

use std::collections::HashSet;

use gristmill_core::{Reads, Result, Store, VectorSpec};
use gristmill_pipeline::sync::{DiffOptions, diff};

use super::plan::{Counter, Plan};
use super::seen::SeenNow;
use super::{IngestOptions, guards, note_spoilt};
use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::open::{open_embedder, open_store_if_there, price, wanted};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// What an ingest with the same settings would do now. Nothing is written and nothing is embedded; documents that would be
/// written are read and cut.
///
/// # Errors
/// As for [`super::ingest`].
pub fn plan(settings: &Settings, inputs: &Inputs, options: &IngestOptions, cx: &mut RunCx<'_>) -> Result<Plan> {
    let toolkit = Toolkit::new(settings)?;
    let mut documents = Documents::list(settings, inputs)?;
    let embedder = open_embedder(settings)?;
    let store = open_store_if_there(settings)?;
    let spec = wanted(embedder.as_ref());
    let target = match &store {
        Some(store) => target(store.as_ref(), &spec)?,
        None => Target::default(),
    };
    let mut answering = store.as_ref().map_or(Ok(Vec::new()), |store| store.tracked())?;
    let mut tracked = target.collection().map_or(Ok(Vec::new()), Reads::tracked)?;
    options.note_unmatched(&mut documents, &answering);
    options.narrow(&mut documents, &mut answering);
    options.narrow(&mut documents, &mut tracked);
    let seen = SeenNow::of(settings, &mut documents, true, cx.workers)?;
    let how = DiffOptions { rebuild: options.rebuilds(), again: None, unseen: &documents.unseen };
    let listed = seen.list(&documents);
    guards(settings, inputs, options, &documents, &diff(&listed, &answering, how), &answering)?;
    let diff = diff(&listed, &tracked, how);
    note_spoilt(&mut documents, &diff);
    let mut plan = Plan::of(settings, &documents, &seen, &diff, &spec);
    plan.new_model = target.new_model;
    plan.unseen.clone_from(&documents.unseen);
    plan.unmatched.clone_from(&documents.unmatched);
    (plan.rebuild, plan.recreate, plan.select) = (options.rebuilds(), options.recreate, options.select.clone());
    documents.select(|index| diff.work[index].is_some());
    let limits = embedder.limits();
    let work = diff.work.iter().flatten().cloned();
    let mut counter = Counter::new(target.collection(), work, limits).anew(options.recreate);
    let run = run_over(settings, &toolkit, &documents, &mut counter, cx)?;
    let failed: HashSet<String> =
        run.documents.iter().filter(|document| document.error.is_some()).map(|d| d.source.clone()).collect();
    plan.count(&counter.counted, &failed, &counter.refused);
    plan.cost = cost(settings, &spec.model, &counter);
    plan.requests = if price(settings, &spec.model).is_some_and(|price| price == 0.0) { 0 } else { counter.requests };
    Ok(plan)
}

/// Counts the chunks of selected documents with `counter`.
pub(super) fn count<'a>(
    settings: &Settings,
    toolkit: &Toolkit,
    documents: &Documents,
    mut counter: Counter<'a>,
    cx: &mut RunCx<'_>,
) -> Result<Counter<'a>> {
    run_over(settings, toolkit, documents, &mut counter, cx)?;
    Ok(counter)
}

/// What embedding would cost in dollars.
pub(super) fn cost(settings: &Settings, model: &str, counter: &Counter<'_>) -> Option<f64> {
    let tokens: u64 = counter.counted.values().map(|chunks| chunks.tokens).sum();
    Some(price(settings, model)? * tokens as f64 / 1e6)
}

/// The collection that an ingest would write.
#[derive(Default)]
struct Target<'a> {
    answering: Option<&'a dyn Reads>,
    shadow: Option<Box<dyn Reads + Sync + 'a>>,
    new_model: bool,
}

impl Target<'_> {
    fn collection(&self) -> Option<&dyn Reads> {
        self.answering.or(self.shadow.as_deref().map(|shadow| shadow as &dyn Reads))
    }
}

fn target<'a>(store: &'a dyn Store, spec: &VectorSpec) -> Result<Target<'a>> {
    let there = store.spec()?;
    if there.as_ref().is_none_or(|there| there.agrees(spec) || there.dimensions.is_none()) {
        return Ok(Target { answering: Some(store), ..Target::default() });
    }
    let shadow = store.shadow()?.filter(|(there, _)| there.agrees(spec)).map(|(_, reads)| reads);
    Ok(Target { answering: None, shadow, new_model: true })
}
