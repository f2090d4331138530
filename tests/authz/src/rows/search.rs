//! Search.

use svc_domain::identity::Scope::Read;

use super::Row;
use crate::who::{SEE_ORG, SEE_PROJECT};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new("GET /orgs/{slug}/search", SEE_ORG, Read).query("q=word"),
        Row::new("GET /orgs/{slug}/projects/{key}/search", SEE_PROJECT, Read).query("q=word"),
    ]
}
