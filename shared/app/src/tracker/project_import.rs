//! Brings records from elsewhere into a project.
//!
//! Protocol.
//! 1. What a record became is a row of its own, named by source, kind and id ([`ImportedRecord`]), and written in the
//!    commit that makes it. So a record comes once, however often it is sent: again after a cut, or twice at once.
//! 2. Records are taken kind by kind, in the order in which they name each other. Each kind is a few commits of many
//!    records; one that conflicts is decided again from what there is then.
//! 3. Items and comments are saved as any others: lists, counts, search and live pages see them. What happened is told
//!    as an import ([`ItemEvent::Imported`](svc_domain::event::ItemEvent::Imported)), by which no rule, mention, budget
//!    or agent begins anything, and no notification is sent.
//! 4. What cannot come is told with the reason, and keeps nothing else from coming.
//!
//! Who may import writes under the names of others. So people are found by their addresses only for those who see the
//! addresses: Owners and Admins of the organization. Everybody else finds themselves.

mod comments;
mod items;
mod links;
mod people;
mod settings;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey, UserId};
use svc_domain::import::{self, Became, ImportedRecord, Kind, Record, Skipped, Who};
use svc_domain::refusal::Refusal;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Key, Limits, Op, Row, keys};

use crate::App;
use crate::entry::{BearerCredential, Caller, Entry, enter_project_with};
use crate::error::{Error, Result, is_conflict};
use crate::tracker::workflow::VersionedWorkflow;
use crate::transaction::Transaction;

/// How often records of a kind are decided anew because of others.
const ATTEMPTS: u32 = 8;
/// Operations and bytes of one commit, with room for what follows from its events as a whole.
const OPS: usize = Limits::OPS - 6;
const BYTES: usize = Limits::COMMIT_BYTES / 2;

/// Records to bring in.
#[derive(Clone, Debug)]
pub struct Import {
    /// Where they come from.
    pub source: String,
    /// Whether to say only what would come.
    pub dry_run: bool,
    /// The records.
    pub records: Vec<Record>,
}

/// What came.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Records that came.
    pub created: u64,
    /// Records that had come before.
    pub unchanged: u64,
    /// Records that changed what had come.
    pub changed: u64,
    /// What did not come.
    pub skipped: Vec<Skipped>,
    /// The items by the ids of their records.
    pub items: Vec<(String, ItemKey)>,
}

/// The workflow of a project, for those who may import into it.
///
/// # Errors
/// What [`Capability::ConfigureProject`] refuses.
pub async fn workflow(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<VersionedWorkflow> {
    let wanted = |org| keys::workflow(org, project);
    let (_, row) = enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    Ok(VersionedWorkflow { workflow: row.read()?, version: row.version })
}

/// Brings records into a project.
///
/// # Errors
/// [`Refusal::Forbidden`] for callers that are no Admin of the project; a source that is
/// none, too many records. What is wrong with a record is in the outcome.
pub async fn import(app: &App, caller: Caller<'_>, project: &ProjectKey, import: &Import) -> Result<Outcome> {
    // It is many transactions, and harmless to repeat: none is that of the request.
    let credential = caller.credential.map(BearerCredential::unkeyed);
    let caller = Caller { credential: credential.as_ref(), ..caller };
    let wanted = |org| keys::workflow(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    import::check(&import.source, import.records.len())?;
    let workflow = app.parse_cache.workflow(row)?;
    let mut batch = Batch::new(app, caller, (&entry, &workflow), project, import);
    batch.refuse_unfit();
    batch.load().await?;
    for phase in PHASES {
        batch.settle(phase).await?;
    }
    Ok(batch.outcome())
}

/// What is taken at once. The order is that in which records name each other.
#[derive(Clone, Copy)]
enum Phase {
    People,
    Labels,
    Milestones,
    Sprints,
    Items,
    Comments,
    Links,
    Attachments,
}

const PHASES: [Phase; 8] = [
    Phase::People,
    Phase::Labels,
    Phase::Milestones,
    Phase::Sprints,
    Phase::Items,
    Phase::Comments,
    Phase::Links,
    Phase::Attachments,
];

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Created,
    Changed,
    Unchanged,
    Skipped,
}

/// A record by its kind and id.
type Name = (Kind, String);

/// Records on their way.
struct Batch<'a> {
    app: &'a App,
    caller: Caller<'a>,
    entry: &'a Entry,
    workflow: &'a Arc<Workflow>,
    org: OrgId,
    project: &'a ProjectKey,
    import: &'a Import,
    now: Timestamp,
    /// What records became, and the versions of the rows that say so: 0 where it is not written yet.
    known: HashMap<Name, (Became, u64)>,
    /// By the places of the records.
    fates: Vec<Option<Fate>>,
    skipped: Vec<Skipped>,
    members: HashMap<UserId, Option<Actor>>,
    /// Whether the importer sees the addresses of members.
    sees_addresses: bool,
}

