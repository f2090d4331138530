//! What the commands of this noun share: how they name a milestone, change it and show it.

use svc_api::tracker::{Milestone, MilestoneProgress, MilestoneState, UpdateMilestone};

use crate::commands::in_project::InProject;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Pairs, name, when};
use crate::session::Session;

/// A milestone and its project.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the milestone
    #[arg(value_name = "MILESTONE")]
    milestone: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    /// The milestone that is meant.
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Milestone, Failure> {
        let project = self.project.key(session).await?;
        let mut milestones = session.org(org).milestones(project.as_str()).await?;
        let all: Vec<_> = milestones.iter().map(|of| Named { id: &of.id, name: &of.name }).collect();
        let id = resolve("milestone", &self.milestone, &all, true)?;
        let index = milestones.iter().position(|of| of.id == id);
        index
            .map(|index| milestones.swap_remove(index))
            .ok_or_else(|| Failure::not_found(format!("there is no milestone {:?}", self.milestone)))
    }

    /// Changes the milestone, under the version that is read now.
    pub(super) async fn change(
        &self,
        change: UpdateMilestone,
        session: &Session<'_>,
    ) -> Result<Milestone, Failure> {
        let org = session.org_slug().await?;
        let found = self.find(&org, session).await?;
        let change = UpdateMilestone { version: found.version, ..change };
        let project = self.project.key(session).await?;
        Ok(session.org(&org).update_milestone(project.as_str(), &found.id, &change).await?)
    }

    /// Closes the milestone or opens it again.
    pub(super) async fn set(&self, state: MilestoneState, session: &Session<'_>) -> Result<(), Failure> {
        let change = UpdateMilestone { state: Some(state), ..UpdateMilestone::default() };
        show(&self.change(change, session).await?, session)
    }
}

/// How many items are resolved or closed, of all.
pub(super) fn done(progress: MilestoneProgress) -> String {
    format!("{} of {}", progress.resolved + progress.closed, progress.items)
}

/// What is left to do, of what was estimated.
pub(super) fn left(progress: MilestoneProgress) -> String {
    format!("{} of {}", progress.remaining, progress.estimate)
}

pub(super) fn show(milestone: &Milestone, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(milestone);
    }
    output.pairs(&pairs(milestone))?;
    let description = milestone.description.trim();
    if description.is_empty() { Ok(()) } else { output.text(&format!("\n{description}")) }
}

fn pairs(milestone: &Milestone) -> Pairs {
    let MilestoneProgress { backlog, active, resolved, closed, .. } = milestone.progress;
    let mut pairs = Pairs::default();
    pairs.add("name", milestone.name.as_str());
    pairs.add("state", name(&milestone.state));
    pairs.maybe("due", milestone.due.map(|day| day.to_string()));
    pairs.add("done", done(milestone.progress));
    pairs.add(
        "items",
        format!("{backlog} in the backlog, {active} active, {resolved} resolved, {closed} closed"),
    );
    pairs.add("left", left(milestone.progress));
    pairs.maybe("closed", milestone.closed_at.map(when));
    pairs.add("id", milestone.id.as_str());
    pairs.add("version", milestone.version.to_string());
    pairs
}
