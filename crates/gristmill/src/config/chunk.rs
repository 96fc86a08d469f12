//! `[chunk]`: how documents are cut.

use std::collections::BTreeMap;
use std::path::Path;

use gristmill_core::{ContextMode, Limits, Result, Threshold, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::presets::DEFAULT_STRATEGY;
use super::resolve::Cx;
use super::sizes::Sizes;
use super::{Origin, Origins, Overlap, Preset, TopicThreshold};

/// What sizes are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SizeUnit {
    /// Tokens of the tokenizer.
    #[default]
    Tokens,
    /// Unicode code points.
    Chars,
    /// Runs of characters that are not white space.
    Words,
}

impl From<SizeUnit> for Unit {
    fn from(unit: SizeUnit) -> Self {
        match unit {
            SizeUnit::Tokens => Self::Tokens,
            SizeUnit::Chars => Self::Chars,
            SizeUnit::Words => Self::Words,
        }
    }
}

/// What is put in front of a chunk's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// The path of headings.
    #[default]
    Headings,
    /// Nothing.
    None,
}

impl From<Context> for ContextMode {
    fn from(context: Context) -> Self {
        match context {
            Context::Headings => Self::Headings,
            Context::None => Self::None,
        }
    }
}

/// How documents are cut. Where only `max` is given, the other sizes follow from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChunkOptions {
    /// The size to aim at, in `unit`. Default: `400`, or two thirds of `max`. Example: `target = 300`.
    pub target: Option<u32>,
    /// The size that is never exceeded, in `unit`. Default: `600`. Example: `max = 512`.
    pub max: Option<u32>,
    /// Chunks below this size are merged with a neighbour where they fit, in `unit`. Default: `80`, or 2/15 of `max`.
    pub min: Option<u32>,
    /// How much of the chunk before is repeated: a size in `unit`, or a share of `max`. Default: `60`, or a tenth of
    /// `max`. Example: `overlap = "15%"`.
    pub overlap: Option<Overlap>,
    /// What sizes are counted in. Default: `"tokens"`. Example: `unit = "chars"`.
    pub unit: Option<SizeUnit>,
    /// The tokenizer: a name, or the path of a `tokenizer.json`. Default: `"o200k_base"`.
    pub tokenizer: Option<String>,
    /// How borders are found. Default: `"auto"`. Example: `strategy = "sentence"`.
    pub strategy: Option<String>,
    /// What is put in front of a chunk's text. Default: `"headings"`. Example: `context = "none"`.
    pub context: Option<Context>,
    /// This many sentences a chunk, without overlap, whatever `target` and `min` say. Default: none.
    pub sentences_per_chunk: Option<u32>,
    /// For the strategy `semantic`: the similarity of neighbouring sentences below which a topic ends. A cosine (`0.5`), a
    /// share of the neighbours of each document (`"5%"`), or standard deviations below their mean (`"1.5sd"`). Default:
    /// `0.5`. Example: `topic_threshold = "10%"`.
    pub topic_threshold: Option<TopicThreshold>,
    /// Other values for documents of one type, as in `[chunk.by_type.faq]`. They stand on those of `[chunk]`: a `max`
    /// given here scales the sizes that are not. A flag or variable for `[chunk]` beats the values of all types.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_type: BTreeMap<String, ChunkOptions>,
}

impl ChunkOptions {
    /// Refuses types within a type. `file` is named where the options are those of one.
    pub(super) fn ensure_flat(&self, origins: &Origins, file: Option<&Path>) -> Result<()> {
        let Some((name, _)) = self.by_type.iter().find(|(_, own)| !own.by_type.is_empty()) else { return Ok(()) };
        let key = format!("chunk.by_type.{name}");
        let place = file.map(|file| format!(": {}", file.display())).unwrap_or_default();
        Err(origins.blame(&format!("{key}.by_type"), format!("`{key}` cannot have types of its own{place}")))
    }

    /// A tokenizer given as a file is relative to `folder`; a name stays a name.
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(tokenizer) = self.tokenizer.as_mut().filter(|t| t.ends_with(".json"))
            && let Some(path) = folder.join(&*tokenizer).to_str()
        {
            *tokenizer = path.to_owned();
        }
        self.by_type.values_mut().for_each(|own| own.rebase(folder));
    }
}

/// How documents are cut. `1 ≤ target ≤ max`, `min ≤ target`, `overlap < max`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChunkSettings {
    /// The size to aim at.
    pub target: usize,
    /// The size that is never exceeded.
    pub max: usize,
    /// Chunks below this size are merged with a neighbour where they fit.
    pub min: usize,
    /// How much of the chunk before is repeated.
    pub overlap: usize,
    /// What sizes are counted in.
    pub unit: SizeUnit,
    /// The tokenizer.
    pub tokenizer: String,
    /// How borders are found.
    pub strategy: String,
    /// What is put in front of a chunk's text.
    pub context: Context,
    /// This many sentences a chunk.
    pub sentences_per_chunk: Option<usize>,
    /// Where the strategy `semantic` ends a topic.
    pub topic_threshold: TopicThreshold,
    /// What holds for documents of one type instead. Their own `by_type` is empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_type: BTreeMap<String, ChunkSettings>,
}

