//! The wiki of a project.

use reqwest::Method;
use svc_api::wiki::{
    DeletedPage, DiffQuery, MovePage, PageAccess, PageDiff, PageVersion, PutPage, RestorePage, SetPageAccess,
    VersionsQuery, WikiEntry, WikiPage,
};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// Every page of a project's wiki that the caller can see, without its text.
    pub async fn wiki_tree(self, project: &str) -> Result<Vec<WikiEntry>, Error> {
        self.client.get("/orgs/{}/projects/{}/wiki", &[self.slug, project]).fetch().await
    }

    /// A page. `path` is the names from the root to the page, separated by `/`.
    pub async fn wiki_page(self, project: &str, path: &str) -> Result<WikiPage, Error> {
        let args = [self.slug, project, path];
        self.client.get("/orgs/{}/projects/{}/wiki/pages/{path}", &args).fetch().await
    }

    /// Creates a page or writes its next version.
    pub async fn put_wiki_page(self, project: &str, path: &str, put: &PutPage) -> Result<WikiPage, Error> {
        let args = [self.slug, project, path];
        let call = self.client.call(Method::PUT, "/orgs/{}/projects/{}/wiki/pages/{path}", &args);
        call.json(put).fetch().await
    }

    /// Moves a page with all that is below it.
    pub async fn move_wiki_page(self, project: &str, path: &str, to: &MovePage) -> Result<WikiPage, Error> {
        let args = [self.slug, project, path];
        let call = self.client.call(Method::POST, "/orgs/{}/projects/{}/wiki/move/{path}", &args);
        call.json(to).fetch().await
    }

    /// Deletes a page. It can be brought back.
    pub async fn delete_wiki_page(self, project: &str, path: &str) -> Result<(), Error> {
        let args = [self.slug, project, path];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/wiki/pages/{path}", &args).done().await
    }

    /// The pages that were deleted.
    pub async fn deleted_wiki_pages(self, project: &str) -> Result<Vec<DeletedPage>, Error> {
        self.client.get("/orgs/{}/projects/{}/wiki/deleted", &[self.slug, project]).fetch().await
    }

    /// Brings a deleted page back.
    pub async fn undelete_wiki_page(self, project: &str, id: &str) -> Result<WikiPage, Error> {
        let args = [self.slug, project, id];
        self.client.post("/orgs/{}/projects/{}/wiki/deleted/{}/restore", &args).fetch().await
    }

    /// Some versions of a page, newest first; the next are those before the last.
    pub async fn wiki_versions(
        self,
        project: &str,
        path: &str,
        query: &VersionsQuery,
    ) -> Result<Vec<PageVersion>, Error> {
        let args = [self.slug, project, path];
        self.client.get("/orgs/{}/projects/{}/wiki/versions/{path}", &args).query(query).fetch().await
    }

    /// One version of a page.
    pub async fn wiki_version(self, project: &str, path: &str, number: u64) -> Result<PageVersion, Error> {
        let args = [self.slug, project, &number.to_string(), path];
        self.client.get("/orgs/{}/projects/{}/wiki/version/{}/{path}", &args).fetch().await
    }

    /// What is different between two versions of a page.
    pub async fn wiki_diff(self, project: &str, path: &str, query: &DiffQuery) -> Result<PageDiff, Error> {
        let args = [self.slug, project, path];
        self.client.get("/orgs/{}/projects/{}/wiki/diff/{path}", &args).query(query).fetch().await
    }

    /// Brings an earlier version back as the next one.
    pub async fn restore_wiki_page(
        self,
        project: &str,
        path: &str,
        restore: &RestorePage,
    ) -> Result<WikiPage, Error> {
        let args = [self.slug, project, path];
        self.client.post("/orgs/{}/projects/{}/wiki/restore/{path}", &args).json(restore).fetch().await
    }

    /// Who reads and edits a page, as the page itself says.
    pub async fn wiki_access(self, project: &str, path: &str) -> Result<PageAccess, Error> {
        let args = [self.slug, project, path];
        self.client.get("/orgs/{}/projects/{}/wiki/access/{path}", &args).fetch().await
    }

    /// Changes who reads and edits a page and those below it.
    pub async fn set_wiki_access(
        self,
        project: &str,
        path: &str,
        set: &SetPageAccess,
    ) -> Result<PageAccess, Error> {
        let args = [self.slug, project, path];
        let call = self.client.call(Method::PUT, "/orgs/{}/projects/{}/wiki/access/{path}", &args);
        call.json(set).fetch().await
    }
}
