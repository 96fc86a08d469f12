//! The figures of a question: what was found of its evidence, at which rank, among how much else.
//!
//! E is the evidence, S(c) the places of a chunk in its source, U the union of S over the hits looked at, |X| a number of
//! characters. Where hits are looked at by number (`@5`), the length of a chunk is the characters of the text that is
//! embedded; where they are looked at by budget (`@2048`), its tokens.

use std::fmt;
use std::str::FromStr;

/// A figure of one question; the mean over questions is a figure of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Figure {
    /// Share of the first k hits that are relevant.
    Precision(usize),
    /// The greatest precision that any ranking of these chunks has.
    BestPrecision(usize),
    /// Share of the relevant chunks that are among the first k hits.
    Recall(usize),
    /// The greatest recall that any ranking of these chunks has.
    BestRecall(usize),
    /// One by the rank of the first relevant hit.
    Mrr,
    /// |E ∩ U| / |E| of the first k hits.
    EvidenceRecall(usize),
    /// |E ∩ U| / Σ length of the first k hits.
    TokenPrecision(usize),
    /// |E ∩ U| / (Σ length + |E \ U|) of the first k hits.
    Iou(usize),
    /// |E ∩ V| / |E ∪ V|, V all chunks that touch the evidence.
    PrecisionOmega,
    /// |E ∩ U| / |E| of the hits that fit into so many tokens, by rank.
    RecallWithin(u64),
    /// Discounted marginal new evidence, by that of the best order.
    Ndcg(usize),
}

/// The figures of a report, in its order.
pub const FIGURES: &[Figure] = &[
    Figure::RecallWithin(512),
    Figure::RecallWithin(1024),
    Figure::RecallWithin(2048),
    Figure::RecallWithin(4096),
    Figure::Precision(5),
    Figure::BestPrecision(5),
    Figure::Recall(10),
    Figure::BestRecall(10),
    Figure::Mrr,
    Figure::Ndcg(10),
    Figure::EvidenceRecall(5),
    Figure::TokenPrecision(5),
    Figure::Iou(5),
    Figure::PrecisionOmega,
];

/// Settings are compared by this.
pub const RANKED_BY: Figure = Figure::RecallWithin(2048);

/// `recall@N` means hits up to here and tokens beyond.
const MOST_HITS: u64 = 100;

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precision(k) => write!(f, "precision@{k}"),
            Self::BestPrecision(k) => write!(f, "best-precision@{k}"),
            Self::Recall(k) => write!(f, "recall@{k}"),
            Self::BestRecall(k) => write!(f, "best-recall@{k}"),
            Self::Mrr => f.write_str("mrr"),
            Self::EvidenceRecall(k) => write!(f, "evidence-recall@{k}"),
            Self::TokenPrecision(k) => write!(f, "token-precision@{k}"),
            Self::Iou(k) => write!(f, "iou@{k}"),
            Self::PrecisionOmega => f.write_str("precision-omega"),
            Self::RecallWithin(budget) => write!(f, "recall@{budget}"),
            Self::Ndcg(k) => write!(f, "ndcg@{k}"),
        }
    }
}

impl FromStr for Figure {
    type Err = String;

    /// Reads the name of a figure; `recall@N` is of hits up to 100 and of tokens beyond.
    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("unknown figure: `{text}`");
        let (name, number) = text.split_once('@').map_or((text, None), |(name, number)| (name, Some(number)));
        let number =
            number.map(|number| number.parse::<u64>().ok().filter(|n| *n > 0).ok_or_else(unknown)).transpose()?;
        let Some(number) = number else {
            return match name {
                "mrr" => Ok(Self::Mrr),
                "precision-omega" => Ok(Self::PrecisionOmega),
                _ => Err(unknown()),
            };
        };
        if name == "recall" && number > MOST_HITS {
            return Ok(Self::RecallWithin(number));
        }
        let k = usize::try_from(number).ok().filter(|_| number <= MOST_HITS).ok_or_else(unknown)?;
        match name {
            "precision" => Ok(Self::Precision(k)),
            "best-precision" => Ok(Self::BestPrecision(k)),
            "recall" => Ok(Self::Recall(k)),
            "best-recall" => Ok(Self::BestRecall(k)),
            "evidence-recall" => Ok(Self::EvidenceRecall(k)),
            "token-precision" => Ok(Self::TokenPrecision(k)),
            "iou" => Ok(Self::Iou(k)),
            "ndcg" => Ok(Self::Ndcg(k)),
            _ => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for figure in FIGURES {
            assert_eq!(figure.to_string().parse(), Ok(*figure));
        }
        assert_eq!("recall@100".parse(), Ok(Figure::Recall(100)));
        assert_eq!("recall@101".parse(), Ok(Figure::RecallWithin(101)));
        for wrong in ["recall", "recall@0", "recall@-1", "recal@5", "mrr@3", "precision@2048", ""] {
            assert!(wrong.parse::<Figure>().is_err(), "{wrong}");
        }
    }
}
