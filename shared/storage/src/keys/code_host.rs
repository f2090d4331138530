//! Rows about the code host: connections, webhooks, and who links a pull request. The table of all rows is in the
//! module above.

use svc_domain::code_host::Connection;
use svc_domain::code_host::InstallationId;
use svc_domain::ids::{ItemKey, OrgId};

use super::org_pk;
use crate::{Key, KeyOf};

/// An organization's connection with the code host.
pub fn code_host(org: OrgId) -> KeyOf<Connection> {
    KeyOf::new(org_pk(org), "CODEHOST")
}

/// Which organization an installation at the code host belongs to.
pub fn installation(installation: InstallationId) -> Key {
    Key::new(format!("INSTALL#{installation}"), "ORG")
}

/// Where an organization's code host delivers news.
pub fn webhook(org: OrgId) -> Key {
    Key::new(org_pk(org), "WEBHOOK")
}

/// Which organization deliveries are for, by the hex SHA-256 of the secret part of their address.
pub fn webhook_address(address_hash: &str) -> Key {
    Key::new(format!("HOOK#{address_hash}"), "ORG")
}

/// Partition of the items that link a pull request, by the hex SHA-256 of its address.
pub fn linked_items_pk(org: OrgId, url_hash: &str) -> String {
    format!("PULL#{org}#{url_hash}")
}

/// An item that links a pull request.
pub fn linked_item(org: OrgId, url_hash: &str, item: &ItemKey) -> Key {
    Key::new(linked_items_pk(org, url_hash), item.to_string())
}

/// An attempt to connect an organization with the code host, by the hex SHA-256 of its secret.
pub fn connecting(secret_hash: &str) -> Key {
    Key::new(format!("CONNECT#{secret_hash}"), "ATTEMPT")
}
