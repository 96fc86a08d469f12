//! A file of chunks under the rules, source by source and in parallel.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use gristmill_core::{Error, Result, Sizer};
use gristmill_format::chunk_file::{ChunkFile, Group as Members, Index};
use gristmill_format::findings::{Diff, FIX_SCHEMA, Finding as Told, FixReport, ScanReport, Version};
use gristmill_lint::{
    Change, Corpus, Digest, Edges, Finding, Group, LintCx as RuleCx, Piece, Repaired, Rule, Safety, Texts, TokenLimit,
    check_corpus, part_of, repair,
};
use rayon::prelude::*;

use super::fates::{self, Fate, Fates, of_group};
use super::group::{Checked, scanned};
use super::tell::Teller;
use super::{Fixed, LintCx, Scanned, model, parts, read, rules};

/// Groups whose results are held at a time.
const BATCH: usize = 256;

/// Chunks at whose borders a run looks before it begins.
const SAMPLE: usize = 2_000;

/// Everything a run needs.
struct Run<'a> {
    file: &'a ChunkFile,
    index: Index,
    rules: Vec<&'static Rule>,
    least: Safety,
    cx: &'a LintCx<'a>,
    tokens: Option<(Arc<dyn Sizer>, usize)>,
    /// The splitter kept the white space at its cuts.
    keeps_white: bool,
    /// The splitter repeated text.
    overlaps: bool,
}

pub(super) fn scan(file: &ChunkFile, cx: &LintCx<'_>) -> Result<Scanned> {
    let run = Run::new(file, cx)?;
    let mut seen = Seen { report: run.report(Vec::new()), digests: Vec::new(), faults: Vec::new() };
    run.scan_groups(&mut seen)?;
    let mut told = Vec::new();
    run.compare(&seen.digests, &Fates::new(), &mut told)?;
    seen.take(told, cx.max_findings);
    seen.report.findings.sort_by_key(|finding| finding.index);
    Ok(Scanned { report: seen.report, faults: seen.faults })
}

/// What is found in groups.
struct Seen {
    report: ScanReport,
    digests: Vec<Digest>,
    faults: Vec<String>,
}

impl Seen {
    /// Takes findings, and lets go of the least severe of those that are too many to hold.
    fn take(&mut self, told: Vec<Told>, max: Option<usize>) {
        self.report.add(told);
        if let Some(max) = max.filter(|max| self.report.findings.len() > max.saturating_add(max / 4).max(1_000)) {
            self.report.keep_at_most(max);
        }
    }
}

pub(super) fn fix(file: &ChunkFile, cx: &LintCx<'_>) -> Result<Fixed> {
    let run = Run::new(file, cx)?;
    let (mut mended, digests) = run.repair_groups()?;
    parts::name(file, &run.index, &mut mended.fates)?;
    let mut left = std::mem::take(&mut mended.left);
    run.compare(&digests, &mended.fates, &mut left)?;
    if cx.risky {
        mended.drop_copies(&mut left);
    }
    mended.name_parts(&mut left);
    let removed = mended.fates.values().filter(|fate| matches!(fate, Fate::Gone { into: None })).count() as u64;
    let merged = mended.fates.values().filter(|fate| matches!(fate, Fate::Gone { into: Some(_) })).count() as u64;
    let split = mended.fates.values().filter(|fate| fate.count() > 1).count() as u64;
    let more: usize = mended.fates.values().map(|fate| fate.count().saturating_sub(1)).sum();
    let before = run.index.entries.len() as u64;
    let mut report = FixReport {
        version: FIX_SCHEMA,
        gristmill: env!("CARGO_PKG_VERSION").to_owned(),
        input: file.name().to_owned(),
        chunks_before: before,
        chunks_after: before - removed - merged + more as u64,
        removed,
        merged,
        split,
        fixed: mended.fixed,
        left: run.report(left),
        ..FixReport::default()
    };
    report.left.chunks = report.chunks_after;
    for finding in &report.fixed {
        *report.changes.entry(finding.rule.clone()).or_insert(0) += 1;
    }
    Ok(Fixed { report, fates: mended.fates, faults: mended.faults })
}

