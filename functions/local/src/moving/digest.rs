//! The digest of a store: the same on every engine, in whatever order the engine hands rows out.
//!
//! Each row and each blob has a SHA-256 of all that it is; the digest is the sum of these numbers. So it needs neither
//! an order nor memory. It finds what was lost or changed by accident, and is no seal against forgery.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use svc_storage::Row;

/// What was counted, and its digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// Rows.
    pub(super) rows: u64,
    /// Blobs.
    pub(super) blobs: u64,
    /// Bytes of blobs.
    pub(super) bytes: u64,
    /// The lowest part first.
    digest: [u64; 4],
}

/// A [`Sum`] as a file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Total {
    /// Rows.
    pub(super) rows: u64,
    /// Blobs.
    pub(super) blobs: u64,
    /// Bytes of blobs.
    pub(super) bytes: u64,
    /// 64 hexadecimal digits.
    pub(super) digest: String,
}

impl Sum {
    /// Counts a row.
    pub(super) fn row(&mut self, row: &Row) {
        self.rows += 1;
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(row.key.pk.as_bytes());
        part(row.key.sk.as_bytes());
        part(&row.version.to_le_bytes());
        part(row.ttl.map(i64::to_le_bytes).as_ref().map_or(&[][..], |ttl| &ttl[..]));
        part(row.doc.as_bytes());
        for (name, count) in &row.counters {
            part(name.as_bytes());
            part(&count.to_le_bytes());
        }
        self.add(hash);
    }

    /// Counts a blob of this name, size and SHA-256.
    pub(super) fn blob(&mut self, name: &str, size: u64, sha256: &str) {
        self.blobs += 1;
        self.bytes += size;
        self.add(Sha256::new().chain_update(format!("blob {size} {sha256} {name}")));
    }

    fn add(&mut self, hash: Sha256) {
        let hash: [u8; 32] = hash.finalize().into();
        let mut carry = false;
        for (part, bytes) in self.digest.iter_mut().zip(hash.chunks_exact(8)) {
            let more = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            let (sum, over) = part.overflowing_add(more);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            (*part, carry) = (sum, over || over_again);
        }
    }

    /// As a file has it.
    pub(super) fn total(&self) -> Total {
        let digest = self.digest.iter().rev().map(|part| format!("{part:016x}")).collect();
        Total { rows: self.rows, blobs: self.blobs, bytes: self.bytes, digest }
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, blobs, bytes, digest } = self;
        write!(f, "{rows} rows and {blobs} files ({bytes} bytes), digest {digest}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use svc_storage::{Key, Row};

    use super::Sum;

    fn row(n: u64) -> Row {
        let key = Key::new("P", n.to_string());
        Row { key, version: 1, doc: "{}".into(), counters: BTreeMap::new(), ttl: None }
    }

    fn digest(rows: &[Row]) -> String {
        let mut sum = Sum::default();
        rows.iter().for_each(|row| sum.row(row));
        sum.total().digest
    }

    #[test]
    fn the_order_does_not_count_and_all_else_does() {
        let rows: Vec<Row> = (0..50).map(row).collect();
        let other_way: Vec<Row> = rows.iter().rev().cloned().collect();
        assert_eq!(digest(&rows), digest(&other_way));
        assert_eq!(digest(&rows).len(), 64);
        let first = row(0);
        let mut seen = vec![digest(std::slice::from_ref(&first))];
        for change in [
            |row: &mut Row| row.version += 1,
            |row: &mut Row| row.ttl = Some(1),
            |row: &mut Row| row.doc = "[]".into(),
            |row: &mut Row| row.counters = [("n".to_owned(), 1)].into(),
            |row: &mut Row| row.key.sk = "other".into(),
        ] {
            let mut changed = first.clone();
            change(&mut changed);
            seen.push(digest(&[changed]));
        }
        seen.push(digest(&[first.clone(), first]));
        let count = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }
}
