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
//! | truncated   | is of the log's tail          | kept, up to 256 KiB; what lies between is counted as left out |
//! | truncated   | is of a tail that no log reaches | refused                                        |

use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// Most entries of a batch.
pub const MAX_BATCH_ENTRIES: usize = 1_000;
/// Most bytes of text of a batch.
pub const MAX_BATCH_BYTES: usize = 1_000_000;
/// What an entry counts beyond its text: number, time and stream.
pub const ENTRY_OVERHEAD: u64 = 40;
/// Bytes of the end of a log that are kept although it is truncated, for each assignment.
const MAX_TAIL_BYTES: u64 = 256 * 1024;
/// Highest number that a tail may begin with: no run says so much.
const MAX_TAIL_SEQ: u64 = 1_000_000_000_000;

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
    /// Number, of this assignment, that comes after the last entry of the tail; none before there is a tail.
    #[serde(default)]
    pub tail: Option<u64>,
    /// Bytes of the tail.
    #[serde(default)]
    pub tail_bytes: u64,
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
    /// Entries before those that are not kept. They are told of in an entry of their own, which comes first.
    pub left_out: u64,
}

impl Default for LogHead {
    fn default() -> Self {
        Self { fence: 1, base: 0, kept: 0, heard: 0, bytes: 0, truncated: false, tail: None, tail_bytes: 0 }
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
        Self { fence, base: self.kept, heard: 0, tail: None, tail_bytes: 0, ..self.clone() }
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
        Ok(Some(Appended { head, skip: known, keep, first_seq: self.kept + 1, left_out: 0 }))
    }

    /// Appends a batch of the end of a truncated log; `None` when all of it is known. Its first may leave a gap, and
    /// begin with entries that were heard of and not kept.
    ///
    /// # Errors
    /// [`Refusal::LogGap`] when entries of the tail are missing before it; [`Refusal::Invalid`] for a number that no
    /// log reaches.
    pub fn append_tail(&self, first_seq: u64, sizes: &[usize]) -> Result<Option<Appended>, Refusal> {
        if first_seq > MAX_TAIL_SEQ {
            return Err(Refusal::invalid("firstSeq", format!("Send a number of at most {MAX_TAIL_SEQ}.")));
        }
        let next = self.tail.unwrap_or(self.kept - self.base + 1);
        if self.tail.is_some() && first_seq > next {
            return Err(Refusal::LogGap { next });
        }
        let known = usize::try_from(next.saturating_sub(first_seq)).unwrap_or(usize::MAX);
        let Some(new) = sizes.get(known..).filter(|new| !new.is_empty()) else { return Ok(None) };
        let left_out = first_seq.saturating_sub(next);
        let last = first_seq.saturating_add(sizes.len() as u64 - 1);
        let mut head = Self { heard: self.heard.max(last), tail: Some(last + 1), ..self.clone() };
        let mut keep = 0;
        for size in new {
            let bytes = head.tail_bytes + *size as u64 + ENTRY_OVERHEAD;
            if bytes > MAX_TAIL_BYTES {
                break;
            }
            head.tail_bytes = bytes;
            keep += 1;
        }
        head.kept += keep as u64 + u64::from(left_out > 0);
        Ok(Some(Appended { head, skip: known, keep, first_seq: self.kept + 1, left_out }))
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
    fn the_end_of_a_truncated_log_is_kept_once_and_tells_what_is_left_out() {
        let capped = LogHead::default().append(1, &[60, 60, 60], 250).unwrap().unwrap().head;
        // The third was heard of and not kept: the tail brings it again.
        let close = capped.append_tail(3, &[60, 5]).unwrap().unwrap();
        assert_eq!((close.skip, close.keep, close.first_seq, close.left_out), (0, 2, 3, 0));
        let far = capped.append_tail(100, &[5, 5]).unwrap().unwrap();
        assert_eq!((far.keep, far.first_seq, far.left_out, far.head.kept), (2, 3, 97, 5));
        assert_eq!(far.head.append_tail(100, &[5, 5]), Ok(None));
        let more = far.head.append_tail(101, &[5, 5]).unwrap().unwrap();
        assert_eq!((more.skip, more.keep, more.first_seq, more.left_out), (1, 1, 6, 0));
        assert_eq!(more.head.append_tail(110, &[5]), Err(Refusal::LogGap { next: 103 }));
        let large = more.head.append_tail(103, &[200_000, 100_000]).unwrap().unwrap();
        assert_eq!((large.keep, large.head.tail), (1, Some(105)), "no more than a tail");
    }

    /// The number after the last one once wrapped to 0.
    #[test]
    fn a_tail_with_numbers_that_no_log_reaches_is_refused() {
        let capped = LogHead::default().append(1, &[60, 60], 150).unwrap().unwrap().head;
        for first in [u64::MAX, u64::MAX - 1, super::MAX_TAIL_SEQ + 1] {
            assert!(matches!(capped.append_tail(first, &[5]), Err(Refusal::Invalid(_))), "{first}");
        }
        let last = capped.append_tail(super::MAX_TAIL_SEQ, &[5, 5]).unwrap().unwrap();
        assert_eq!(last.head.tail, Some(super::MAX_TAIL_SEQ + 2));
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
