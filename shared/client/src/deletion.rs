//! Organizations, projects, agents and playbooks that are deleted, and restored within 30 days.

use reqwest::Method;
use svc_api::deletion::DeletedQuery;
use svc_api::factory::{Agent, Playbook};
use svc_api::identity::{DeleteOrganizationQuery, Organization};
use svc_api::tracker::{DeleteProjectQuery, Project};

use crate::client::{Client, Org};
use crate::error::Error;

/// Asks for what was deleted and can be restored.
const DELETED: DeletedQuery = DeletedQuery { deleted: Some(true) };

impl Client {
    /// The caller's organizations that were deleted and can be restored.
    pub async fn deleted_orgs(&self) -> Result<Vec<Organization>, Error> {
        self.get("/orgs", &[]).query(&DELETED).fetch().await
    }
}

impl Org<'_> {
    /// Deletes the organization and everything in it, which can be restored for 30 days.
    pub async fn delete(self) -> Result<(), Error> {
        let query = DeleteOrganizationQuery { confirm: Some(self.slug.to_owned()) };
        self.client.call(Method::DELETE, "/orgs/{}", &[self.slug]).query(&query).done().await
    }

    /// Restores the deleted organization with everything in it.
    pub async fn restore(self) -> Result<Organization, Error> {
        self.client.post("/orgs/{}/restore", &[self.slug]).fetch().await
    }

    /// The projects that were deleted and can be restored.
    pub async fn deleted_projects(self) -> Result<Vec<Project>, Error> {
        self.client.get("/orgs/{}/projects", &[self.slug]).query(&DELETED).fetch().await
    }

    /// Deletes a project and everything in it, which can be restored for 30 days.
    pub async fn delete_project(self, key: &str) -> Result<(), Error> {
        let query = DeleteProjectQuery { confirm: Some(key.to_owned()) };
        let call = self.client.call(Method::DELETE, "/orgs/{}/projects/{}", &[self.slug, key]);
        call.query(&query).done().await
    }

    /// Restores a deleted project with everything in it.
    pub async fn restore_project(self, key: &str) -> Result<Project, Error> {
        self.client.post("/orgs/{}/projects/{}/restore", &[self.slug, key]).fetch().await
    }

    /// The agents that were deleted and can be restored.
    pub async fn deleted_agents(self) -> Result<Vec<Agent>, Error> {
        self.client.get("/orgs/{}/agents", &[self.slug]).query(&DELETED).fetch().await
    }

    /// Deletes an agent, which can be restored for 30 days.
    pub async fn delete_agent(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/agents/{}", &[self.slug, id]).done().await
    }

    /// Restores a deleted agent.
    pub async fn restore_agent(self, id: &str) -> Result<Agent, Error> {
        self.client.post("/orgs/{}/agents/{}/restore", &[self.slug, id]).fetch().await
    }

    /// The playbooks of a project that were deleted and can be restored.
    pub async fn deleted_playbooks(self, project: &str) -> Result<Vec<Playbook>, Error> {
        let args = [self.slug, project];
        self.client.get("/orgs/{}/projects/{}/playbooks", &args).query(&DELETED).fetch().await
    }

    /// Deletes a playbook and its page, which can be restored for 30 days.
    pub async fn delete_playbook(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/playbooks/{}", &args).done().await
    }

    /// Restores a deleted playbook and its page.
    pub async fn restore_playbook(self, project: &str, id: &str) -> Result<Playbook, Error> {
        let args = [self.slug, project, id];
        self.client.post("/orgs/{}/projects/{}/playbooks/{}/restore", &args).fetch().await
    }
}
