//! Remembers in this process which subject each credential is charged to.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

use super::Account;

/// Credentials that are remembered at most. One more makes all be forgotten.
const MOST: usize = 20_000;

/// Who pays for the requests of a credential.
#[derive(Debug)]
pub struct Payer {
    /// The budget that is charged.
    pub(super) charged: String,
    /// Who stands behind the credential.
    pub(super) account: Account,
}

/// The credentials that this process has met, by the SHA-256 of their secret.
#[derive(Default)]
pub struct Payers {
    known: RwLock<HashMap<String, Arc<Payer>>>,
}

impl Payers {
    /// Who pays for a credential, if it was met.
    pub(super) fn of(&self, secret_hash: &str) -> Option<Arc<Payer>> {
        self.known.read().get(secret_hash).cloned()
    }

    /// Remembers who pays for a credential.
    pub(super) fn learn(&self, secret_hash: &str, payer: &Arc<Payer>) {
        let mut known = self.known.write();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(secret_hash.to_owned(), Arc::clone(payer));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use svc_domain::identity::Subject;
    use svc_domain::ids::RunnerId;
    use uuid::Uuid;

    use super::{Account, MOST, Payer, Payers};

    #[test]
    fn memory_is_bounded() {
        let payers = Payers::default();
        let account = Account::of(&Subject::Runner { runner: RunnerId(Uuid::nil()) });
        let payer = Arc::new(Payer { charged: "token:a".to_owned(), account });
        for number in 0..=MOST {
            payers.learn(&number.to_string(), &payer);
        }
        assert_eq!(payers.known.read().len(), 1);
        assert_eq!(payers.of(&MOST.to_string()).unwrap().charged, "token:a");
    }
}
