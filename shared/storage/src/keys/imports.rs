//! What was brought into projects from elsewhere.

use sha2::{Digest, Sha256};
use svc_domain::ids::{OrgId, ProjectKey};

use super::project_pk;
use crate::Key;

/// What a record became, by its kind, its source and its id there.
pub fn imported(org: OrgId, key: &ProjectKey, kind: &str, source: &str, id: &str) -> Key {
    let mut digest = Sha256::new();
    // The lengths keep a source and an id apart from another pair that reads the same in a row.
    digest.update((source.len() as u64).to_le_bytes());
    digest.update(source.as_bytes());
    digest.update(id.as_bytes());
    Key::new(project_pk(org, key), format!("IMPORTED#{kind}#{}", hex::encode(digest.finalize())))
}

/// That an import into this store, of an export with the digest that is in the row, has not finished.
pub fn store_import() -> Key {
    Key::new("IMPORT", "STORE")
}