/// The sizes as a chunker takes them.
pub fn limits(settings: &ChunkSettings) -> Limits {
    Limits { target: settings.target, max: settings.max, min: settings.min, overlap: settings.overlap }
}

impl ChunkSettings {
    /// What holds for documents of `document_type`.
    pub fn for_type(&self, document_type: Option<&str>) -> &Self {
        document_type.and_then(|name| self.by_type.get(name)).unwrap_or(self)
    }

    pub(super) fn resolve(options: &ChunkOptions, preset: Option<Preset>, cx: &mut Cx) -> Result<Self> {
        let base = Self {
            tokenizer: "o200k_base".to_owned(),
            strategy: preset.map_or(DEFAULT_STRATEGY, Preset::strategy).to_owned(),
            context: Context::default(),
            sentences_per_chunk: None,
            by_type: BTreeMap::new(),
            ..Self::of(preset.map_or(Sizes::DEFAULT, Preset::sizes))
        };
        let origin = preset.map_or(Origin::Default, |preset| Origin::Preset(preset.name()));
        let mut settings = base.with(options, "chunk", &origin, cx)?;
        options.ensure_flat(&cx.origins, None)?;
        for (name, own) in &options.by_type {
            let key = format!("chunk.by_type.{name}");
            let typed = ChunkSettings { by_type: BTreeMap::new(), ..settings.clone() };
            let typed = typed.with(own, &key, &Origin::Derived("chunk".to_owned()), cx)?;
            settings.by_type.insert(name.clone(), typed);
        }
        Ok(settings)
    }

    /// These settings with `options` laid over them. `origin` is where the values of `self` came from.
    fn with(self, options: &ChunkOptions, key: &str, origin: &Origin, cx: &mut Cx) -> Result<Self> {
        let ChunkOptions { unit, tokenizer, strategy, context, sentences_per_chunk, by_type: _, .. } = options;
        let unit = unit.unwrap_or(self.unit);
        let sizes = super::sizes::settle(self.sizes().in_unit(unit), options, key, origin, cx)?;
        cx.inherit(key, "tokenizer", tokenizer.is_some(), origin);
        cx.inherit(key, "unit", options.unit.is_some(), origin);
        cx.inherit(key, "context", context.is_some(), origin);
        cx.inherit(key, "strategy", strategy.is_some(), origin);
        cx.inherit(key, "topic_threshold", options.topic_threshold.is_some(), origin);
        let settings = Self {
            tokenizer: tokenizer.clone().unwrap_or(self.tokenizer),
            strategy: strategy.clone().unwrap_or(self.strategy),
            context: context.unwrap_or(self.context),
            // A strategy said for one type ends the counting of sentences said for all.
            sentences_per_chunk: if strategy.is_some() { None } else { self.sentences_per_chunk },
            topic_threshold: options.topic_threshold.unwrap_or(self.topic_threshold),
            by_type: BTreeMap::new(),
            ..Self::of(sizes)
        };
        match sentences_per_chunk {
            Some(sentences) => settings.by_sentences(*sentences, options, key, cx),
            None => Ok(settings),
        }
    }

    /// So many sentences a chunk: no overlap, no merging, no size to aim at but the greatest.
    fn by_sentences(self, sentences: u32, options: &ChunkOptions, key: &str, cx: &mut Cx) -> Result<Self> {
        let own = format!("{key}.sentences_per_chunk");
        if sentences == 0 {
            return Err(cx.origins.blame(&own, "`sentences_per_chunk` must be at least 1"));
        }
        if let Some(other) = options.strategy.as_ref().filter(|s| *s != "sentence") {
            let message = format!("`sentences_per_chunk` needs the strategy `sentence`, not: {other}");
            return Err(cx.origins.blame(&format!("{key}.strategy"), message));
        }
        if options.overlap.is_some_and(|overlap| overlap.of(u32::MAX) > 0) {
            let message = "`overlap` is 0 where `sentences_per_chunk` is given".to_owned();
            cx.note(&format!("{key}.overlap"), "overlap-ignored", message);
        }
        for name in ["target", "min", "overlap", "strategy"] {
            cx.origins.set(format!("{key}.{name}"), Origin::Derived(own.clone()));
        }
        let count = usize::try_from(sentences).unwrap_or(usize::MAX);
        let strategy = "sentence".to_owned();
        Ok(Self { target: self.max, min: 0, overlap: 0, sentences_per_chunk: Some(count), strategy, ..self })
    }

    fn of(sizes: Sizes) -> Self {
        let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        Self {
            target: size(sizes.target),
            max: size(sizes.max),
            min: size(sizes.min),
            overlap: size(sizes.overlap),
            unit: sizes.unit,
            tokenizer: String::new(),
            strategy: String::new(),
            context: Context::default(),
            sentences_per_chunk: None,
            topic_threshold: TopicThreshold(Threshold::default()),
            by_type: BTreeMap::new(),
        }
    }

    fn sizes(&self) -> Sizes {
        let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Sizes {
            unit: self.unit,
            target: size(self.target),
            max: size(self.max),
            min: size(self.min),
            overlap: size(self.overlap),
        }
    }
}