/// What repairs made of all groups.
#[derive(Default)]
struct Mended {
    fates: Fates,
    fixed: Vec<Told>,
    left: Vec<Told>,
    faults: Vec<String>,
}

impl Mended {
    fn take(&mut self, other: Self) {
        self.fates.extend(other.fates);
        self.fixed.extend(other.fixed);
        self.left.extend(other.left);
        self.faults.extend(other.faults);
    }

    /// Takes out the later of two equal chunks.
    fn drop_copies(&mut self, left: &mut Vec<Told>) {
        let copies: Vec<Told> =
            left.extract_if(.., |finding| finding.fixable && finding.rule == "exact-duplicate").collect();
        for copy in copies {
            let index = usize::try_from(copy.index).unwrap_or(usize::MAX);
            fates::remove(&mut self.fates, index);
            left.retain(|finding| finding.index != copy.index);
            self.fixed.push(copy);
        }
        self.fixed.sort_by_key(|finding| finding.index);
    }

    /// Findings about parts of a chunk name the part, and the place of the chunk.
    fn name_parts(&mut self, left: &mut [Told]) {
        for told in left.iter_mut().chain(&mut self.fixed) {
            let Some(index) = usize::try_from(told.index).ok().filter(|index| part_of(*index).1 > 0) else { continue };
            told.index = part_of(index).0 as u64;
            if let Some(part) = fates::piece(&self.fates, index) {
                told.chunk_id.clone_from(&part.id);
            }
        }
        self.fixed.sort_by_key(|finding| finding.index);
    }
}

impl<'a> Run<'a> {
    fn new(file: &'a ChunkFile, cx: &'a LintCx<'a>) -> Result<Self> {
        let rules = rules::selected(cx.settings)?;
        let tokens = model::limit(cx.settings, cx.tokenizer)?;
        let least = if cx.risky { Safety::Unsafe } else { Safety::Lossless };
        let mut run =
            Self { file, index: file.index()?, rules, least, cx, tokens, keeps_white: false, overlaps: false };
        let edges = run.edges()?;
        (run.keeps_white, run.overlaps) = (edges.keep_white(), edges.overlap());
        Ok(run)
    }

    /// Looks at the borders of the first chunks: one splitter made them all.
    fn edges(&self) -> Result<Edges> {
        let mut edges = Edges::default();
        let mut seen = 0;
        for members in self.index.groups() {
            if seen >= SAMPLE {
                break;
            }
            let first = members.chunks.iter().take(SAMPLE - seen);
            let pieces: Vec<Piece> = first.map(|chunk| self.piece(*chunk)).collect::<Result<_>>()?;
            seen += pieces.len();
            edges.add(&pieces);
            edges.add_overlap(&pieces);
        }
        Ok(edges)
    }

    fn report(&self, mut told: Vec<Told>) -> ScanReport {
        told.sort_by_key(|finding| finding.index);
        let (chunks, sources) = (self.index.entries.len() as u64, self.index.sources.len() as u64);
        ScanReport::new(env!("CARGO_PKG_VERSION"), self.file.name(), chunks, sources, told)
    }

