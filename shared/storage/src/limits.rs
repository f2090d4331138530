//! The limits of the table port, and the two questions every adapter asks of a commit before it does
//! anything: is it within them, and which commit is it.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::{Commit, Condition, Key, Op, OpKind, StorageError};

/// The limits of the port. Every adapter refuses what exceeds them with [`StorageError::TooLarge`], so that
/// what works embedded works in the cloud.
pub struct Limits;

impl Limits {
    /// Operations in one commit.
    pub const OPS: usize = 100;
    /// Bytes of all rows of one commit together.
    pub const COMMIT_BYTES: usize = 4 * 1024 * 1024;
    /// Bytes of one row: key, document and [`Limits::ROW_OVERHEAD`].
    pub const ROW_BYTES: usize = 400 * 1024;
    /// What a row is taken to need beside its key and its document: the engine's own fields and some tens of
    /// counters. A fixed allowance, so that whether a row fits does not depend on what was counted in it.
    pub const ROW_OVERHEAD: usize = 1024;
    /// Keys in one [`Table::get_many`](crate::Table::get_many).
    pub const KEYS: usize = 100;
    /// Bytes of a sort key.
    pub const SK_BYTES: usize = 1024;
    /// Bytes of a partition key.
    pub const PK_BYTES: usize = 2048;
    /// Bytes of rows on one page of a query, give or take the last row.
    pub const PAGE_BYTES: usize = 1024 * 1024;
}

/// The size of what one operation writes, as the limits count it.
fn size(op: &Op) -> usize {
    let written = match &op.kind {
        OpKind::Put { doc, .. } => doc.len(),
        OpKind::Add { field, .. } => field.len(),
        OpKind::Check | OpKind::Delete => 0,
    };
    op.key.pk.len() + op.key.sk.len() + written + Limits::ROW_OVERHEAD
}

const fn within(what: &'static str, size: usize, limit: usize) -> Result<(), StorageError> {
    if size > limit { Err(StorageError::TooLarge { what, size, limit }) } else { Ok(()) }
}

impl Key {
    /// Refuses a key that is longer than the port allows.
    ///
    /// # Errors
    /// [`StorageError::TooLarge`].
    pub fn check_limits(&self) -> Result<(), StorageError> {
        within("key", self.pk.len(), Limits::PK_BYTES)?;
        within("key", self.sk.len(), Limits::SK_BYTES)
    }
}

impl Commit {
    /// Refuses what exceeds the limits of the port; the adapters' first step.
    ///
    /// # Errors
    /// [`StorageError::TooLarge`].
    ///
    /// # Panics
    /// When two operations name one row or a part of a key is empty: commits are put together by code, never
    /// by what a person typed.
    pub fn check_limits(&self) -> Result<(), StorageError> {
        within("operations", self.ops.len(), Limits::OPS)?;
        let mut names = HashSet::with_capacity(self.ops.len());
        let mut total = 0;
        for op in &self.ops {
            assert!(!op.key.pk.is_empty() && !op.key.sk.is_empty(), "a key has an empty part: {:?}", op.key);
            assert!(names.insert(&op.key), "two operations of a commit name one row: {:?}", op.key);
            op.key.check_limits()?;
            let size = size(op);
            within("row", size, Limits::ROW_BYTES)?;
            total += size;
        }
        within("commit", total, Limits::COMMIT_BYTES)
    }

    /// What an adapter remembers a commit by: a digest of its token and its operations; `None` without a
    /// token.
    pub fn identity(&self) -> Option<[u8; 32]> {
        let token = self.token.as_deref()?;
        let mut digest = Sha256::new();
        let mut part = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        part(token.as_bytes());
        for op in &self.ops {
            part(op.key.pk.as_bytes());
            part(op.key.sk.as_bytes());
            part(&condition_bytes(op.condition));
            match &op.kind {
                OpKind::Check => part(b"check"),
                OpKind::Delete => part(b"delete"),
                OpKind::Put { step, doc, ttl } => {
                    part(b"put");
                    if *step != 1 {
                        part(&step.to_le_bytes());
                    }
                    part(doc.as_bytes());
                    part(ttl.map(i64::to_le_bytes).as_ref().map_or(&[][..], |bytes| &bytes[..]));
                }
                OpKind::Add { field, amount } => {
                    part(b"add");
                    part(field.as_bytes());
                    part(&amount.to_le_bytes());
                }
            }
        }
        Some(digest.finalize().into())
    }
}

fn condition_bytes(condition: Condition) -> [u8; 9] {
    let (kind, version) = match condition {
        Condition::Absent => (0, 0),
        Condition::Present => (1, 0),
        Condition::Version(version) => (2, version),
        Condition::None => (3, 0),
    };
    let mut bytes = [kind; 9];
    bytes[1..].copy_from_slice(&version.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(sk: &str, doc: &str) -> Op {
        Op {
            key: Key::new("p", sk),
            condition: Condition::None,
            kind: OpKind::Put { step: 1, doc: doc.to_owned(), ttl: None },
        }
    }

    fn what(commit: &Commit) -> Option<&'static str> {
        match commit.check_limits() {
            Ok(()) => None,
            Err(StorageError::TooLarge { what, .. }) => Some(what),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn each_limit_is_met_exactly_and_not_exceeded() {
        let commit = |ops| Commit { ops, token: None };
        let many = |n: usize| commit((0..n).map(|n| put(&format!("{n:03}"), "0")).collect());
        assert_eq!(what(&many(Limits::OPS)), None);
        assert_eq!(what(&many(Limits::OPS + 1)), Some("operations"));

        let room = Limits::ROW_BYTES - Limits::ROW_OVERHEAD - 2;
        assert_eq!(what(&commit(vec![put("s", &"x".repeat(room))])), None);
        assert_eq!(what(&commit(vec![put("s", &"x".repeat(room + 1))])), Some("row"));

        let wide = "x".repeat(Limits::ROW_BYTES / 2);
        let rows = |n: usize| commit((0..n).map(|n| put(&format!("{n:03}"), &wide)).collect());
        assert_eq!(what(&rows(20)), None);
        assert_eq!(what(&rows(21)), Some("commit"));

        assert_eq!(what(&commit(vec![put(&"s".repeat(Limits::SK_BYTES), "0")])), None);
        assert_eq!(what(&commit(vec![put(&"s".repeat(Limits::SK_BYTES + 1), "0")])), Some("key"));
    }

    #[test]
    #[should_panic(expected = "two operations of a commit name one row")]
    fn a_row_is_named_once() {
        let _ = Commit { ops: vec![put("s", "1"), put("s", "2")], token: None }.check_limits();
    }

    #[test]
    fn identity_is_of_token_and_operations() {
        let one = Commit { ops: vec![put("s", "1")], token: Some("t".into()) };
        assert_eq!(one.identity(), one.clone().identity());
        assert_ne!(one.identity(), Commit { token: Some("u".into()), ..one.clone() }.identity());
        assert_ne!(one.identity(), Commit { ops: vec![put("s", "2")], ..one.clone() }.identity());
        assert_ne!(one.identity(), Commit { ops: vec![put("s", "1").expiring(0)], ..one.clone() }.identity());
        assert_eq!(Commit { token: None, ..one }.identity(), None);
    }
}
