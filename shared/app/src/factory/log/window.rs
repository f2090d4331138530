//! Which entries of a log a reader wants: those after a number, those before one, or the last ones.

use svc_domain::refusal::{FieldErrors, Refusal};

/// Entries of an answer that reads backwards, where no number is asked for.
const USUAL: u64 = 1_000;
/// Most entries of an answer.
const MOST: u64 = 5_000;

/// What a reader asks for; at most one of `after`, `before` and `tail`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Entries with a greater number, from the first of them on.
    pub after: Option<u64>,
    /// Entries with a smaller number, up to the last of them.
    pub before: Option<u64>,
    /// The last entries, as many.
    pub tail: Option<u64>,
    /// Entries at most.
    pub limit: Option<u64>,
}

/// Numbers of entries, both ends included; none where the first is greater than the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether the last entries matter most, where there is no room for all.
    pub(super) backwards: bool,
}

impl Window {
    /// Entries after a number.
    pub fn after(after: u64) -> Self {
        Self { after: Some(after), ..Self::default() }
    }

    /// Refuses what contradicts itself.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let asked = [("after", self.after), ("before", self.before), ("tail", self.tail)];
        let mut asked = asked.iter().filter(|(_, asked)| asked.is_some()).map(|(name, _)| *name);
        match (asked.next(), asked.next()) {
            (Some(first), Some(second)) => {
                let why = format!("Send either {first} or {second}.");
                Err(Refusal::Invalid(FieldErrors::one(second, why)))
            }
            _ => Ok(()),
        }
    }

    /// The entries of a log that has so many.
    pub(super) fn span(&self, kept: u64) -> Span {
        let limit = self.limit.map(|limit| limit.clamp(1, MOST));
        let most = limit.unwrap_or(USUAL);
        let backwards = |end: u64, count: u64| Span {
            from: (end + 1).saturating_sub(count).max(1),
            to: end,
            backwards: true,
        };
        if let Some(tail) = self.tail {
            return backwards(kept, tail.clamp(1, MOST).min(limit.unwrap_or(MOST)));
        }
        if let Some(before) = self.before {
            return backwards(before.saturating_sub(1).min(kept), most);
        }
        let from = self.after.unwrap_or(0).saturating_add(1);
        let to = kept.min(from.saturating_add(limit.unwrap_or(MOST) - 1));
        Span { from, to, backwards: false }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Window};

    fn span(after: Option<u64>, before: Option<u64>, tail: Option<u64>, limit: Option<u64>) -> (u64, u64) {
        let span = Window { after, before, tail, limit }.span(10_000);
        (span.from, span.to)
    }

    #[test]
    fn every_question_names_a_stretch() {
        assert_eq!(span(None, None, None, None), (1, MOST));
        assert_eq!(span(Some(20), None, None, Some(5)), (21, 25));
        assert_eq!(span(Some(9_999), None, None, Some(0)), (10_000, 10_000));
        assert_eq!(span(None, Some(100), None, Some(10)), (90, 99));
        assert_eq!(span(None, Some(5), None, None), (1, 4));
        assert_eq!(span(None, Some(u64::MAX), None, Some(u64::MAX)), (10_001 - MOST, 10_000));
        assert_eq!(span(None, None, Some(3), None), (9_998, 10_000));
        for (from, to) in [
            span(Some(10_000), None, None, None),
            span(Some(u64::MAX), None, None, Some(1)),
            span(None, Some(1), None, None),
            span(None, Some(0), None, None),
        ] {
            assert!(from > to, "{from} {to}");
        }
        let empty = Window { tail: Some(5), ..Window::default() }.span(0);
        assert!(empty.from > empty.to);
    }

    #[test]
    fn one_direction_is_asked_for() {
        assert!(Window { after: Some(1), tail: Some(1), ..Window::default() }.check().is_err());
        assert!(Window { before: Some(1), limit: Some(1), ..Window::default() }.check().is_ok());
    }
}
