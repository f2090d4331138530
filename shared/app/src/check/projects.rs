//! Checks what a project consists of, besides its sprints, playbooks, items and pages.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::identity::ProjectMember;
use svc_domain::ids::{OrgId, PlaybookId, ProjectKey, TeamId};
use svc_domain::import::ImportedRecord;
use svc_domain::intake::{Arrival, Intake, Intakes};
use svc_domain::item::Item;
use svc_domain::label::{Label, folded};
use svc_domain::milestone::Milestones;
use svc_domain::playbook::Playbook;
use svc_domain::replacement::{Replacement, What};
use svc_domain::team::Team;
use svc_domain::template::Templates;
use svc_domain::workflow::Workflow;
use svc_storage::keys;

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::kind::Kind;
use super::orgs::copied_name;
use crate::tracker::feed_snapshots;
use crate::tracker::intakes::Place;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("PROJ#<org>#<KEY>", "WORKFLOW", workflow),
    Kind::new("PROJ#<org>#<KEY>", "MEMBER#<user>", member),
    Kind::new("PROJ#<org>#<KEY>", "NUMBER", number),
    Kind::new("PROJ#<org>#<KEY>", "LABEL#<lower name>", label),
    Kind::new("PROJ#<org>#<KEY>", "REPLACE#<id>", replacement),
    Kind::new("PROJ#<org>#<KEY>", "TEMPLATES", templates),
    Kind::new("PROJ#<org>#<KEY>", "INTAKES", intakes),
    Kind::new("PROJ#<org>#<KEY>", "ARRIVED#<intake>#<sha256>", arrival),
    Kind::new("INTAKE#<sha256>", "PROJECT", intake_address),
    Kind::new("PROJ#<org>#<KEY>", "MILESTONES", milestones),
    Kind::new("PROJ#<org>#<KEY>", "IMPORTED#<kind>#<sha256>", imported),
    Kind::new("PROJ#<org>#<KEY>", "SNAPSHOT", snapshot),
    Kind::new("PROJ#<org>#<KEY>", "NAME#<kind>#<lower name>", name),
];

/// That there is such a project, or a deleted one that can be restored. Of one that is being taken away nothing needs to
/// agree any more; what outlives it is told.
pub(super) fn there_or_deleted(context: &CheckContext<'_>, org: OrgId, project: &ProjectKey) -> Verdict {
    let there = keys::project(org, project);
    if context.has(&there)? {
        return Ok(());
    }
    match context.read::<DeletedProject>(&keys::deleted_project(org, project))? {
        None => context.demand(&there, "such project").map(drop),
        Some(deleted) if deleted.project.is_none() => {
            Err(context.stop(format!("it is left of the project {project}, which was deleted for good")))
        }
        Some(deleted) if context.is_past(deleted.deletion.until()) => Err(Stop),
        Some(_) => Ok(()),
    }
}

/// Whether a project is being taken away, or is gone.
pub(super) fn is_gone(context: &CheckContext<'_>, org: OrgId, project: &ProjectKey) -> Result<bool, Stop> {
    let deleted: Option<DeletedProject> = context.read(&keys::deleted_project(org, project))?;
    Ok(deleted.is_some_and(|deleted| deleted.project.is_none() || context.is_past(deleted.deletion.until())))
}

/// The project that a row is of; tells when there is none.
pub(super) fn project_of(
    subject: &Subject<'_>,
    context: &CheckContext<'_>,
) -> Result<(OrgId, ProjectKey), Stop> {
    let (org, project) = (subject.part("org", context)?, subject.part("KEY", context)?);
    there_or_deleted(context, org, &project)?;
    Ok((org, project))
}

fn workflow(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    subject.read::<Workflow>(context).map(drop)
}

fn member(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let member: ProjectMember = subject.read(context)?;
    subject.is_named(context, &keys::project_member(org, &project, member.user));
    copied_name(context, org, member.user, &member.display_name)
}

fn number(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context).map(drop)
}

fn label(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let label: Label = subject.read(context)?;
    subject.is_named(context, &keys::label(org, &project, &label.name));
    Ok(())
}

/// After this long a replacement should have been carried out in every item.
const CARRIED_OUT: SignedDuration = SignedDuration::from_mins(10);