impl<'a> Batch<'a> {
    fn new(
        app: &'a App,
        caller: Caller<'a>,
        (entry, workflow): (&'a Entry, &'a Arc<Workflow>),
        project: &'a ProjectKey,
        import: &'a Import,
    ) -> Self {
        Self {
            app,
            caller,
            entry,
            workflow,
            org: entry.org_id(),
            project,
            import,
            now: app.now(),
            known: HashMap::new(),
            fates: vec![None; import.records.len()],
            skipped: Vec::new(),
            members: HashMap::new(),
            sees_addresses: entry.access.require(Capability::SeeAdministration).is_ok(),
        }
    }

    /// Leaves out records that have no good id, or stand twice in the request.
    fn refuse_unfit(&mut self) {
        let mut seen = HashSet::new();
        for (at, record) in self.import.records.iter().enumerate() {
            if let Some(problem) = import::id_problem(&record.id()) {
                self.skip(at, problem);
            } else if !seen.insert((record.kind(), record.id())) {
                self.skip(at, "The request has it twice.");
            }
        }
    }

    /// Reads what the records became, and those that they name.
    async fn load(&mut self) -> Result<()> {
        let own = self.import.records.iter().map(|record| (record.kind(), record.id()));
        let named = self.import.records.iter().flat_map(Record::names);
        let names: HashSet<Name> = own.chain(named.map(|(kind, id)| (kind, id.to_owned()))).collect();
        let rows: Vec<Key> = names.iter().map(|(kind, id)| self.row(*kind, id)).collect();
        self.known.retain(|_, (_, version)| *version > 0);
        for row in self.rows(&rows).await?.into_iter().flatten() {
            let ImportedRecord { kind, id, became, .. } = row.read()?;
            self.known.insert((kind, id), (became, row.version));
        }
        Ok(())
    }

    /// Any number of rows, in the order of their keys.
    async fn rows(&self, keys: &[Key]) -> Result<Vec<Option<Row>>> {
        let reads = keys.chunks(Limits::KEYS).map(|some| self.app.table.get_many(some));
        Ok(futures::future::try_join_all(reads).await?.concat())
    }

    fn row(&self, kind: Kind, id: &str) -> Key {
        keys::imported(self.org, self.project, kind.as_str(), &self.import.source, id)
    }

    /// The row that says what a record became.
    fn imported(&self, at: usize, became: &Became) -> Op {
        let record = &self.import.records[at];
        let (kind, id) = (record.kind(), record.id());
        let row = self.row(kind, &id);
        let source = self.import.source.clone();
        let doc = ImportedRecord { source, kind, id: id.clone(), became: became.clone() };
        let version = self.version(at);
        let condition = if version == 0 { Condition::Absent } else { Condition::Version(version) };
        Op::put(row, condition, &doc)
    }

    /// The version of the row that says what a record became; 0 where there is none.
    fn version(&self, at: usize) -> u64 {
        let record = &self.import.records[at];
        self.known.get(&(record.kind(), record.id())).map_or(0, |(_, version)| *version)
    }

    /// Takes records of a kind until nothing comes between.
    async fn settle(&mut self, phase: Phase) -> Result<()> {
        for attempt in 1.. {
            match self.take(phase).await {
                Err(error) if is_conflict(&error) && attempt < ATTEMPTS => self.load().await?,
                taken => return taken,
            }
        }
        Ok(())
    }

    async fn take(&mut self, phase: Phase) -> Result<()> {
        match phase {
            Phase::People => self.people().await,
            Phase::Labels => self.labels().await,
            Phase::Milestones => self.milestones().await,
            Phase::Sprints => self.sprints().await,
            Phase::Items => self.items().await,
            Phase::Comments => self.comments().await,
            Phase::Links => self.links().await,
            Phase::Attachments => self.attachments().await,
        }
    }

