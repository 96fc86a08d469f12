//! The text of a settings file.

use std::fmt::Write as _;
use std::path::Path;

use super::{Proposal, ProposedSource};
use crate::config::{Preset, Settings};

/// Writes what was proposed, with reasons as comments.
pub(super) fn text(folder: &Path, proposal: &Proposal, settings: &Settings) -> String {
    let mut out =
        "# Settings of gristmill. `gristmill config schema` lists all keys; `gristmill config show --origins` \
                   shows what holds.\nversion = 1\n"
            .to_owned();
    if let Some(name) = folder.file_name().and_then(|name| name.to_str()) {
        let _ = writeln!(out, "project = {}", quoted(&name.to_lowercase()));
    }
    out.push_str(&preset(proposal, settings));
    for source in &proposal.sources {
        out.push_str(&table(source, proposal.sources.len() > 1));
    }
    if !proposal.unread.is_empty() {
        let kinds = counted(proposal.unread.iter().map(|(kind, count)| (*kind, *count)));
        let _ = writeln!(out, "# not read by this version: {kinds}");
    }
    out
}

fn preset(proposal: &Proposal, settings: &Settings) -> String {
    let chunk = &settings.chunk;
    let sizes = format!("{} tokens aimed at, {} at most, {} repeated", chunk.target, chunk.max, chunk.overlap);
    match (proposal.preset, proposal.guess) {
        (Some(preset), Some(guess)) => {
            let look = if !guess.is_clear() {
                format!("The documents are of several kinds; sizes of {}", kind(preset))
            } else {
                let like = if guess.votes == 1 { "looks" } else { "look" };
                format!("{} of {} documents {like} like {}", guess.votes, guess.of, kind(preset))
            };
            format!("\n# {look}: {sizes}.\npreset = \"{preset}\"\n")
        }
        (Some(preset), None) => format!("\n# Sizes of {}: {sizes}.\npreset = \"{preset}\"\n", kind(preset)),
        (None, _) => {
            let names = Preset::ALL.map(Preset::name).join(", ");
            format!("\n# No preset: {sizes}. Presets are {names}.\n# preset = \"docs\"\n")
        }
    }
}

/// What a preset is for.
pub(super) fn kind(preset: Preset) -> &'static str {
    match preset {
        Preset::Faq => "questions with answers",
        Preset::Docs => "technical documentation",
        Preset::Legal => "contracts and laws",
        Preset::Paper => "scientific papers",
        Preset::Chat => "conversations",
        Preset::Book => "books",
        Preset::Code => "source code",
    }
}

fn table(source: &ProposedSource, named: bool) -> String {
    let kinds = counted(source.documents.iter().map(|(kind, count)| (*kind, *count)));
    let mut out = format!("\n# {} documents: {kinds}\n[[source]]\n", source.count());
    if source.count() == 1 {
        out = out.replacen("documents", "document", 1);
    }
    if named {
        let _ = writeln!(out, "name = {}", quoted(&source.path));
    }
    let _ = writeln!(out, "path = {}", quoted(&source.path));
    if !source.include.is_empty() {
        let globs: Vec<String> = source.include.iter().map(|glob| quoted(glob)).collect();
        let _ = writeln!(out, "include = [{}]", globs.join(", "));
    }
    out
}

/// `12 markdown, 3 text`, the most first.
pub(super) fn counted<'k>(kinds: impl Iterator<Item = (&'k str, u64)>) -> String {
    let mut kinds: Vec<(&str, u64)> = kinds.collect();
    kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
    kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
