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
    /// What is known now, or else what was known before.
    #[must_use]
    pub fn or(self, before: Self) -> Self {
        Self { tokens: self.tokens.or(before.tokens), cost: self.cost.or(before.cost) }
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