fn replacement(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let work: Replacement = subject.read(context)?;
    subject.is_named(context, &keys::replacement(org, &project, work.id));
    if CARRIED_OUT < context.now().duration_since(work.at) {
        context.waiting("it has not been carried out in every item");
    }
    Ok(())
}

/// One that cannot be used does no harm, but for the time that a cold start takes.
fn snapshot(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    let named: feed_snapshots::Named = subject.read(context)?;
    if context.blob(&named.key())?.is_none() {
        context.broken("the snapshot that it names is gone");
    }
    Ok(())
}

fn templates(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    subject.read::<Templates>(context).map(drop)
}

fn intakes(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    for intake in subject.read::<Intakes>(context)?.0 {
        let address = keys::intake_address(&intake.address_hash);
        let what = "address of one of them";
        if context.need::<Place>(&address, what)?.is_some_and(|place| place.intake != intake.id) {
            context.broken("the address of one of them leads to another");
        }
    }
    Ok(())
}

/// Its item may be gone since.
fn arrival(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    subject.read::<Arrival>(context)?;
    if subject.row.ttl.is_none() {
        context.broken("it never expires");
    }
    Ok(())
}

fn intake_address(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let Place { org, project, intake } = subject.read(context)?;
    if is_gone(context, org, &project)? {
        return Ok(());
    }
    let all: Option<Intakes> = context.need(&keys::intakes(org, &project), "intakes of its project")?;
    let named = |known: &Intake| keys::intake_address(&known.address_hash) == subject.row.key;
    if all.is_some_and(|all| !all.find(intake).is_some_and(named)) {
        context.broken("its intake has another address");
    }
    Ok(())
}

fn milestones(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    let milestones: Milestones = subject.read(context)?;
    let ids: BTreeSet<_> = milestones.0.iter().map(|milestone| milestone.id).collect();
    let names: BTreeSet<_> = milestones.0.iter().map(|milestone| folded(&milestone.name)).collect();
    if ids.len() < milestones.0.len() || names.len() < milestones.0.len() {
        context.broken("two of them have one id or name");
    }
    Ok(())
}

/// What it became may be gone since.
fn imported(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let ImportedRecord { source, kind, id, .. } = subject.read(context)?;
    subject.is_named(context, &keys::imported(org, &project, kind.as_str(), &source, &id));
    Ok(())
}

/// That the milestone of an item is there, or about to be taken off its items.
pub(super) fn has_milestone(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    let Some(id) = item.milestone else { return Ok(()) };
    let project = &item.key.project;
    let row = context.row(&keys::milestones(org, project))?;
    let known: Option<Milestones> = row.as_ref().and_then(|row| row.read().ok());
    if known.is_some_and(|known| known.get(id).is_some()) {
        return Ok(());
    }
    let under_way: Vec<Replacement> =
        context.all(keys::project_pk(org, project), keys::REPLACEMENT_PREFIX)?;
    let leaves = |work: &Replacement| matches!(&work.what, What::Milestone { id: gone, .. } if *gone == id);
    if under_way.iter().any(leaves) {
        context.waiting(format!("it is in the milestone {id}, which is deleted"));
    } else {
        context.broken(format!("its project has no milestone {id}"));
    }
    Ok(())
}

fn name(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let kind: String = subject.part("kind", context)?;
    let named = match kind.as_str() {
        "team" => {
            let id: TeamId = subject.read(context)?;
            let team: Option<Team> = context.need(&keys::team(org, &project, id), "team of this key")?;
            team.map(|team| team.key.as_str().to_owned())
        }
        "playbook" => {
            let id: PlaybookId = subject.read(context)?;
            let playbook: Option<Playbook> =
                context.need(&keys::playbook(org, &project, id), "playbook of this name")?;
            if playbook.as_ref().is_some_and(|playbook| !playbook.is_there()) {
                context.broken("the playbook was deleted but still claims its name");
            }
            playbook.map(|playbook| playbook.name)
        }
        other => {
            context.broken(format!("nothing in a project has a unique name as {other:?}"));
            None
        }
    };
    if let Some(named) = named {
        subject.is_named(context, &keys::project_name(org, &project, &kind, &named));
    }
    Ok(())
}
