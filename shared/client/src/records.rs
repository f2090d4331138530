//! Bringing records into a project.

use svc_api::records::{ImportRecords, Imported};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// Brings records into a project. What came before is not brought again, so that it can be repeated.
    pub async fn import_records(self, project: &str, records: &ImportRecords) -> Result<Imported, Error> {
        let call = self.client.post("/orgs/{}/projects/{}/import", &[self.slug, project]);
        call.json(records).repeatable().fetch().await
    }
}
