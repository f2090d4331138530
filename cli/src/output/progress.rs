//! How far something has come that takes a while: one line on a terminal, which goes away at the end, and nothing elsewhere.

use std::io::{self, Write as _};

use super::Output;

/// Something that comes on step by step.
pub(crate) struct Progress {
    is_shown: bool,
    what: String,
    total: u64,
    done: u64,
    /// What stands on the screen.
    percent: Option<u64>,
}

impl Progress {
    /// The beginning of `what`, which is done after `total` steps.
    pub(crate) fn new(what: impl Into<String>, total: u64, output: &Output) -> Self {
        Self { is_shown: output.is_watched(), what: what.into(), total, done: 0, percent: None }
    }

    /// So many more steps are done.
    pub(crate) fn advance(&mut self, steps: u64) {
        self.done += steps;
        let percent = percent(self.done, self.total);
        if self.is_shown && self.percent != Some(percent) {
            self.percent = Some(percent);
            let mut stderr = io::stderr();
            let _ = write!(stderr, "\r{} {percent} %\x1b[K", self.what).and_then(|()| stderr.flush());
        }
    }
}

/// The part that is done. What is sent again is not more than all.
fn percent(done: u64, total: u64) -> u64 {
    done.min(total).saturating_mul(100).checked_div(total).unwrap_or(100)
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.percent.is_some() {
            let mut stderr = io::stderr();
            let _ = write!(stderr, "\r\x1b[K").and_then(|()| stderr.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_part_is_told_in_percent() {
        for (done, total, told) in [(0, 10, 0), (5, 10, 50), (12, 10, 100), (0, 0, 100), (1, 3, 33)] {
            assert_eq!(percent(done, total), told);
        }
    }
}
