//! What becomes of reports: the table that opens `shared/domain/src/intake.rs`.
//!
//! Protocol.
//! 1. The address leads to the intake, which must have it still. Whoever does not have it is told that there is nothing.
//! 2. The intake acts with the rights of the Admin who saved it last, as they are at that moment: it makes nothing in an
//!    archived project, a read-only organization, or for somebody who is no Admin any more.
//!    An item that was moved to another project is commented on and moved only if that person may work there.
//! 3. One commit makes the item of a key and the row that says so. So of two reports of one key at the same moment, one
//!    makes the item, and the other is decided again and counted.
//! 4. A comment and a move that follow a report are commits of their own, and the row of the key goes last: what is cut
//!    off is done again by the next report.

use std::collections::BTreeSet;

use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::event::{CommentEvent, CommentRef, Event, ItemEvent};
use svc_domain::ids::{Actor, ActorId, CommentId, ItemKey, OrgId, ProjectKey};
use svc_domain::intake::{Arrival, Intake, MAX_REPORTS, REMEMBERED, REPORTS_A_MINUTE, Report};
use svc_domain::item::{Item, ItemEdit, ItemType, LabelEdit, Writer};
use svc_domain::label::{Label, folded};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::template::{Template, Templates};
use svc_domain::workflow::{StateGroup, Workflow};
use svc_storage::{Condition, Key, Op, Row, RowOf, keys};

use super::Place;
use crate::App;
use crate::budget::spend;
use crate::entry::{Entry, enter_as, enter_as_with};
use crate::error::{Error, Result};
use crate::secrets;
use crate::tracker::ItemChange;
use crate::tracker::counts::{Delta, recounted};
use crate::tracker::gone::key_now;
use crate::tracker::items::{edit_item, next_number};
use crate::transaction::Transaction;
use crate::wanted;

/// An intake that reports have arrived at.
#[derive(Clone, Debug)]
pub struct Admitted {
    place: Place,
    intake: Intake,
}

impl Admitted {
    /// The intake.
    pub const fn intake(&self) -> &Intake {
        &self.intake
    }
}

/// What became of the reports of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// New items.
    pub created: u32,
    /// Reports of things that have an open item.
    pub repeated: u32,
    /// Reports by which such a thing is over.
    pub resolved: u32,
}

/// Finds the intake of an address.
///
/// # Errors
/// [`Refusal::NotFound`] for an address that there is not, or of an intake that is disabled; [`Refusal::RateLimited`].
pub async fn admit(app: &App, address: &str) -> Result<Admitted> {
    let hash = secrets::hash(address);
    let row = app.table.get(&keys::intake_address(&hash)).await?.ok_or(Refusal::NotFound)?;
    let place: Place = row.read()?;
    let row = app.table.find(&keys::intakes(place.org, &place.project)).await?;
    let intakes = RowOf::or_default(row.as_ref())?;
    let found = intakes.find(place.intake).filter(|intake| intake.address_hash == hash && !intake.disabled);
    let intake = found.ok_or(Refusal::NotFound)?.clone();
    spend(app, &format!("intake:{}", intake.id), REPORTS_A_MINUTE).await?;
    Ok(Admitted { place, intake })
}

/// Does what the reports of a delivery ask for, of the first [`MAX_REPORTS`].
///
/// # Errors
/// [`Refusal::RateLimited`]; what [`Capability::ConfigureProject`] refuses the Admin who saved the intake.
pub async fn receive(app: &App, at: &Admitted, reports: &[Report]) -> Result<Receipt> {
    let mut receipt = Receipt::default();
    for (n, report) in reports.iter().take(MAX_REPORTS).enumerate() {
        if n > 0 {
            // The first was paid for when it was admitted.
            spend(app, &format!("intake:{}", at.intake.id), REPORTS_A_MINUTE).await?;
        }
        match app.decide(|| one(app, at, report)).await? {
            Became::Created => receipt.created += 1,
            Became::Repeated => receipt.repeated += 1,
            Became::Resolved => receipt.resolved += 1,
            Became::Nothing => {}
        }
    }
    Ok(receipt)
}

enum Became {
    Created,
    Repeated,
    Resolved,
    Nothing,
}

async fn one(app: &App, at: &Admitted, report: &Report) -> Result<Became> {
    let turn = Turn::enter(app, at, report).await?;
    let open = turn.open_item().await?;
    match (open, report.resolved) {
        (None, false) => turn.create().await.map(|()| Became::Created),
        (None, true) => Ok(Became::Nothing),
        (Some(item), false) => turn.repeat(item).await.map(|()| Became::Repeated),
        (Some(item), true) => turn.resolve(item).await,
    }
}

/// A report on its way, in a project as it is.
struct Turn<'a> {
    app: &'a App,
    at: &'a Admitted,
    report: &'a Report,
    entry: Entry,
    workflow: Option<RowOf<Workflow>>,
    templates: Templates,
    /// The row of the report's key.
    arrival: Option<(RowOf<Arrival>, Arrival)>,
}

