//! Topics: cuts where neighbouring sentences are least alike. What is larger than a chunk is cut again where its sentences
//! are least alike, and what is smaller than the least size joins the more similar of its neighbours.

mod threshold;
mod topics;

use gristmill_core::{Chunk, ChunkCx, Chunker, Document, Error, Measured, Outcome, Result, Similarity};

use self::threshold::least;
use self::topics::Topics;
use crate::apart::apart;
use crate::blocks::{Grain, borders};
use crate::border::{Border, Level};
use crate::cut::{Packing, cut};

/// Cuts between topics.
pub struct Semantic;

impl Chunker for Semantic {
    fn chunk(&self, document: &Document, cx: &ChunkCx<'_>) -> Result<Outcome<Vec<Chunk>>> {
        let measured = cx.sizer.measure(&document.text);
        let all = borders(document, cx.sizer, measured.as_ref(), Grain { sentences_from: 0, max: cx.limits.max });
        let starts: Vec<u32> = all.list.iter().enumerate().filter(ends_thought).map(|(_, border)| border.at).collect();
        let texts = texts(&document.text, &starts, measured.as_ref(), cx.limits.max);
        let alike = alike(cx.similarity, &texts)?;
        let topics = Topics { starts: &starts, alike: &alike, measured: measured.as_ref(), end: document.text.len() };
        let found = topics.find(least(cx.threshold, &alike), &cx.limits);
        let borders = apart(all, &found, measured.as_ref(), document.text.len(), cx.limits.max);
        Ok(cut(document, cx, measured.as_ref(), &borders, Packing::Cheapest))
    }
}

fn alike(similarity: Option<&dyn Similarity>, texts: &[&str]) -> Result<Vec<f32>> {
    if texts.len() < 2 {
        return Ok(Vec::new());
    }
    let similarity = similarity.ok_or_else(|| Error::bug("the strategy `semantic` was given nothing that compares"))?;
    let alike = similarity.neighbours(texts)?;
    if alike.len() + 1 != texts.len() {
        let message = format!("{} similarities for {} neighbours", alike.len(), texts.len() - 1);
        return Err(Error::bug(message));
    }
    Ok(alike)
}

/// True where one sentence, paragraph or list item ends and the next begins. Tables, code and what introduces something
/// stay whole.
fn ends_thought((index, border): &(usize, &Border)) -> bool {
    let between =
        matches!(border.level, Level::Heading(_) | Level::Block | Level::Turn | Level::Inner | Level::Item(_));
    *index == 0 || between || border.level == Level::Sentence
}

/// The texts from each start to the next, none larger than `max`.
fn texts<'t>(text: &'t str, starts: &[u32], measured: &dyn Measured, max: usize) -> Vec<&'t str> {
    let end = |index: usize| starts.get(index + 1).map_or(text.len(), |next| *next as usize);
    let one = |(index, start): (usize, &u32)| {
        let start = *start as usize;
        let whole = start..start + text[start..end(index)].trim_end().len();
        let reach = if measured.size(whole.clone()) > max { measured.reach(start, max) } else { whole.end };
        &text[start..text.floor_char_boundary(reach.min(whole.end))]
    };
    starts.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests;
