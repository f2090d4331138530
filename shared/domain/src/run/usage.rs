//! What a run uses: tokens and US dollars.

use serde::{Deserialize, Serialize};

/// More tokens than any run uses: with larger numbers, sums would mean nothing.
const MOST_TOKENS: u64 = 1_000_000_000_000_000;
/// More US dollars than any run costs.
const MOST_COST: f64 = 1e9;

/// Tokens that a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Sent to the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from the provider's cache.
    pub cache_read: u64,
    /// Written to the provider's cache.
    pub cache_write: u64,
}

impl Tokens {
    /// The larger of each count.
    fn at_least(self, before: Self) -> Self {
        Self {
            input: self.input.max(before.input),
            output: self.output.max(before.output),
            cache_read: self.cache_read.max(before.cache_read),
            cache_write: self.cache_write.max(before.cache_write),
        }
    }
}

/// What a run has used so far, as far as its runner knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsedSoFar {
    /// Tokens.
    #[serde(default)]
    pub tokens: Option<Tokens>,
    /// US dollars.
    #[serde(default)]
    pub cost: Option<f64>,
}

impl UsedSoFar {
    /// The larger of what is said now and what was said before: what was used once stays used.
    #[must_use]
    pub fn at_least(self, before: Self) -> Self {
        let tokens = match (self.tokens, before.tokens) {
            (Some(now), Some(before)) => Some(now.at_least(before)),
            (now, before) => now.or(before),
        };
        let cost = match (self.cost, before.cost) {
            (Some(now), Some(before)) => Some(now.max(before)),
            (now, before) => now.or(before),
        };
        Self { tokens, cost }
    }

    /// The same without what no run uses.
    #[must_use]
    pub fn checked(self) -> Self {
        let counts = |tokens: &Tokens| [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write];
        Self {
            tokens: self.tokens.filter(|tokens| counts(tokens).iter().all(|count| *count <= MOST_TOKENS)),
            cost: self.cost.filter(|cost| (0.0..=MOST_COST).contains(cost)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_once_stays_used() {
        let tokens = |input, output| Some(Tokens { input, output, ..Tokens::default() });
        let before = UsedSoFar { tokens: tokens(10, 5), cost: Some(0.5) };
        let said = |tokens, cost| UsedSoFar { tokens, cost }.at_least(before);
        assert_eq!(said(None, None), before);
        assert_eq!(said(tokens(7, 9), Some(0.1)), UsedSoFar { tokens: tokens(10, 9), cost: Some(0.5) });
        assert_eq!(said(tokens(20, 9), Some(1.5)), UsedSoFar { tokens: tokens(20, 9), cost: Some(1.5) });
        assert_eq!(before.at_least(UsedSoFar::default()), before);
    }
}
