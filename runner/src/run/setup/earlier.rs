//! Where a run works: a continue in the workspace and session of the run before, if that had one, a follow-up while they are there
//! (specification section 3.2), every other one in a new checkout and session.

use svc_api::factory::RunKind;
use svc_api::runner::Assignment;

use super::Setup;
use crate::clock;
use crate::failure::{Failure, FailureReason};
use crate::harness::{Session, safe_value};
use crate::run::confined::Confinement;
use crate::workspace::access::Access;
use crate::workspace::copies;
use crate::workspace::follow_up::{self, Found, Resolved};
use crate::workspace::prepare::Checkout;
use crate::workspace::resumed::catch_up;
use crate::workspace::{Manifest, borrowed, handover, retention};

/// What a follow-up goes on in, while it is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::run) enum Earlier {
    /// The checkout and the session of the run before.
    Session,
    /// The checkout alone: the harness has lost the session.
    Checkout,
}

impl Setup<'_> {
    /// The checkout and session of the run.
    pub(super) async fn checkout(
        &self,
        confinement: &Confinement,
        access: Option<&Access>,
    ) -> Result<(Checkout, Session), Failure> {
        if self.assignment.kind == RunKind::Continue {
            if self.assignment.resume_session.is_some() {
                return self.earlier_checkout(confinement).await;
            }
            self.log.event("The earlier run ended before it had a session: beginning anew");
        }
        let Resolved { assignment, note, found } = follow_up::resolved(self.assignment, access).await?;
        if let Some(Found { state, head }) = found {
            self.calls.pull_request(state, head).await;
        }
        let fresh = || Session::Fresh(clock::fresh_id().to_string());
        let (mut checkout, session) = match self.followed_up(&assignment, confinement, access).await {
            Some((checkout, _)) if self.earlier == Earlier::Checkout => (checkout, fresh()),
            Some(earlier) => earlier,
            None => (self.new_checkout(&assignment, access).await?, fresh()),
        };
        checkout.notes.extend(note);
        Ok((checkout, session))
    }

    /// The checkout and session that a follow-up goes on from, with what origin has got since; none where they are gone
    /// or origin went another way.
    async fn followed_up(
        &self,
        assignment: &Assignment,
        confinement: &Confinement,
        access: Option<&Access>,
    ) -> Option<(Checkout, Session)> {
        if assignment.kind != RunKind::FollowUp || assignment.resume_session.is_none() {
            return None;
        }
        let (mut checkout, session) = match self.earlier_checkout(confinement).await {
            Ok(earlier) => earlier,
            Err(failure) => {
                self.log.event(&format!("A new session, because {}", failure.detail));
                return None;
            }
        };
        checkout.access = access.cloned();
        match catch_up(&mut checkout, assignment).await {
            Ok(()) => Some((checkout, session)),
            Err(why) => {
                self.log.event(&format!("A new checkout and session, because {why}"));
                None
            }
        }
    }

    /// The checkout and session of the run that this one continues.
    async fn earlier_checkout(&self, confinement: &Confinement) -> Result<(Checkout, Session), Failure> {
        let gone = |why: &str| Failure::new(FailureReason::SessionUnavailable, why.to_owned());
        let session = self.assignment.resume_session.clone().filter(|id| safe_value(id));
        let session = session.ok_or_else(|| gone("the earlier run left no session"))?;
        let earlier = self.assignment.earlier_run_id.as_deref().unwrap_or_default();
        let mut members = retention::groups(&self.context.root).into_iter().flat_map(|group| group.members);
        let ours = |manifest: &Manifest| {
            manifest.organization == self.assignment.organization
                && manifest.item == self.assignment.item.key
                && !manifest.base.is_empty()
                && manifest.repo.is_dir()
        };
        let manifest = members
            .find(|member| member.run_id == earlier && ours(member))
            .ok_or_else(|| gone("the workspace of the earlier run is gone from this machine"))?;
        let age = clock::now().duration_since(manifest.ended_at.unwrap_or(manifest.begun_at));
        if age > retention::KEPT_FOR && !self.context.keep_workspaces {
            return Err(gone("the workspace of the earlier run is older than 5 days"));
        }
        if handover::is_given(&manifest.repo) {
            return Err(gone("the workspace of the earlier run is still the user's of its harness in part"));
        }
        let mut checkout = manifest.checkout();
        if checkout.borrows && confinement.separates() {
            return Err(gone("the workspace of the earlier run was made before its project was isolated"));
        }
        if let Some(repository) = checkout.repository.clone().filter(|_| checkout.borrows) {
            let known = [self.clone().await.ok().map(|(clone, _)| clone), checkout.clone.take()];
            let lender = borrowed::attach_to(known.into_iter().flatten(), &repository, &checkout.base).await;
            checkout.clone = lender;
            if checkout.clone.is_none() {
                return Err(gone("the clone that its workspace reads objects from is not mapped any more"));
            }
            borrowed::forget_collected(&checkout.git()).await;
        }
        let mut places = vec![checkout.repo.as_path()];
        places.extend(checkout.clone.as_deref());
        self.hide(&copies::values(&places, &self.copied(&manifest.copied)));
        checkout.notes = vec![format!("Continuing run {earlier} in its workspace")];
        Ok((checkout, Session::Resume(session)))
    }
}
