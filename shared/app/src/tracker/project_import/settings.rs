//! Labels, milestones and sprints of a source: those of the project with the same name, or new ones.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use svc_domain::event::{ProjectEvent, SprintEvent, SprintRef};
use svc_domain::filter::check_findable;
use svc_domain::ids::{MilestoneId, SprintId};
use svc_domain::import::{self, Became, Record};
use svc_domain::label::{DEFAULT_COLOR, Label, MAX_DEFINED, composed, folded};
use svc_domain::milestone::{Milestone, Milestones};
use svc_domain::name::check_given;
use svc_domain::refusal::Refusal;
use svc_domain::sprint::{Completion, Sprint, SprintState, Work};
use svc_storage::{Condition, Key, Op, Row, keys};

use super::{Batch, Fate, OPS, in_words};
use crate::error::Result;
use crate::tracker::teams::{self, ReadRegister};
use crate::tracker::{SprintPlace, labels, sprints};

impl Batch<'_> {
    pub(super) async fn labels(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Label(label) => Some(label),
            _ => None,
        });
        let wanted: Vec<Key> = left
            .iter()
            .map(|(_, label)| keys::label(self.org, self.project, &composed(label.name.trim())))
            .collect();
        let rows = self.rows(&wanted).await?;
        let mut defined: HashMap<String, bool> = HashMap::new();
        let mut new = Vec::new();
        for ((at, record), row) in left.into_iter().zip(rows) {
            let name = composed(record.name.trim());
            let color = record.color.clone().unwrap_or_else(|| DEFAULT_COLOR.to_owned());
            let label = Label { name, color, description: String::new() };
            let is_known = row.is_some() || defined.insert(folded(&label.name), true).is_some();
            match label.check() {
                _ if is_known => self.fates[at] = Some(Fate::Unchanged),
                Ok(()) => new.push((at, label)),
                Err(errors) => self.skip(at, in_words(Refusal::Invalid(errors))),
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let room = MAX_DEFINED.saturating_sub(labels::defined(self.app, self.org, self.project).await?.len());
        for (at, _) in new.split_off(room.min(new.len())) {
            self.skip(at, format!("A project defines at most {MAX_DEFINED} labels."));
        }
        for some in new.chunks(OPS) {
            let mut transaction = self.transaction();
            for (_, label) in some {
                transaction.write([Op::create(keys::label(self.org, self.project, &label.name), label)]);
                transaction.tell(ProjectEvent::LabelCreated(self.project.clone(), label.name.clone()));
            }
            if !self.import.dry_run {
                self.app.commit(transaction).await?;
            }
            for (at, _) in some {
                self.fates[*at] = Some(Fate::Created);
            }
        }
        Ok(())
    }

    pub(super) async fn milestones(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Milestone(milestone) => Some(milestone),
            _ => None,
        });
        for some in left.chunks(OPS - 1) {
            let key = keys::milestones(self.org, self.project);
            let row = self.app.table.get(&key).await?;
            let mut all: Milestones = row.as_ref().map(Row::read).transpose()?.unwrap_or_default();
            let before = all.clone();
            let mut made = Vec::new();
            for (at, record) in some {
                match put_milestone(&mut all, record, MilestoneId(self.app.uuid()), self.now) {
                    Ok(id) => made.push((*at, Became::Milestone(id))),
                    Err(refusal) => self.skip(*at, in_words(refusal)),
                }
            }
            let mut transaction = self.transaction();
            if all != before {
                let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
                transaction.write([Op::put(key, condition, &all)]);
                transaction.tell(ProjectEvent::MilestonesChanged(self.project.clone()));
            }
            self.commit(transaction, made).await?;
        }
        Ok(())
    }

    pub(super) async fn sprints(&mut self) -> Result<()> {
        let left = self.left(|record| match record {
            Record::Sprint(sprint) => Some(sprint),
            _ => None,
        });
        if left.is_empty() {
            return Ok(());
        }
        let teams = teams::all(self.app, self.org, self.project).await?;
        let Some((team, version)) = teams.iter().find(|(team, _)| !team.archived) else {
            for (at, _) in left {
                self.skip(at, "The project has no team that plans sprints. Create one first.");
            }
            return Ok(());
        };
        let team_row = Op::check(keys::team(self.org, self.project, team.id), Condition::Version(*version));
        let all = sprints::all(self.app, self.org, self.project).await?;
        let mut names: HashMap<String, SprintId> =
            all.into_iter().map(|(sprint, _)| (sprint.name.to_lowercase(), sprint.id)).collect();
        for (at, record) in left {
            let name = record.name.trim().to_owned();
            if let Some(known) = names.get(&name.to_lowercase()) {
                let became = Became::Sprint(*known);
                self.commit(self.transaction(), vec![(at, became)]).await?;
                continue;
            }
            let row = self.app.table.find(&keys::sprint_register(self.org, self.project)).await?;
            let mut register = ReadRegister::of(row.as_ref())?;
            let mut sprint = Sprint {
                id: SprintId(self.app.uuid()),
                team: team.id,
                name,
                goal: record.goal.clone(),
                start: record.start,
                end: record.end,
                capacity: None,
                state: SprintState::Planned,
                created_at: self.now,
                started_at: None,
                completion: None,
            };
            let fits = sprint.check().and_then(|()| check_given("name", &sprint.name, None));
            if let Err(errors) = fits.and_then(|()| check_findable(&sprint.name, None)) {
                self.skip(at, in_words(Refusal::Invalid(errors)));
                continue;
            }
            if let Err(refusal) = register.register.plan(team.id) {
                self.skip(at, in_words(refusal));
                continue;
            }
            self.bring_to(at, &mut sprint, record, &mut register);
            names.insert(sprint.name.to_lowercase(), sprint.id);
            let place = SprintPlace { org: self.org, project: self.project.clone() };
            let transaction = self.transaction().with([
                Op::create(keys::sprint(self.org, self.project, sprint.id), &sprint),
                Op::create(keys::sprint_ref(sprint.id), &place),
                register.write(self.org, self.project),
                team_row.clone(),
            ]);
            let named = SprintRef { project: self.project.clone(), id: sprint.id, name: sprint.name.clone() };
            let transaction = transaction.telling(SprintEvent::Planned(named));
            self.commit(transaction, vec![(at, Became::Sprint(sprint.id))]).await?;
        }
        Ok(())
    }

    /// Brings a planned sprint to the state that it has at the source, if its team can have one more of those.
    fn bring_to(
        &mut self,
        at: usize,
        sprint: &mut Sprint,
        record: &import::Sprint,
        register: &mut ReadRegister,
    ) {
        let begun = midnight(record.start).map_or(self.now, |day| day.min(self.now));
        match record.state {
            None | Some(SprintState::Planned) => {}
            Some(SprintState::Active) => match register.register.start(sprint.team, sprint.id) {
                Ok(()) => (sprint.state, sprint.started_at) = (SprintState::Active, Some(begun)),
                Err(_) => self.note(at, "Its team has an active sprint; it comes as a planned one."),
            },
            Some(SprintState::Completed) => {
                // It was never the active one here.
                register.register.delete(sprint.team);
                register.register.add_completed(sprint.team);
                let over = record.end.and_then(|day| day.tomorrow().ok());
                let over = midnight(over).map_or(self.now, |day| day.clamp(begun, self.now));
                sprint.state = SprintState::Completed;
                sprint.started_at = Some(begun);
                let by = self.entry.actor().clone();
                sprint.completion =
                    Some(Completion { at: over, by, unfinished_to: None, work: Work::default() });
            }
        }
    }
}

/// The begin of a day.
fn midnight(day: Option<Date>) -> Option<Timestamp> {
    Some(day?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The milestone of the same name, or a new one.
fn put_milestone(
    all: &mut Milestones,
    record: &import::Milestone,
    id: MilestoneId,
    now: Timestamp,
) -> Result<MilestoneId, Refusal> {
    let name = record.name.trim();
    if let Some(known) = all.0.iter().find(|known| folded(&known.name) == folded(name)) {
        return Ok(known.id);
    }
    check_given("name", name, None)?;
    all.put(Milestone {
        id,
        version: 1,
        name: name.to_owned(),
        description: record.description.clone(),
        due: record.due,
        created_at: now,
        closed_at: record.closed.then_some(now),
    })?;
    Ok(id)
}