/// The open item of a report's key.
struct Open {
    row: RowOf<Item>,
    item: Item,
    /// Whether the intake may write to it.
    writes: bool,
}

impl<'a> Turn<'a> {
    async fn enter(app: &'a App, at: &'a Admitted, report: &'a Report) -> Result<Self> {
        let Place { org, project, .. } = &at.place;
        let ActorId::User(by) = at.intake.by.id else { return Err(Refusal::NotFound.into()) };
        let arrival = report.key.as_deref().map(|key| keys::arrival(*org, project, at.intake.id, key));
        let wanted = |org| (keys::workflow(org, project), keys::templates(org, project), arrival.clone());
        let (entry, (workflow, templates, arrival)) = enter_as_with(app, *org, by, project, wanted).await?;
        entry.access.require(Capability::ConfigureProject)?;
        let templates = RowOf::or_default(templates.as_ref())?;
        let arrival = arrival.map(|row| Ok::<_, Error>((row.clone(), row.read()?))).transpose()?;
        Ok(Self { app, at, report, entry, workflow, templates, arrival })
    }

    const fn org(&self) -> OrgId {
        self.at.place.org
    }

    const fn project(&self) -> &ProjectKey {
        &self.at.place.project
    }

    fn actor(&self) -> Actor {
        self.at.intake.actor()
    }

    fn transaction(&self) -> Transaction {
        Transaction::on_behalf(self.app, self.org(), &self.actor())
    }

    /// The open item of the report's key, wherever it was moved.
    async fn open_item(&self) -> Result<Option<Open>> {
        let Some((_, Arrival { item, .. })) = &self.arrival else { return Ok(None) };
        let key = key_now(self.app, self.org(), item).await?.unwrap_or_else(|| item.clone());
        let Some(row) = self.app.table.find(&keys::item(self.org(), &key)).await? else { return Ok(None) };
        let item: Item = row.read()?;
        if item.resolved_at.is_some() {
            return Ok(None);
        }
        let writes = key.project == *self.project() || self.works_in(&key.project).await?;
        Ok(Some(Open { row, item, writes }))
    }

