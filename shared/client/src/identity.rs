//! The caller, their tokens, organizations and members.

use reqwest::Method;
use svc_api::identity::{
    AcceptInvitation, AcceptedInvitation, AddMember, AuditPage, AuditQuery, CreatedScimToken, CreatedToken,
    GroupRoles, Invitation, Me, Member, NewInvitation, NewOrganization, NewScimToken, NewToken, Organization,
    ProjectMember, ResendQuery, ScimToken, Session, SetGroupRoles, SetProjectMember, SetupStatus, Token,
    UpdateMe, UpdateMember, UpdateOrganization,
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

    /// Changes the caller's name or address.
    pub async fn update_me(&self, change: &UpdateMe) -> Result<Me, Error> {
        self.call(Method::PATCH, "/me", &[]).json(change).fetch().await
    }

    /// The caller's sessions.
    pub async fn sessions(&self) -> Result<Vec<Session>, Error> {
        self.get("/me/sessions", &[]).fetch().await
    }

    /// Ends one of the caller's sessions.
    pub async fn end_session(&self, id: &str) -> Result<(), Error> {
        self.call(Method::DELETE, "/me/sessions/{}", &[id]).done().await
    }

    /// Signs the caller out of every browser.
    pub async fn end_sessions(&self) -> Result<(), Error> {
        self.call(Method::DELETE, "/me/sessions", &[]).done().await
    }

    /// Joins an organization by its invitation, as the caller.
    pub async fn accept_invitation(&self, accept: &AcceptInvitation) -> Result<AcceptedInvitation, Error> {
        self.post("/auth/invitations/accept", &[]).json(accept).fetch().await
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

    /// Changes its name, or whether it is read-only.
    pub async fn update(self, change: &UpdateOrganization) -> Result<Organization, Error> {
        self.client.call(Method::PATCH, "/orgs/{}", &[self.slug]).json(change).fetch().await
    }

    /// Leaves it.
    pub async fn leave(self) -> Result<(), Error> {
        self.client.post("/orgs/{}/leave", &[self.slug]).done().await
    }

    /// Its invitations.
    pub async fn invitations(self) -> Result<Vec<Invitation>, Error> {
        self.client.get("/orgs/{}/invitations", &[self.slug]).fetch().await
    }

    /// Invites somebody.
    pub async fn invite(self, new: &NewInvitation) -> Result<Invitation, Error> {
        self.client.post("/orgs/{}/invitations", &[self.slug]).json(new).fetch().await
    }

    /// Sends an invitation again.
    pub async fn resend_invitation(self, id: &str, how: ResendQuery) -> Result<Invitation, Error> {
        let call = self.client.post("/orgs/{}/invitations/{}/resend", &[self.slug, id]);
        call.query(&how).fetch().await
    }

    /// Withdraws an invitation.
    pub async fn revoke_invitation(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/invitations/{}", &[self.slug, id]).done().await
    }

    /// The roles that groups of an identity provider give in it.
    pub async fn group_roles(self) -> Result<GroupRoles, Error> {
        self.client.get("/orgs/{}/group-roles", &[self.slug]).fetch().await
    }

    /// Sets the roles that groups give.
    pub async fn set_group_roles(self, set: &SetGroupRoles) -> Result<GroupRoles, Error> {
        self.client.call(Method::PUT, "/orgs/{}/group-roles", &[self.slug]).json(set).fetch().await
    }

    /// The tokens with which an identity provider writes its people.
    pub async fn scim_tokens(self) -> Result<Vec<ScimToken>, Error> {
        self.client.get("/orgs/{}/scim-tokens", &[self.slug]).fetch().await
    }

    /// Creates such a token.
    pub async fn create_scim_token(self, new: &NewScimToken) -> Result<CreatedScimToken, Error> {
        self.client.post("/orgs/{}/scim-tokens", &[self.slug]).json(new).fetch().await
    }

    /// Revokes such a token.
    pub async fn revoke_scim_token(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/scim-tokens/{}", &[self.slug, id]).done().await
    }

    /// Part of its audit log.
    pub async fn audit(self, query: &AuditQuery) -> Result<AuditPage, Error> {
        self.client.get("/orgs/{}/audit", &[self.slug]).query(query).fetch().await
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