    /// Does `work` with each group on all threads; `take` gets the results in the order of groups.
    fn each<T: Send>(
        &self,
        work: impl Fn(&Members, &RuleCx<'_>) -> Result<T> + Sync,
        take: &mut dyn FnMut(T),
    ) -> Result<()> {
        let groups = self.index.groups();
        let holds = |text: &str| self.file.can_hold(text);
        let settings = self.cx.settings;
        let tokens = self.tokens.as_ref().map(|(sizer, max)| TokenLimit { sizer: sizer.as_ref(), max: *max });
        let (max_chars, min_chars) = (settings.max_chars, settings.min_chars);
        let cx = RuleCx {
            max_chars,
            min_chars,
            tokens,
            overlaps: self.overlaps,
            keeps_white: self.keeps_white,
            holds: Some(&holds),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.cx.workers.max(1)).build();
        let pool = pool.map_err(|error| Error::bug("no threads").because(error))?;
        for batch in groups.chunks(BATCH) {
            let done: Vec<T> =
                pool.install(|| batch.par_iter().map(|group| work(group, &cx)).collect::<Result<_>>())?;
            done.into_iter().for_each(&mut *take);
        }
        Ok(())
    }

    fn load(&self, members: &Members) -> Result<Group> {
        let pieces = members.chunks.iter().map(|chunk| self.piece(*chunk)).collect::<Result<_>>()?;
        Ok(Group { source: self.source(members.source), pieces })
    }

    fn piece(&self, index: usize) -> Result<Piece> {
        let entry = self.index.entries.get(index).ok_or_else(|| Error::bug(format!("no chunk {index}")))?;
        read::piece(self.file, index, entry)
    }

    fn source(&self, source: Option<usize>) -> Option<String> {
        source.and_then(|source| self.index.sources.get(source)).cloned()
    }

    fn line(&self, index: usize) -> u64 {
        self.index.entries.get(part_of(index).0).map_or(0, |entry| entry.line)
    }

    fn scan_groups(&self, seen: &mut Seen) -> Result<()> {
        let work = |members: &Members, cx: &RuleCx<'_>| {
            let (checked, after) = scanned(self.load(members)?, number(members), &self.rules, cx, self.least);
            let mut told = self.tell_all(&checked.group, &checked.found);
            if let Some(after) = after.as_ref().filter(|_| self.cx.diff) {
                add_diffs(&mut told, &checked.found, &checked.group, after);
            }
            Ok((told, checked.digests, after.map(|after| after.faults).unwrap_or_default()))
        };
        self.each(work, &mut |(told, digests, faults)| {
            seen.take(told, self.cx.max_findings);
            seen.digests.extend(digests);
            seen.faults.extend(faults);
        })?;
        seen.digests.sort_by_key(|digest| digest.index);
        Ok(())
    }

