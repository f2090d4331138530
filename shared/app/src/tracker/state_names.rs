//! What names workflow states in a project besides its items: playbooks, rules and refinement settings. Makes
//! sure that these states exist.
//!
//! Protocol.
//! 1. A use case that saves something that names states makes the commit conditional on the workflow as it was read, and
//!    raises a counter in it ([`saving`]).
//! 2. A change of the workflow reads the counter before everything that names states, and makes the commit
//!    conditional on the counter as it was read ([`StateNames::follow`]).
//! 3. So if a save and a change happen at the same moment, the later commit is refused, and decides again with
//!    what the other one wrote.

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::playbook::Playbook;
use svc_domain::refinement::RefinementSettings;
use svc_domain::rule::Rules;
use svc_domain::workflow::{Move, Naming, Workflow};
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use crate::App;
use crate::error::Result;

/// What the commit of a save demands and raises; `workflow` is the row that its states were checked by.
pub(crate) fn saving(org: OrgId, project: &ProjectKey, workflow: &Row) -> [Op; 2] {
    [workflow.unchanged(), Op::add(keys::state_namings(org, project), "saves", 1)]
}

/// Everything in a project that names states, as it was read.
pub(super) struct StateNames {
    counter: Op,
    playbooks: Vec<Read<Playbook>>,
    refinement: Option<Read<RefinementSettings>>,
    rules: Option<Read<Rules>>,
}

/// A row and what it says.
struct Read<T> {
    row: Row,
    record: T,
}

impl StateNames {
    /// Reads it all, after `counter`.
    pub(super) async fn read(
        app: &App,
        org: OrgId,
        project: &ProjectKey,
        counter: Option<&Row>,
    ) -> Result<Self> {
        let unchanged = counter.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let range = Range::Prefix(keys::PLAYBOOK_PREFIX.to_owned());
        let refinement = keys::refinement_settings(org, project);
        let rules = keys::rules(org, project);
        let (playbooks, refinement, rules) = futures::try_join!(
            app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)),
            app.table.get(&refinement),
            app.table.get(&rules),
        )?;
        Ok(Self {
            counter: Op::check(keys::state_namings(org, project), unchanged),
            playbooks: playbooks.into_iter().map(Read::of).collect::<Result<_>>()?,
            refinement: refinement.map(Read::of).transpose()?,
            rules: rules.map(Read::of).transpose()?,
        })
    }

    /// The states that are named.
    pub(super) fn namings(&self) -> Vec<Naming> {
        let of_playbooks = self.playbooks.iter().flat_map(|playbook| playbook.record.namings());
        let of_rules = self.rules.iter().flat_map(|rules| rules.record.namings());
        let of_refinement = self.refinement.iter().filter_map(|settings| settings.record.naming());
        of_playbooks.chain(of_refinement).chain(of_rules).collect()
    }

    /// What the commit of a new workflow writes and demands: the states that come for those that go, as the
    /// workflow writes them.
    pub(super) fn follow(self, workflow: &Workflow, moves: &[Move]) -> Vec<Op> {
        let playbooks = self.playbooks.into_iter();
        let playbooks =
            playbooks.filter_map(|read| read.changed(|playbook| playbook.follow(workflow, moves)));
        let refinement = self.refinement.into_iter();
        let refinement =
            refinement.filter_map(|read| read.changed(|settings| settings.follow(workflow, moves)));
        let rules = self.rules.into_iter();
        let rules = rules.filter_map(|read| read.changed(|rules| rules.follow(workflow, moves)));
        playbooks.chain(refinement).chain(rules).chain([self.counter]).collect()
    }
}

impl<T: Clone + PartialEq + Serialize + DeserializeOwned> Read<T> {
    fn of(row: Row) -> Result<Self> {
        Ok(Self { record: row.read()?, row })
    }

    /// The operation that writes a change, if it is one.
    fn changed(self, change: impl FnOnce(&mut T)) -> Option<Op> {
        let mut new = self.record.clone();
        change(&mut new);
        (new != self.record).then(|| Op::replace(self.row.key, self.row.version, &new))
    }
}