    /// The records that are left, of those that this picks. What came before is done.
    fn left<T>(&mut self, pick: impl Fn(&'a Record) -> Option<T>) -> Vec<(usize, T)> {
        let import = self.import;
        let mut left = Vec::new();
        for (at, record) in import.records.iter().enumerate() {
            let Some(picked) = pick(record).filter(|_| self.fates[at].is_none()) else { continue };
            // A person may be another member than before.
            if record.kind() != Kind::Person && self.version(at) > 0 {
                self.fates[at] = Some(Fate::Unchanged);
            } else {
                left.push((at, picked));
            }
        }
        left
    }

    /// What a record of the source became.
    fn became(&self, kind: Kind, id: &str) -> Option<&Became> {
        self.known.get(&(kind, id.to_owned())).map(|(became, _)| became)
    }

    /// The key that the item of a record got.
    fn item_key(&self, id: &str) -> Option<&ItemKey> {
        match self.became(Kind::Item, id)? {
            Became::Item(key) => Some(key),
            _ => None,
        }
    }

    /// The person that a record names; reports one that is not among the records.
    fn who(&mut self, at: usize, id: Option<&String>) -> Option<Who> {
        let id = id?;
        let found = match self.became(Kind::Person, id) {
            Some(Became::Person { name, user }) => {
                let me = self.entry.actor().id;
                let may = |user: &UserId| self.sees_addresses || ActorId::User(*user) == me;
                let user = user.as_ref().filter(|user| may(user));
                let member = user.and_then(|user| self.members.get(user).cloned().flatten());
                Some(member.map_or_else(|| Who::Named(name.clone()), Who::Member))
            }
            _ => None,
        };
        if found.is_none() && !self.import.dry_run {
            self.note(
                at,
                format!("There is no person {id:?} among the records; the text has the id instead."),
            );
        }
        Some(found.unwrap_or_else(|| Who::Named(id.clone())))
    }

    /// The importer, and the time of the import.
    fn by(&self) -> (Actor, Timestamp) {
        (self.entry.actor().clone(), self.now)
    }

    /// Writes what these records became, all or nothing; in a dry run, only takes note.
    async fn commit(&mut self, transaction: Transaction, made: Vec<(usize, Became)>) -> Result<()> {
        if !self.import.dry_run {
            let rows: Vec<Op> = made.iter().map(|(at, became)| self.imported(*at, became)).collect();
            self.app.commit(transaction.with(rows)).await?;
        }
        for (at, became) in made {
            let record = &self.import.records[at];
            let version = self.version(at);
            self.fates[at] = Some(if version == 0 { Fate::Created } else { Fate::Changed });
            self.known.insert((record.kind(), record.id()), (became, version + 1));
        }
        Ok(())
    }

    /// A transaction of the importer.
    fn transaction(&self) -> Transaction {
        Transaction::of(self.app, self.entry)
    }

    /// Tells that something of a record is left out.
    fn note(&mut self, at: usize, reason: impl Into<String>) {
        let record = &self.import.records[at];
        let skipped = Skipped { kind: record.kind(), id: shortened(record.id()), reason: reason.into() };
        if !self.skipped.contains(&skipped) {
            self.skipped.push(skipped);
        }
    }

    /// Leaves a record out.
    fn skip(&mut self, at: usize, reason: impl Into<String>) {
        self.note(at, reason);
        self.fates[at] = Some(Fate::Skipped);
    }

    /// Leaves a record out for what the rules say, and passes on every other error.
    fn skip_refused(&mut self, at: usize, error: Error) -> Result<()> {
        let Error::Refused(refusal) = error else { return Err(error) };
        self.skip(at, in_words(refusal));
        Ok(())
    }

    fn outcome(self) -> Outcome {
        let count = |fate| self.fates.iter().filter(|known| **known == Some(fate)).count() as u64;
        // In a dry run, those that would come have no keys.
        let has_key = |fate| match fate {
            Some(Fate::Created) => !self.import.dry_run,
            Some(Fate::Unchanged | Fate::Changed) => true,
            Some(Fate::Skipped) | None => false,
        };
        let item = |(record, fate): (&Record, &Option<Fate>)| match record {
            Record::Item(item) if has_key(*fate) => Some((item.id.clone(), self.item_key(&item.id)?.clone())),
            _ => None,
        };
        Outcome {
            created: count(Fate::Created),
            unchanged: count(Fate::Unchanged),
            changed: count(Fate::Changed),
            items: self.import.records.iter().zip(&self.fates).filter_map(item).collect(),
            skipped: self.skipped,
        }
    }
}

/// An id that is told to people.
fn shortened(id: String) -> String {
    match id.char_indices().nth(2 * import::MAX_ID) {
        Some((end, _)) => id[..end].to_owned(),
        None => id,
    }
}

/// Why the rules say no, for people.
fn in_words(refusal: Refusal) -> String {
    match refusal {
        Refusal::Invalid(errors) | Refusal::InvalidQuery(errors) => {
            errors.0.into_values().flatten().collect::<Vec<_>>().join(" ")
        }
        Refusal::NotFound | Refusal::ItemDeleted { .. } | Refusal::ItemTransferred { .. } => {
            "The item is no longer in the project.".to_owned()
        }
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            letters
                .next()
                .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
        }
    }
}
