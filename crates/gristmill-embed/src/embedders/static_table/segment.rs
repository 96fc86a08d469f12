//! The most likely division of a word into pieces (Viterbi over a unigram model; T. Kudo, "Subword Regularization",
//! 2018).

use super::vocabulary::Vocabulary;

/// What an unknown character costs beyond the least likely piece, the same as in SentencePiece.
const UNKNOWN_PENALTY: f64 = 10.0;

/// A piece of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A row of the table.
    Row(u32),
    /// A character that no piece holds.
    Unknown,
}

#[derive(Clone, Copy)]
struct Best {
    score: f64,
    start: u32,
    piece: Piece,
}

const UNREACHED: Best = Best { score: f64::NEG_INFINITY, start: 0, piece: Piece::Unknown };

/// Divides words; keeps its memory from one to the next.
#[derive(Default)]
pub(super) struct Segmenter {
    best: Vec<Best>,
    pieces: Vec<(Piece, u32)>,
}

impl Segmenter {
    /// The pieces of `word` in order, each with its number of bytes. Of equal divisions the one found first, which is
    /// that with the longest last piece, is taken.
    pub(super) fn pieces(&mut self, vocabulary: &Vocabulary, word: &str) -> &[(Piece, u32)] {
        self.forward(vocabulary, word);
        self.pieces.clear();
        let mut end = word.len();
        while end > 0 {
            let best = self.best[end];
            let start = best.start as usize;
            self.pieces.push((best.piece, (end - start) as u32));
            end = start;
        }
        self.pieces.reverse();
        &self.pieces
    }

    fn forward(&mut self, vocabulary: &Vocabulary, word: &str) {
        let unknown = f64::from(vocabulary.lowest) - UNKNOWN_PENALTY;
        self.best.clear();
        self.best.resize(word.len() + 1, UNREACHED);
        self.best[0].score = 0.0;
        for (start, c) in word.char_indices() {
            let (score, width) = (self.best[start].score, c.len_utf8());
            let mut known = false;
            vocabulary.trie.prefixes(&word.as_bytes()[start..], |len, row| {
                known |= len == width;
                let score = score + f64::from(vocabulary.scores[row as usize]);
                self.offer(start + len, Best { score, start: start as u32, piece: Piece::Row(row) });
            });
            if !known {
                let best = Best { score: score + unknown, start: start as u32, piece: Piece::Unknown };
                self.offer(start + width, best);
            }
        }
    }

    fn offer(&mut self, end: usize, new: Best) {
        if new.score > self.best[end].score {
            self.best[end] = new;
        }
    }
}
