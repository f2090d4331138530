//! The wiki of a project.

use reqwest::Method;
use svc_api::wiki::{MovePage, PageVersion, PutPage, WikiEntry, WikiPage};

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

    /// The versions of a page.
    pub async fn wiki_versions(self, project: &str, path: &str) -> Result<Vec<PageVersion>, Error> {
        let args = [self.slug, project, path];
        self.client.get("/orgs/{}/projects/{}/wiki/versions/{path}", &args).fetch().await
    }
}
