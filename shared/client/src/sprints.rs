//! Teams and sprints.

use reqwest::Method;
use svc_api::Page;
use svc_api::tracker::{
    Burndown, CompleteSprint, CompletedSprint, Item, MoveItem, NewSprint, NewTeam, Sprint, SprintQuery,
    StartSprint, Taskboard, Team, UpdateSprint, UpdateTeam,
};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// The teams of a project.
    pub async fn teams(self, project: &str) -> Result<Vec<Team>, Error> {
        self.client.get("/orgs/{}/projects/{}/teams", &[self.slug, project]).fetch().await
    }

    /// A team, by key or id.
    pub async fn team(self, project: &str, team: &str) -> Result<Team, Error> {
        self.client.get("/orgs/{}/projects/{}/teams/{}", &[self.slug, project, team]).fetch().await
    }

    /// Creates a team.
    pub async fn create_team(self, project: &str, new: &NewTeam) -> Result<Team, Error> {
        self.client.post("/orgs/{}/projects/{}/teams", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes a team.
    pub async fn update_team(self, project: &str, team: &str, change: &UpdateTeam) -> Result<Team, Error> {
        let path = "/orgs/{}/projects/{}/teams/{}";
        self.client.call(Method::PATCH, path, &[self.slug, project, team]).json(change).fetch().await
    }

    /// Deletes a team.
    pub async fn delete_team(self, project: &str, team: &str) -> Result<(), Error> {
        let args = [self.slug, project, team];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/teams/{}", &args).done().await
    }

    /// One page of a project's sprints.
    pub async fn sprints(self, project: &str, query: &SprintQuery) -> Result<Page<Sprint>, Error> {
        self.client.get("/orgs/{}/projects/{}/sprints", &[self.slug, project]).query(query).page().await
    }

    /// Plans a sprint.
    pub async fn create_sprint(self, project: &str, new: &NewSprint) -> Result<Sprint, Error> {
        self.client.post("/orgs/{}/projects/{}/sprints", &[self.slug, project]).json(new).fetch().await
    }

    /// A sprint.
    pub async fn sprint(self, id: &str) -> Result<Sprint, Error> {
        self.client.get("/orgs/{}/sprints/{}", &[self.slug, id]).fetch().await
    }

    /// Changes a sprint.
    pub async fn update_sprint(self, id: &str, change: &UpdateSprint) -> Result<Sprint, Error> {
        let call = self.client.call(Method::PATCH, "/orgs/{}/sprints/{}", &[self.slug, id]);
        call.json(change).fetch().await
    }

    /// Deletes a planned sprint.
    pub async fn delete_sprint(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/sprints/{}", &[self.slug, id]).done().await
    }

    /// Starts a planned sprint.
    pub async fn start_sprint(self, id: &str, start: &StartSprint) -> Result<Sprint, Error> {
        self.client.post("/orgs/{}/sprints/{}/start", &[self.slug, id]).json(start).fetch().await
    }

    /// Completes an active sprint.
    pub async fn complete_sprint(
        self,
        id: &str,
        complete: &CompleteSprint,
    ) -> Result<CompletedSprint, Error> {
        self.client.post("/orgs/{}/sprints/{}/complete", &[self.slug, id]).json(complete).fetch().await
    }

    /// A sprint's items by workflow state.
    pub async fn taskboard(self, id: &str) -> Result<Taskboard, Error> {
        self.client.get("/orgs/{}/sprints/{}/taskboard", &[self.slug, id]).fetch().await
    }

    /// How the work of a sprint went, day by day.
    pub async fn burndown(self, id: &str) -> Result<Burndown, Error> {
        self.client.get("/orgs/{}/sprints/{}/burndown", &[self.slug, id]).fetch().await
    }

    /// Moves an item into a sprint, and to a place in the order given by hand.
    pub async fn move_item(self, key: &str, to: &MoveItem) -> Result<Item, Error> {
        self.client.post("/orgs/{}/items/{}/move", &[self.slug, key]).json(to).fetch().await
    }
}
