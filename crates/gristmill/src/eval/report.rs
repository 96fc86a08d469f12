//! What a comparison found.

use std::collections::BTreeMap;

use gristmill_eval::{Interval, Intrinsic};
use serde::Serialize;

use super::groups::Grouping;
use super::index::Cost;
use super::questions::{Inexact, LeftOut};
use super::targets::Target;

/// Version of the shape of this report.
pub const EVAL_SCHEMA: u32 = 1;

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvalReport {
    /// Version of this shape.
    pub schema_version: u32,
    /// Documents that were read.
    pub documents: u64,
    /// Documents that could not be read.
    pub failed: Vec<LeftOut>,
    /// The model of the vectors; null where only words are searched.
    pub model: Option<String>,
    /// The figure by which settings are ranked.
    pub ranked_by: String,
    /// The settings, in the order they were named.
    pub settings: Vec<SettingReport>,
    /// What to know about the settings.
    pub notes: Vec<String>,
    /// The chosen setting beside the figures that are wanted. Chosen by the questions that somebody asked, by others only
    /// without them.
    pub targets: Vec<Target>,
    /// The settings under questions that somebody asked.
    pub questions: Option<Comparison>,
    /// The settings under questions that were made by rule. They tell settings apart, and nothing of how good a search is for
    /// those who ask: never to be added to the others.
    pub synthetic: Option<Comparison>,
    /// Quotes that were not found as they are.
    pub inexact: Vec<Inexact>,
    /// Questions that could not be measured.
    pub left_out: Vec<LeftOut>,
}

/// A setting, what it costs and how whole its chunks are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingReport {
    /// How it is called: what it says beyond the others.
    pub name: String,
    /// How borders are found.
    pub strategy: String,
    /// The size to aim at.
    pub target: usize,
    /// The size that is never exceeded.
    pub max: usize,
    /// Smaller chunks are merged where they fit.
    pub min: usize,
    /// How much of the chunk before is repeated.
    pub overlap: usize,
    /// What these sizes are counted in.
    pub unit: &'static str,
    /// What stands before each chunk.
    pub context: &'static str,
    /// How hits are found.
    pub retriever: &'static str,
    /// What it costs.
    pub cost: Cost,
    /// How whole its chunks are.
    pub intrinsic: Intrinsic,
}

/// Settings under the same questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Questions that were measured.
    pub asked: u64,
    /// Questions by the rule that made them; empty for those that somebody asked.
    pub rules: BTreeMap<String, u64>,
    /// What stands or falls together, and is drawn together for the intervals.
    pub grouping: Grouping,
    /// How many of these there are.
    pub groups: u64,
    /// Questions by which the best setting was chosen; 0 where there was nothing to choose, or too little to choose by.
    pub chosen_by: u64,
    /// Questions that the figures are of.
    pub measured_by: u64,
    /// What to know about these figures.
    pub notes: Vec<String>,
    /// The settings, the best first.
    pub ranking: Vec<Measured>,
    /// Questions for which the chosen setting finds least.
    pub worst: Vec<Worst>,
}

/// A setting under questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Index of the setting.
    pub setting: usize,
    /// How it is called.
    pub name: String,
    /// Its rank, from 1. Those that cannot be told apart share one.
    pub rank: usize,
    /// True for the setting that was chosen.
    pub chosen: bool,
    /// The figure that it was chosen by, over the questions for that; null where none were set aside.
    pub chosen_by: Option<f64>,
    /// How likely its distance to the best is by chance, corrected for the number of settings.
    pub p: f64,
    /// The figures by name.
    pub figures: BTreeMap<String, Interval>,
}

/// A question for which little is found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The question.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// The document of the evidence.
    pub source: String,
    /// The line of the evidence, from 1.
    pub line: u64,
    /// Rank of the first hit that holds half of a span of the evidence; null where none does.
    pub rank: Option<usize>,
    /// The figure that settings are ranked by.
    pub found: f64,
    /// The source around the evidence, in pieces.
    pub around: Vec<Piece>,
    /// The first hits.
    pub hits: Vec<HitTold>,
}

/// A piece of source text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// True where it is evidence.
    pub evidence: bool,
    /// True where a chunk begins with it.
    pub border: bool,
}

/// A hit in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HitTold {
    /// The document.
    pub source: String,
    /// The line its text begins on, from 1.
    pub line: u64,
    /// Its tokens.
    pub tokens: u64,
    /// True when it holds half of a span of the evidence.
    pub relevant: bool,
    /// How its text begins.
    pub text: String,
}