    /// Whether the Admin who saved the intake may work in another project.
    async fn works_in(&self, project: &ProjectKey) -> Result<bool> {
        let ActorId::User(by) = self.at.intake.by.id else { return Ok(false) };
        match enter_as(self.app, self.org(), by, project).await {
            Ok(entry) => Ok(entry.access.require(Capability::Work).is_ok()),
            Err(Error::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn create(&self) -> Result<()> {
        let (org, project, by, now) = (self.org(), self.project(), self.actor(), self.app.now());
        let workflow_row = self.workflow.as_ref().ok_or(Refusal::NotFound)?;
        let workflow = self.app.parse_cache.workflow(self.workflow.clone())?;
        let state = workflow.first();
        let template = self.at.intake.template.and_then(|id| self.templates.find(&id.to_string()));
        // A subtask needs a parent, which no report has.
        let item_type = template.map(|template| template.item_type).filter(|kind| *kind != ItemType::Subtask);
        let undrawn = ItemKey { project: project.clone(), number: 0 };
        let item_type = item_type.unwrap_or(ItemType::Task);
        let mut item = Item::new(undrawn, item_type, String::new(), state.name.clone(), by, now);
        item.enter(&state.name, state.group, now);
        let edit = self.fields(template).await?;
        let mut checks = edit_item(self.app, &self.entry, &mut item, edit, FieldErrors::default()).await?.1;
        // The words are the stranger's, not those of the Admin whose rights it takes.
        (item.title_by, item.body_by) = (Writer::Creator, Writer::Creator);
        checks.push(workflow_row.unchanged());
        item.key.number = next_number(self.app, org, project).await?;
        let key = item.key.clone();
        let mut change = ItemChange::create(org, item);
        if workflow.rules {
            let state = state.name.clone();
            change.tell(ItemEvent::StateEntered { item: key.clone(), state, run: None });
        }
        change.tell(ItemEvent::Received(key.clone()));
        let mut transaction = self.transaction();
        transaction.save(change);
        transaction.write(self.arrived(key, false, 1));
        self.app.commit(transaction.with(checks)).await
    }

    /// What the template and the report give an item.
    async fn fields(&self, template: Option<&Template>) -> Result<ItemEdit> {
        let Report { title, body, labels, .. } = self.report;
        let title =
            if title.is_empty() { format!("Report at {}", self.at.intake.name) } else { title.clone() };
        let body = match template.map(|template| template.body.trim()).filter(|text| !text.is_empty()) {
            Some(before) if body.is_empty() => before.to_owned(),
            Some(before) => format!("{before}\n\n---\n\n{body}"),
            None => body.clone(),
        };
        let mut all: BTreeSet<String> = template.map(|template| template.labels.clone()).unwrap_or_default();
        all.extend(self.own_labels(labels).await?);
        Ok(ItemEdit {
            title: Some(title),
            body: Some(body),
            priority: template.and_then(|template| template.priority),
            labels: LabelEdit::Replace(all.into_iter().collect()),
            ..ItemEdit::default()
        })
    }

    /// Those of these labels that the project defines, as it writes them: a stranger makes none.
    async fn own_labels(&self, labels: &[String]) -> Result<Vec<String>> {
        let names: BTreeSet<String> =
            labels.iter().filter(|label| !label.is_empty()).map(|label| folded(label)).collect();
        let wanted: Vec<Key> =
            names.iter().map(|name| keys::label(self.org(), self.project(), name)).collect();
        let rows = wanted::load(self.app, wanted).await?;
        let read = |row: Row| Ok(row.read::<Label>()?.name);
        rows.into_iter().flatten().map(read).collect()
    }

    /// The row of the report's key as it is after it.
    fn arrived(&self, item: ItemKey, resolved: bool, count: u64) -> Option<Op> {
        let key = self.report.key.as_deref()?;
        let row = keys::arrival(self.org(), self.project(), self.at.intake.id, key);
        let condition =
            self.arrival.as_ref().map_or(Condition::Absent, |(row, _)| Condition::Version(row.version));
        let arrival = Arrival { item, count, last_at: self.app.now(), resolved };
        Some(Op::put(row, condition, &arrival).expiring((self.app.now() + REMEMBERED).as_second()))
    }

    /// Counts a report of an item.
    async fn count(&self, item: &Item, resolved: bool) -> Result<()> {
        let before = self.arrival.as_ref().map_or(0, |(_, arrival)| arrival.count);
        let ops = self.arrived(item.key.clone(), resolved, before + u64::from(!resolved));
        self.app.commit(Transaction::bookkeeping(self.app).within(self.org()).with(ops)).await
    }

    async fn repeat(&self, Open { row, item, writes }: Open) -> Result<()> {
        if self.at.intake.comments_repeats && writes {
            let times = self.arrival.as_ref().map_or(1, |(_, arrival)| arrival.count + 1);
            self.comment(&row, &item.key, &format!("Reported again (report {times}).")).await?;
        }
        self.count(&item, false).await
    }

    async fn resolve(&self, Open { row, item, writes }: Open) -> Result<Became> {
        if self.arrival.as_ref().is_some_and(|(_, arrival)| arrival.resolved) {
            return Ok(Became::Nothing);
        }
        if self.at.intake.comments_resolved && writes {
            self.comment(&row, &item.key, "Reported as resolved.").await?;
        }
        if self.at.intake.closes_resolved && writes {
            self.close(&item.key).await?;
        }
        self.count(&item, true).await?;
        Ok(Became::Resolved)
    }

    /// Writes a comment by the intake. It mentions nobody, whatever its text.
    async fn comment(&self, item: &Row, key: &ItemKey, first: &str) -> Result<()> {
        let org = self.org();
        let body = format!("{first}\n\n{}", self.report.body).trim().to_owned();
        let comment = Comment::new(CommentId(self.app.uuid()), self.actor(), body, self.app.now());
        let told = CommentEvent::Created(CommentRef::of(key, &comment));
        let mut transaction = self.transaction();
        transaction.write([Op::create(keys::comment(org, key, comment.id), &comment)]);
        // By nobody, so that nobody begins to watch the item by it.
        transaction.tell_in(org, None, Event::Comment(told));
        let delta = Delta { comments: 1, attachments: 0, by: None };
        transaction.save(recounted(self.app, org, item, delta).await?);
        self.app.commit(transaction).await
    }

    /// Moves an item to the first resolved state, where its workflow permits that and no agent works on it.
    async fn close(&self, key: &ItemKey) -> Result<()> {
        let wanted = (keys::item(self.org(), key), keys::workflow(self.org(), &key.project));
        let (row, workflow) = wanted::load(self.app, wanted).await?;
        let (Some(row), Some(workflow)) = (row, workflow) else { return Ok(()) };
        let (item, workflow) = (row.read()?, workflow.read()?);
        let ends = [StateGroup::Resolved, StateGroup::Closed];
        let reachable = workflow.reachable(&item.state);
        let found = ends.iter().find_map(|end| reachable.iter().find(|state| state.group == *end));
        let Some(state) = found.filter(|_| item.live_run.is_none() && item.resolved_at.is_none()) else {
            return Ok(());
        };
        let (from, to) = (item.state.clone(), state.name.clone());
        let mut change = ItemChange::update(self.org(), item, row.version);
        change.item.enter(&to, state.group, self.app.now());
        if workflow.rules {
            let (item, state) = (key.clone(), to.clone());
            change.tell(ItemEvent::StateEntered { item, state, run: None });
        }
        change.tell(ItemEvent::Moved { item: key.clone(), from, to, run: None });
        let mut transaction = self.transaction();
        transaction.save(change);
        self.app.commit(transaction).await
    }
}
