//! How often a message is tried, and when.

use std::time::Duration;

/// How often a message is tried, and after which delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retries {
    /// Attempts before the message is given up.
    pub(crate) attempts: u32,
    /// Delay after the first failure; it doubles with each.
    pub(crate) first: Duration,
    /// Longest delay.
    pub(crate) longest: Duration,
}

impl Retries {
    /// About two hours of attempts.
    pub(crate) const USUAL: Self =
        Self { attempts: 15, first: Duration::from_secs(2), longest: Duration::from_mins(15) };
    /// About a week of attempts, for kinds that only newer workers know.
    pub(crate) const UNKNOWN: Self = Self { attempts: 680, ..Self::USUAL };
    /// Of messages that find too many before them: they never give up.
    pub(crate) const TURNS: Self =
        Self { attempts: u32::MAX, first: Duration::from_secs(1), longest: Duration::from_mins(2) };

    /// How long to wait after so many failures.
    pub(crate) fn delay(self, failures: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(failures.saturating_sub(1));
        self.first.saturating_mul(doubled).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::Retries;
    use std::time::Duration;

    #[test]
    fn delays_double_and_end() {
        let delays: Vec<u64> =
            [1, 2, 3, 9, 10, 40].map(|failures| Retries::USUAL.delay(failures).as_secs()).into();
        assert_eq!(delays, [2, 4, 8, 512, 900, 900]);
        assert_eq!(Retries::USUAL.delay(u32::MAX), Duration::from_secs(900));
    }
}
