//! When a service is to be left alone.

use std::time::Duration;

/// How long a service that does not answer is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Times that nothing but failures came, one after another, before it ends.
    pub rounds: u32,
    /// The same before anything ever came, where the service itself asks for no pause: it may not be there at all.
    pub first_rounds: u32,
    /// The first pause; each is twice the one before.
    pub pause: Duration,
    /// The longest such pause.
    pub longest: Duration,
    /// A service that asks for a longer pause than this is not waited for.
    pub longest_asked: Duration,
    /// Makes pauses differ between runs: each is made shorter or longer by up to a quarter.
    pub seed: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            rounds: 10,
            first_rounds: 5,
            pause: Duration::from_millis(500),
            longest: Duration::from_secs(60),
            longest_asked: Duration::from_secs(600),
            seed: 0,
        }
    }
}

/// The pause that all keep. Requests that are on their way together and fail together are one round.
#[derive(Debug)]
pub(super) struct Pauses {
    patience: Patience,
    until: Duration,
    rounds: u32,
    /// Requests of this number or above were sent after the present pause.
    since: u64,
    drawn: u64,
}

impl Pauses {
    pub fn new(patience: Patience) -> Self {
        Self { patience, until: Duration::ZERO, rounds: 0, since: 0, drawn: 0 }
    }

    /// Time that is left of the pause.
    pub fn left(&self, now: Duration) -> Option<Duration> {
        self.until.checked_sub(now).filter(|left| !left.is_zero())
    }

    /// Request `number` of `sent` failed. `asked` is the pause the service asks for. Gives the rounds that failed.
    pub fn failed(&mut self, number: u64, sent: u64, now: Duration, asked: Option<Duration>) -> u32 {
        if number >= self.since {
            self.rounds = self.rounds.saturating_add(1);
            self.since = sent;
            if asked.is_none() {
                self.until = self.until.max(now.saturating_add(self.growing()));
            }
        }
        if let Some(asked) = asked {
            self.until = self.until.max(now.saturating_add(asked));
        }
        self.rounds
    }

    /// The service answers.
    pub fn answered(&mut self) {
        self.rounds = 0;
    }

    fn growing(&mut self) -> Duration {
        let doubled = self.patience.pause.saturating_mul(1u32.checked_shl(self.rounds - 1).unwrap_or(u32::MAX));
        let pause = doubled.min(self.patience.longest);
        self.drawn += 1;
        let draw = draw(self.patience.seed, self.drawn);
        (pause / 4 * 3).saturating_add((pause / 2).mul_f64(draw))
    }
}

/// A number from 0 to below 1: SplitMix64 (Steele, Lea and Flood, 2014).
fn draw(seed: u64, turn: u64) -> f64 {
    let mut z = seed.wrapping_add(turn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn pauses_grow_to_the_longest_within_a_quarter() {
        let mut now = Duration::ZERO;
        let patience = Patience { pause: SECOND, ..Patience::default() };
        let mut pauses = Pauses::new(patience);
        for (number, about) in [1, 2, 4, 8, 16, 32, 60, 60].into_iter().enumerate() {
            pauses.failed(number as u64, number as u64 + 1, now, None);
            let left = pauses.left(now).unwrap();
            assert!(left >= SECOND * about * 3 / 4 && left <= SECOND * about * 5 / 4, "{left:?} {about}");
            now += left;
            assert_eq!(pauses.left(now), None);
        }
    }

    #[test]
    fn a_pause_asked_for_is_kept_whole_and_never_shortened() {
        let mut pauses = Pauses::new(Patience::default());
        pauses.failed(0, 1, SECOND, Some(SECOND * 30));
        pauses.failed(1, 2, SECOND * 2, Some(SECOND * 5));
        pauses.failed(2, 3, SECOND * 2, None);
        assert_eq!(pauses.left(SECOND * 3), Some(SECOND * 28));
    }

    #[test]
    fn what_fails_together_is_one_round() {
        let mut pauses = Pauses::new(Patience::default());
        let rounds: Vec<_> = (0..4).map(|number| pauses.failed(number, 4, SECOND, None)).collect();
        assert_eq!(rounds, [1, 1, 1, 1]);
        assert_eq!(pauses.failed(4, 5, SECOND * 4, None), 2);
        pauses.answered();
        assert_eq!(pauses.failed(5, 6, SECOND * 9, None), 1);
    }

    #[test]
    fn any_duration_is_borne() {
        let long = Duration::MAX;
        let patience = Patience { pause: long, longest: long, ..Patience::default() };
        let mut pauses = Pauses::new(patience);
        for number in 0..100 {
            pauses.failed(number, number + 1, SECOND, None);
            pauses.failed(number, number + 1, SECOND, Some(long));
        }
        assert!(pauses.left(SECOND).is_some());
    }
}
