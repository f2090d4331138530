//! When to say that a harness is silent. Pure.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(5 * 60);

/// Remembers what was said, so that each silence is mentioned after 5 minutes, then after 10, 20, 40.
#[derive(Debug)]
pub(super) struct Idle {
    next: Duration,
}

impl Default for Idle {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl Idle {
    /// Takes in how long nothing was printed; answers the minutes when it is time to say so.
    pub(super) fn notice(&mut self, silent: Duration) -> Option<u64> {
        if silent < FIRST {
            self.next = FIRST;
            return None;
        }
        if silent < self.next {
            return None;
        }
        self.next *= 2;
        Some(silent.as_secs() / 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_silence_is_mentioned_ever_less_often() {
        let mut idle = Idle::default();
        let mut said = Vec::new();
        for minute in 0..45 {
            said.extend(idle.notice(Duration::from_secs(minute * 60)));
        }
        assert_eq!(said, [5, 10, 20, 40]);
        assert_eq!(idle.notice(Duration::from_secs(1)), None, "it printed something");
        assert_eq!(idle.notice(FIRST), Some(5));
    }
}
