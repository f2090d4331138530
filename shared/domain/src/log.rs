//! The head of a run's log: what has been appended, under a cap (specification sections 2.6 and 8).
//!
//! Holds no entry: an adapter keeps batches under their first sequence number, and this machine decides
//! which part of a batch is new.
//!
//! Each assignment of a run numbers its entries from 1; the log numbers them on where the assignment before
//! ended, so that a run given back and taken again has one log without gaps.
//!
//! | head        | batch                         | result                                            |
//! |-------------|-------------------------------|---------------------------------------------------|
//! | any         | begins after the next entry   | refused with the number that comes next           |
//! | any         | ends before the next entry    | nothing to do: it was repeated                    |
//! | open        | brings new entries, all fit   | they are appended                                 |
//! | open        | brings more than fits         | what fits is appended, and the log is truncated   |
//! | truncated   | brings new entries            | counted, not kept; the run goes on                |

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// Most entries of a batch.
pub const MAX_BATCH_ENTRIES: usize = 1_000;
/// Most bytes of text of a batch.
pub const MAX_BATCH_BYTES: usize = 1_000_000;
/// What an entry counts beyond its text: number, time and stream.
const ENTRY_OVERHEAD: u64 = 40;

/// The head of a log. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogHead {
    /// Number of the assignment that appends.
    pub fence: u64,
    /// Entries kept before that assignment.
    pub base: u64,
    /// Entries kept.
    pub kept: u64,
    /// Entries heard of from this assignment, kept or not.
    pub heard: u64,
    /// Bytes kept.
    pub bytes: u64,
    /// Whether something was not kept because the log had reached its cap.
    pub truncated: bool,
}

/// What a batch adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The head after it.
    pub head: LogHead,
    /// Entries of the batch to leave out because they are known.
    pub skip: usize,
    /// Entries after those to keep.
    pub keep: usize,
    /// Number, in the log, of the first entry kept.
    pub first_seq: u64,
}

impl Default for LogHead {
    fn default() -> Self {
        Self { fence: 1, base: 0, kept: 0, heard: 0, bytes: 0, truncated: false }
    }
}

impl LogHead {
    /// The number, of this assignment, that the next batch begins with.
    pub const fn next_seq(&self) -> u64 {
        self.heard + 1
    }

    /// The head as an assignment finds it: one that appended before goes on, a new one begins at 1.
    #[must_use]
    pub fn for_assignment(&self, fence: u64) -> Self {
        if self.fence == fence {
            return self.clone();
        }
        Self { fence, base: self.kept, heard: 0, ..self.clone() }
    }

    /// Appends a batch whose entries have texts of these sizes; `None` when all of it is known.
    ///
    /// # Errors
    /// [`Refusal::LogGap`] when entries are missing before it.
    pub fn append(
        &self,
        first_seq: u64,
        sizes: &[usize],
        max_bytes: u64,
    ) -> Result<Option<Appended>, Refusal> {
        if first_seq > self.next_seq() {
            return Err(Refusal::LogGap { next: self.next_seq() });
        }
        let known = usize::try_from(self.next_seq() - first_seq).unwrap_or(usize::MAX);
        let Some(new) = sizes.get(known..).filter(|new| !new.is_empty()) else { return Ok(None) };

        let mut head = Self { heard: self.heard + new.len() as u64, ..self.clone() };
        let mut keep = 0;
        for size in new {
            let bytes = head.bytes + *size as u64 + ENTRY_OVERHEAD;
            if head.truncated || bytes > max_bytes {
                head.truncated = true;
                break;
            }
            head.bytes = bytes;
            keep += 1;
        }
        head.kept += keep as u64;
        Ok(Some(Appended { head, skip: known, keep, first_seq: self.kept + 1 }))
    }
}

#[cfg(test)]
mod tests {
    use super::LogHead;
    use crate::refusal::Refusal;
    use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

    const ROOM: u64 = 1 << 20;

    #[test]
    fn batches_follow_each_other() {
        let first = LogHead::default().append(1, &[5, 5], ROOM).unwrap().unwrap();
        assert_eq!((first.skip, first.keep, first.first_seq), (0, 2, 1));
        let second = first.head.append(3, &[5], ROOM).unwrap().unwrap();
        assert_eq!((second.skip, second.keep, second.first_seq), (0, 1, 3));
        assert_eq!(second.head.next_seq(), 4);
    }

    #[test]
    fn a_repeated_batch_adds_nothing_and_an_overlapping_one_its_end() {
        let head = LogHead::default().append(1, &[5, 5], ROOM).unwrap().unwrap().head;
        assert_eq!(head.append(1, &[5, 5], ROOM), Ok(None));
        let overlapping = head.append(2, &[5, 5, 5], ROOM).unwrap().unwrap();
        assert_eq!((overlapping.skip, overlapping.keep, overlapping.first_seq), (1, 2, 3));
    }

    #[test]
    fn a_gap_is_refused_with_what_comes_next() {
        let head = LogHead::default().append(1, &[5], ROOM).unwrap().unwrap().head;
        assert_eq!(head.append(3, &[5], ROOM), Err(Refusal::LogGap { next: 2 }));
    }

    #[test]
    fn past_the_cap_the_log_is_truncated_and_the_run_goes_on() {
        let capped = LogHead::default().append(1, &[60, 60, 60], 250).unwrap().unwrap();
        assert_eq!((capped.keep, capped.head.truncated, capped.head.next_seq()), (2, true, 4));
        let later = capped.head.append(4, &[1], 250).unwrap().unwrap();
        assert_eq!((later.keep, later.head.truncated, later.head.next_seq()), (0, true, 5));
        assert_eq!(later.head.bytes, capped.head.bytes);
    }

    #[test]
    fn another_assignment_numbers_from_one_and_the_log_goes_on() {
        let first = LogHead::default().append(1, &[5, 5], ROOM).unwrap().unwrap().head;
        let again = first.for_assignment(2);
        let second = again.append(1, &[5], ROOM).unwrap().unwrap();
        assert_eq!((second.keep, second.first_seq), (1, 3));
        assert_eq!(second.head.for_assignment(2), second.head);
    }

    proptest! {
        /// Whatever is repeated, cut and sent again, every entry is kept once and in order.
        #[test]
        fn every_entry_is_kept_once(
            batches in proptest::collection::vec((0u64..6, 1usize..5), 1..40),
            cap in (0u64..4_000).prop_map(|n| n + 100),
            sizes in proptest::collection::vec(0usize..50, 200),
            fence_change in any::<proptest::sample::Index>(),
        ) {
            let mut head = LogHead::default();
            let mut kept = 0u64;
            let change = fence_change.index(batches.len());
            for (n, (back, length)) in batches.into_iter().enumerate() {
                if n == change {
                    head = head.for_assignment(head.fence + 1);
                }
                let first = head.next_seq().saturating_sub(back).max(1);
                let Ok(Some(appended)) = head.append(first, &sizes[..length], cap) else { continue };
                prop_assert_eq!(first + appended.skip as u64, head.next_seq());
                prop_assert_eq!(appended.first_seq, kept + 1);
                kept += appended.keep as u64;
                head = appended.head;
                prop_assert_eq!(head.kept, kept);
                prop_assert!(head.bytes <= cap);
            }
        }
    }
}
