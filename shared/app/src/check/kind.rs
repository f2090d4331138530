//! A kind of row, and who checks it.

use super::context::Check;

/// A kind of row, named as the table of all rows names it.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) pk: &'static str,
    pub(super) sk: &'static str,
    pub(super) check: Check,
}

impl Kind {
    pub(super) const fn new(pk: &'static str, sk: &'static str, check: Check) -> Self {
        Self { pk, sk, check }
    }

    /// Its name in reports.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.pk, self.sk)
    }
}
