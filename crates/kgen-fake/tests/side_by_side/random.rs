//! A source of random decisions.

/// Decisions that are equal for equal seeds.
pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns whether something with a probability in percent happens.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.0.u32(..100) < percent
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }
}
