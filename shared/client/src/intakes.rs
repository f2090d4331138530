//! Intakes of a project.

use reqwest::Method;
use svc_api::tracker::{Intake, IntakeWithAddress, NewIntake, UpdateIntake};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// The intakes of a project.
    pub async fn intakes(self, project: &str) -> Result<Vec<Intake>, Error> {
        self.client.get("/orgs/{}/projects/{}/intakes", &[self.slug, project]).fetch().await
    }

    /// Makes an intake. Its address is shown only this once.
    pub async fn create_intake(self, project: &str, new: &NewIntake) -> Result<IntakeWithAddress, Error> {
        self.client.post("/orgs/{}/projects/{}/intakes", &[self.slug, project]).json(new).fetch().await
    }

    /// Changes an intake.
    pub async fn update_intake(
        self,
        project: &str,
        id: &str,
        change: &UpdateIntake,
    ) -> Result<Intake, Error> {
        let args = [self.slug, project, id];
        let call = self.client.call(Method::PATCH, "/orgs/{}/projects/{}/intakes/{}", &args);
        call.json(change).fetch().await
    }

    /// Gives an intake another address.
    pub async fn rotate_intake(self, project: &str, id: &str) -> Result<IntakeWithAddress, Error> {
        let args = [self.slug, project, id];
        self.client.post("/orgs/{}/projects/{}/intakes/{}/rotate", &args).fetch().await
    }

    /// Deletes an intake.
    pub async fn delete_intake(self, project: &str, id: &str) -> Result<(), Error> {
        let args = [self.slug, project, id];
        self.client.call(Method::DELETE, "/orgs/{}/projects/{}/intakes/{}", &args).done().await
    }
}
