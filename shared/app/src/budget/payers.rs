//! Who pays for which credential, as this process remembers it.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

/// Credentials that are remembered at most. One more makes all be forgotten.
const MOST: usize = 20_000;

/// The credentials that this process has met, by the SHA-256 of their secret.
#[derive(Default)]
pub struct Payers {
    known: RwLock<HashMap<String, Arc<str>>>,
}

impl Payers {
    /// Who pays for a credential, if it was met.
    pub(super) fn of(&self, secret_hash: &str) -> Option<Arc<str>> {
        self.known.read().get(secret_hash).cloned()
    }

    /// Remembers who pays for a credential.
    pub(super) fn learn(&self, secret_hash: &str, payer: &Arc<str>) {
        let mut known = self.known.write();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(secret_hash.to_owned(), Arc::clone(payer));
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Payers};

    #[test]
    fn memory_is_bounded() {
        let payers = Payers::default();
        for number in 0..=MOST {
            payers.learn(&number.to_string(), &"token:a".into());
        }
        assert_eq!(payers.known.read().len(), 1);
        assert_eq!(payers.of(&MOST.to_string()).as_deref(), Some("token:a"));
    }
}
