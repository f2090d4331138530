//! Search.

use svc_api::search::{OrgSearchQuery, ProjectSearchQuery, SearchResults};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// Searches a project, or completes an item while it is typed.
    pub async fn search_project(
        self,
        project: &str,
        query: &ProjectSearchQuery,
    ) -> Result<SearchResults, Error> {
        self.client.get("/orgs/{}/projects/{}/search", &[self.slug, project]).query(query).fetch().await
    }

    /// Searches every project that the caller sees.
    pub async fn search(self, query: &OrgSearchQuery) -> Result<SearchResults, Error> {
        self.client.get("/orgs/{}/search", &[self.slug]).query(query).fetch().await
    }
}