    fn repair_groups(&self) -> Result<(Mended, Vec<Digest>)> {
        let work = |members: &Members, cx: &RuleCx<'_>| {
            let source = number(members);
            let checked = Checked::of(self.load(members)?, source, &self.rules, cx);
            if !checked.found.iter().any(|finding| finding.is_offered(self.least)) {
                let left = self.tell_all(&checked.group, &checked.found);
                return Ok((Mended { left, ..Mended::default() }, checked.digests));
            }
            self.mend(checked, source, cx)
        };
        let (mut mended, mut digests) = (Mended::default(), Vec::new());
        self.each(work, &mut |(part, more)| {
            mended.take(part);
            digests.extend(more);
        })?;
        mended.fixed.sort_by_key(|finding| finding.index);
        digests.sort_by_key(|digest| digest.index);
        Ok((mended, digests))
    }

    fn mend(&self, mut checked: Checked, source: Option<u32>, cx: &RuleCx<'_>) -> Result<(Mended, Vec<Digest>)> {
        let after = repair(checked.group.clone(), &self.rules, cx, self.least);
        after.withdraw(&mut checked.found, &checked.group.pieces, self.least);
        let mut mended = Mended { faults: after.faults.clone(), ..Mended::default() };
        of_group(&checked.group.pieces, after.pieces.clone(), &mut mended.fates);
        let fixed: Vec<Finding> =
            checked.found.iter().filter(|finding| finding.is_offered(self.least)).cloned().collect();
        mended.fixed = self.tell_all(&checked.group, &fixed);
        if self.cx.diff {
            add_diffs(&mut mended.fixed, &fixed, &checked.group, &after);
        }
        let name = checked.group.source;
        let mut group = Group { source: name, pieces: after.pieces };
        let mut left = gristmill_lint::check(&mut group, &self.rules, cx);
        // What can be repaired was.
        left.iter_mut().for_each(|finding| finding.withdraw(self.least));
        mended.left = self.tell_all(&group, &left);
        Ok((mended, gristmill_lint::digest(&group, source)))
    }

    /// Findings of a group as reports show them.
    fn tell_all(&self, group: &Group, found: &[Finding]) -> Vec<Told> {
        let teller = Teller { file: self.file, least: self.least };
        let told = |finding: &Finding| {
            let piece = group.pieces.get(finding.piece)?;
            let names = finding.related.iter().filter_map(|other| group.pieces.get(*other));
            let related = names.map(name).collect();
            Some(teller.told(finding, piece, self.line(piece.index), group.source.as_deref(), related))
        };
        found.iter().filter_map(told).collect()
    }

    /// Adds what the rules find that compare all pieces.
    fn compare(&self, digests: &[Digest], fates: &Fates, told: &mut Vec<Told>) -> Result<()> {
        if !self.rules.iter().any(|rule| matches!(rule.check, gristmill_lint::Check::Corpus(_))) {
            return Ok(());
        }
        let texts = Current { run: self, fates };
        let corpus = Corpus::new(digests, &texts)?;
        let mut found = Vec::new();
        check_corpus(&corpus, &self.rules, &mut found);
        let teller = Teller { file: self.file, least: self.least };
        for finding in found {
            let piece = texts.piece(finding.piece)?;
            let source = self.index.entries.get(part_of(finding.piece).0).and_then(|entry| self.source(entry.source()));
            let labels = finding.related.iter().map(|other| {
                let known = corpus.digest(*other as u64).and_then(|digest| digest.id.as_deref());
                known.map_or_else(|| format!("#{other}"), str::to_owned)
            });
            told.push(teller.told(&finding, &piece, self.line(finding.piece), source.as_deref(), labels.collect()));
        }
        Ok(())
    }
}

/// What people know a chunk by.
fn name(piece: &Piece) -> String {
    piece.id.clone().unwrap_or_else(|| piece.number())
}

/// The number of a group's source.
fn number(members: &Members) -> Option<u32> {
    members.source.and_then(|source| u32::try_from(source).ok())
}

/// Shows the chunks that each repair that is made touches, before and after all repairs.
fn add_diffs(told: &mut [Told], found: &[Finding], before: &Group, after: &Repaired) {
    let mut now: BTreeMap<usize, Vec<&Piece>> = BTreeMap::new();
    for piece in &after.pieces {
        now.entry(part_of(piece.index).0).or_default().push(piece);
    }
    let version = |piece: &Piece| Version {
        id: piece.id.clone(),
        index: part_of(piece.index).0 as u64,
        text: piece.text.clone(),
    };
    for (told, finding) in told.iter_mut().zip(found).filter(|(told, _)| told.fixable) {
        let changes = finding.repair.as_ref().map_or(&[][..], |repair| &repair.changes);
        let mut touched: Vec<usize> = changes.iter().flat_map(Change::pieces).collect();
        touched.sort_unstable();
        touched.dedup();
        let pieces: Vec<&Piece> = touched.iter().filter_map(|at| before.pieces.get(*at)).collect();
        let afterwards = pieces.iter().filter_map(|piece| now.get(&piece.index)).flatten();
        told.diff = Some(Diff {
            after: afterwards.map(|piece| version(piece)).collect(),
            before: pieces.iter().map(|piece| version(piece)).collect(),
        });
    }
}

/// The pieces as they are now.
struct Current<'a> {
    run: &'a Run<'a>,
    fates: &'a Fates,
}

impl Texts for Current<'_> {
    fn piece(&self, index: usize) -> Result<Cow<'_, Piece>> {
        match fates::piece(self.fates, index) {
            Some(piece) => Ok(Cow::Borrowed(piece)),
            None => Ok(Cow::Owned(self.run.piece(index)?)),
        }
    }
}
