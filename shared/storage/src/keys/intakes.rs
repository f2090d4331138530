//! Rows of intakes. What reads them is in the table of `keys.rs`.

use sha2::{Digest, Sha256};
use svc_domain::ids::{IntakeId, OrgId, ProjectKey};
use svc_domain::intake::{Arrival, Intakes};

use super::project_pk;
use crate::{Key, KeyOf};

/// A project's intakes, once it has one.
pub fn intakes(org: OrgId, key: &ProjectKey) -> KeyOf<Intakes> {
    KeyOf::new(project_pk(org, key), "INTAKES")
}

/// Which intake an address is of, by the hex SHA-256 of its secret part.
pub fn intake_address(address_hash: &str) -> Key {
    Key::new(format!("INTAKE#{address_hash}"), "PROJECT")
}

/// The item of a key at an intake.
pub fn arrival(org: OrgId, project: &ProjectKey, intake: IntakeId, key: &str) -> KeyOf<Arrival> {
    KeyOf::new(
        project_pk(org, project),
        format!("{}{}", arrivals_prefix(intake), hex::encode(Sha256::digest(key))),
    )
}

/// Sort keys of what arrived at an intake begin with this.
pub fn arrivals_prefix(intake: IntakeId) -> String {
    format!("ARRIVED#{intake}#")
}
