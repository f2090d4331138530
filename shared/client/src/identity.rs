//! The caller, their tokens, organizations and members. Signing in with a password belongs to browsers: this
//! client only ever carries a bearer token.

use reqwest::Method;
use svc_api::identity::{
    AddMember, CreatedToken, Me, Member, NewOrganization, NewToken, Organization, ProjectMember,
    SetProjectMember, SetupStatus, Token, UpdateMember,
};

use crate::client::{Client, Org};
use crate::error::Error;

impl Client {
    /// Whether the instance waits for its first account. Needs no credential.
    pub async fn setup_status(&self) -> Result<SetupStatus, Error> {
        self.get("/auth/setup", &[]).fetch().await
    }

    /// The caller, and the organizations that the credential can see.
    pub async fn me(&self) -> Result<Me, Error> {
        self.get("/me", &[]).fetch().await
    }

    /// The caller's personal access tokens, without their secrets.
    pub async fn tokens(&self) -> Result<Vec<Token>, Error> {
        self.get("/me/tokens", &[]).fetch().await
    }

    /// Creates a personal access token.
    pub async fn create_token(&self, new: &NewToken) -> Result<CreatedToken, Error> {
        self.post("/me/tokens", &[]).json(new).fetch().await
    }

    /// Revokes a personal access token.
    pub async fn revoke_token(&self, id: &str) -> Result<(), Error> {
        self.call(Method::DELETE, "/me/tokens/{}", &[id]).done().await
    }

    /// The organizations that the caller can see.
    pub async fn orgs(&self) -> Result<Vec<Organization>, Error> {
        self.get("/orgs", &[]).fetch().await
    }

    /// Creates an organization, which the caller owns.
    pub async fn create_org(&self, new: &NewOrganization) -> Result<Organization, Error> {
        self.post("/orgs", &[]).json(new).fetch().await
    }
}

impl Org<'_> {
    /// The organization.
    pub async fn get(self) -> Result<Organization, Error> {
        self.client.get("/orgs/{}", &[self.slug]).fetch().await
    }

    /// Its members.
    pub async fn members(self) -> Result<Vec<Member>, Error> {
        self.client.get("/orgs/{}/members", &[self.slug]).fetch().await
    }

    /// Adds an account, creating it where the address is new.
    pub async fn add_member(self, new: &AddMember) -> Result<Member, Error> {
        self.client.post("/orgs/{}/members", &[self.slug]).json(new).fetch().await
    }

    /// Changes a member.
    pub async fn update_member(self, user: &str, change: &UpdateMember) -> Result<Member, Error> {
        let call = self.client.call(Method::PATCH, "/orgs/{}/members/{}", &[self.slug, user]);
        call.json(change).fetch().await
    }

    /// Removes a member.
    pub async fn remove_member(self, user: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/members/{}", &[self.slug, user]).done().await
    }

    /// Members of a project.
    pub async fn project_members(self, project: &str) -> Result<Vec<ProjectMember>, Error> {
        self.client.get("/orgs/{}/projects/{}/members", &[self.slug, project]).fetch().await
    }

    /// Gives a member a role in a project.
    pub async fn set_project_member(
        self,
        project: &str,
        user: &str,
        set: &SetProjectMember,
    ) -> Result<ProjectMember, Error> {
        let args = [self.slug, project, user];
        let call = self.client.call(Method::PUT, "/orgs/{}/projects/{}/members/{}", &args);
        call.json(set).fetch().await
    }

    /// Takes a member out of a project.
    pub async fn remove_project_member(self, project: &str, user: &str) -> Result<(), Error> {
        let args = [self.slug, project, user];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/members/{}", &args).done().await
    }
}
