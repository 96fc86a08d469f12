//! What becomes of texts when a request has ended.

use std::time::Duration;

use gristmill_core::{EmbedError, Embedded, Error, ErrorKind, Remedy, Result};

use super::batch::{Batch, Size, Text};
use super::reason::Reason;
use super::state::State;

/// Times a request fails before its texts are sent apart: one of them may be what makes the service fail.
const WORN: u32 = 3;

/// Texts refused one by one, before any got a vector, that show that no text is at fault.
const REFUSED: u32 = 8;

impl State {
    /// What became of a request.
    pub(super) fn settle(&mut self, batch: Batch, outcome: Result<Vec<Vec<f32>>, EmbedError>, now: Duration) {
        self.in_flight = self.in_flight.saturating_sub(1);
        match outcome {
            Ok(vectors) if vectors.len() == batch.texts.len() => self.succeed(&batch, vectors),
            Ok(vectors) => {
                let message = format!("`{}` gave {} vectors for {} texts", self.name, vectors.len(), batch.texts.len());
                self.apart(batch, &Error::new(ErrorKind::Remote, message));
            }
            Err(_) if self.ended.is_some() => {}
            Err(EmbedError { partial, error, .. }) if partial.len() == batch.texts.len() => {
                self.partly(batch, partial, &error);
            }
            Err(EmbedError { remedy, error, .. }) => match remedy {
                Remedy::Again(pause) => self.again(batch, pause, &error, now),
                Remedy::Fewer => self.fewer(batch, &error),
                Remedy::Apart => self.apart(batch, &error),
                Remedy::Nothing => self.end(Reason::of(&error)),
            },
        }
    }

    fn succeed(&mut self, batch: &Batch, vectors: Vec<Vec<f32>>) {
        self.pauses.answered();
        self.succeeded += 1;
        for (text, vector) in batch.texts.iter().zip(vectors) {
            self.answer(text, || Ok(vector.clone()));
        }
    }

    /// Some vectors of an answer are right: only the other texts are sent again.
    fn partly(&mut self, mut batch: Batch, vectors: Box<[Option<Vec<f32>>]>, error: &Error) {
        if vectors.iter().all(Option::is_none) {
            return self.apart(batch, error);
        }
        let mut rest = Vec::new();
        let mut right = Vec::new();
        for (text, vector) in std::mem::take(&mut batch.texts).into_iter().zip(vectors) {
            match vector {
                Some(vector) => right.push((text, vector)),
                None => rest.push(text),
            }
        }
        let (texts, vectors) = right.into_iter().unzip();
        self.succeed(&Batch::new(texts), vectors);
        if !rest.is_empty() {
            batch.texts = rest;
            self.again.push_front(batch);
        }
    }

    /// Gives every key that waits for the text its answer.
    fn answer(&mut self, text: &Text, vector: impl Fn() -> Result<Vec<f32>>) {
        for key in self.waiting.remove(&text.text).unwrap_or_default() {
            self.on_way = self.on_way.without(Size::of(text));
            self.came.push(Embedded { key, vector: vector() });
        }
    }

    /// Together they are too much; one alone is at fault itself.
    fn fewer(&mut self, mut batch: Batch, error: &Error) {
        if batch.texts.len() > 1 {
            batch.causes.push(self.bounds.refused(batch.size()));
        } else {
            self.bounds.forget(&batch.causes);
        }
        self.apart(batch, error);
    }

    /// One of them is refused: each half is tried, the first at once; one alone is told why.
    fn apart(&mut self, batch: Batch, error: &Error) {
        self.pauses.answered();
        if batch.texts.len() > 1 {
            return self.halve(batch);
        }
        self.refused += 1;
        if self.succeeded == 0 && self.refused >= REFUSED {
            return self.end(Reason::of(error));
        }
        self.refuse(&batch, error);
    }

    fn halve(&mut self, batch: Batch) {
        let (first, second) = batch.halves();
        self.again.push_front(second);
        self.again.push_front(first);
    }

    fn refuse(&mut self, batch: &Batch, error: &Error) {
        let reason = Reason::of(error);
        batch.texts.iter().for_each(|text| self.answer(text, || Err(reason.error())));
    }

    /// It may pass. It takes turns with fresh texts, which show whether the service answers at all.
    fn again(&mut self, mut batch: Batch, pause: Option<Duration>, error: &Error, now: Duration) {
        if let Some(asked) = pause.filter(|asked| *asked > self.patience.longest_asked) {
            return self.give_up(error, &format!("asks for a pause of {} s", asked.as_secs()));
        }
        self.count(&mut batch, pause);
        if pause.is_some_and(|asked| asked.is_zero()) && batch.tries < self.patience.rounds {
            return self.again.push_front(batch);
        }
        let asked = pause.filter(|asked| !asked.is_zero());
        let rounds = self.pauses.failed(batch.number, self.sent, now, asked);
        let is_new = self.succeeded == 0 && asked.is_none();
        let limit = if is_new { self.patience.first_rounds } else { self.patience.rounds };
        if asked.is_none() && batch.texts.len() == 1 && batch.tries >= limit && self.is_to_blame(&batch) {
            self.pauses.answered();
            self.blamed = Some(self.succeeded);
            self.refuse(&batch, error);
        } else if rounds >= limit {
            self.give_up(error, &format!("failed {rounds} times"));
        } else if asked.is_none() && batch.texts.len() > 1 && batch.tries >= WORN {
            let (first, second) = batch.halves();
            self.later.extend([first, second]);
        } else {
            self.later.push_back(batch);
        }
    }

    fn count(&mut self, batch: &mut Batch, pause: Option<Duration>) {
        if pause.is_none_or(|asked| asked.is_zero()) {
            batch.tries = batch.tries.saturating_add(1);
        }
        let seen = batch.seen.replace(self.succeeded);
        batch.outdone |= seen.is_some_and(|seen| seen < self.succeeded);
    }

    /// True when others got their vectors between its failures, and since a text was last blamed: the service answers,
    /// and fails on this text.
    fn is_to_blame(&self, batch: &Batch) -> bool {
        batch.outdone && self.blamed.is_none_or(|blamed| blamed < self.succeeded)
    }

    fn give_up(&mut self, error: &Error, why: &str) {
        let reason = Reason::of(error).after(&format!("`{}` {why}", self.name));
        self.end(reason);
    }

    fn end(&mut self, reason: Reason) {
        self.ended.get_or_insert(reason);
        self.again.clear();
        self.later.clear();
        self.fresh.clear();
    }
}
