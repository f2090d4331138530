//! Labels, milestones, ticket templates and saved views of a project.

use reqwest::Method;
use svc_api::tracker::{
    Label, Milestone, NewLabel, NewMilestone, NewTemplate, NewView, SavedView, Template, UpdateLabel,
    UpdateMilestone, UpdateTemplate, UpdateView,
};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// The labels of a project.
    pub async fn labels(self, project: &str) -> Result<Vec<Label>, Error> {
        self.client.get("/orgs/{}/projects/{}/labels", &[self.slug, project]).fetch().await
    }

    /// Defines a label.
    pub async fn create_label(self, project: &str, new: &NewLabel) -> Result<Label, Error> {
        self.client.post("/orgs/{}/projects/{}/labels", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes, renames or merges a label.
    pub async fn update_label(self, project: &str, name: &str, change: &UpdateLabel) -> Result<Label, Error> {
        let args = [self.slug, project, name];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/labels/{}", &args);
        call.json(change).fetch().await
    }

    /// Deletes a label, and takes it from every item.
    pub async fn delete_label(self, project: &str, name: &str) -> Result<(), Error> {
        let args = [self.slug, project, name];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/labels/{}", &args).done().await
    }

    /// The milestones of a project.
    pub async fn milestones(self, project: &str) -> Result<Vec<Milestone>, Error> {
        self.client.get("/orgs/{}/projects/{}/milestones", &[self.slug, project]).fetch().await
    }

    /// A milestone.
    pub async fn milestone(self, project: &str, id: &str) -> Result<Milestone, Error> {
        self.client.get("/orgs/{}/projects/{}/milestones/{}", &[self.slug, project, id]).fetch().await
    }

    /// Makes a milestone.
    pub async fn create_milestone(self, project: &str, new: &NewMilestone) -> Result<Milestone, Error> {
        self.client.post("/orgs/{}/projects/{}/milestones", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes, closes or reopens a milestone.
    pub async fn update_milestone(
        self,
        project: &str,
        id: &str,
        change: &UpdateMilestone,
    ) -> Result<Milestone, Error> {
        let args = [self.slug, project, id];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/milestones/{}", &args);
        call.json(change).fetch().await
    }

    /// Deletes a milestone.
    pub async fn delete_milestone(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/milestones/{}", &args).done().await
    }

    /// The ticket templates of a project.
    pub async fn templates(self, project: &str) -> Result<Vec<Template>, Error> {
        self.client.get("/orgs/{}/projects/{}/templates", &[self.slug, project]).fetch().await
    }

    /// Makes a ticket template.
    pub async fn create_template(self, project: &str, new: &NewTemplate) -> Result<Template, Error> {
        self.client.post("/orgs/{}/projects/{}/templates", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes a ticket template.
    pub async fn update_template(
        self,
        project: &str,
        id: &str,
        change: &UpdateTemplate,
    ) -> Result<Template, Error> {
        let args = [self.slug, project, id];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/templates/{}", &args);
        call.json(change).fetch().await
    }

    /// Your saved views of a project, and those that are shared.
    pub async fn views(self, project: &str) -> Result<Vec<SavedView>, Error> {
        self.client.get("/orgs/{}/projects/{}/views", &[self.slug, project]).fetch().await
    }

    /// Saves a view.
    pub async fn create_view(self, project: &str, new: &NewView) -> Result<SavedView, Error> {
        self.client.post("/orgs/{}/projects/{}/views", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes a saved view.
    pub async fn update_view(self, project: &str, id: &str, change: &UpdateView) -> Result<SavedView, Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::PATCH, "/orgs/{}/projects/{}/views/{}", &args).json(change).fetch().await
    }

    /// Deletes a saved view.
    pub async fn delete_view(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/views/{}", &args).done().await
    }

    /// Deletes a ticket template.
    pub async fn delete_template(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/templates/{}", &args).done().await
    }
}
