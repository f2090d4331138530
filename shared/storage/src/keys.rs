//! The whole key design: every row of the service, where it lives, who reads it, and what that costs.
//!
//! One table, no secondary index: an index is a row written in the same commit as what it points to. Costs
//! are DynamoDB units of the usual row (r = strongly consistent read unit, w = write unit; a transaction
//! doubles w). Rows are JSON; readers ignore unknown fields, so that old and new servers share a table.
//!
//! | partition `pk`            | sort key `sk`              | row                  | read by                       |
//! |---------------------------|----------------------------|----------------------|-------------------------------|
//! | `SETUP`                   | `DONE`                     | first-run marker     | set-up, 1 r                   |
//! | `IMPORT`                  | `STORE`                    | digest of an unfinished import of a store | start of a server, 1 r |
//! | `EMAIL#<lower e-mail>`    | `USER`                     | user id              | sign-in, 1 r                  |
//! | `SECRET#<sha256>`         | `CREDENTIAL`               | credential           | every request, 1 r            |
//! | `INVITE#<sha256>`         | `INVITATION`               | invitation (pointer) | joining, 1 r; expires         |
//! | `RESET#<sha256>`          | `PASSWORD`                 | password reset       | a new password, 1 r; expires  |
//! | `ADDRESS#<sha256>`       | `USER`                     | new address          | confirming it, 1 r; expires   |
//! | `SIGNIN#<sha256>`         | `ATTEMPT`                  | attempt at a provider | coming back, 1 r; expires    |
//! | `FOREIGN#<sha256>`        | `USER`                     | user id              | sign-in by provider, 1 r      |
//! | `CONNECT#<sha256>`        | `ATTEMPT`                  | attempt to connect a | coming back, 1 r; expires     |
//! |                           |                            | code host            |                               |
//! | `INSTALL#<installation>`  | `ORG`                      | organization id      | connecting, 1 r               |
//! | `HOOK#<sha256>`           | `ORG`                      | organization id      | a delivery, 1 r               |
//! | `INTAKE#<sha256>`         | `PROJECT`                  | intake of an address | a delivery, 1 r               |
//! | `PULL#<org>#<sha256>`     | `<PRJ-12>`                 | item that links it   | a delivery, 1 r               |
//! | `SLUG#<slug>`             | `ORG`                      | organization id      | every request, 1 r            |
//! | `USER#<user>`             | `PROFILE`                  | user                 | sign-in, `/me`, 1 r           |
//! |                           | `ORG#<org>`                | org slug (pointer)   | `/orgs`, 1 r                  |
//! |                           | `TOKEN#<token>`            | token record         | `/me/tokens`, 1 r             |
//! |                           | `USED#<token>`             | last use of a token  | `/me/tokens`; 4 w an hour     |
//! |                           | `SESSIONS`                 | all sessions         | sign-in, sign-out, 1 r        |
//! |                           | `NOTIFY`                   | what they want to be told of | telling them, 1 r; its page |
//! |                           | `CHANNEL#<platform>`       | channel              | telling them, 1 r each        |
//! |                           | `BROWSER#<session>`        | browser in which they are told | telling them there, 2 r; its page |
//! | `PUSH`                    | `KEY`                      | key for push services | telling somebody in a browser, 1 r |
//! | `CHATCODE#<sha256>`       | `CHANNEL`                  | channel that a code connects | the code arrives, 1 r; expires |
//! | `CHAT#<name>`             | `USER#<user>`              | that a private chat tells them | `/stop` in it, 1 r and 1 r each |
//! | `CHATASK#<id>`            | `ASK`                      | what an agent asked somebody in a chat | a press of a button, 1 r; expires |
//! | `CHATREPLY#<sha256>`      | `AWAITING`                 | what a reply in a chat is about | a reply, 1 r; expires |
//! | `BOT`                     | `READER`                   | what was read of what chats say to the bot | the bot, 1 r a read |
//! |                           | `WEBHOOK`                  | where the bot was told to deliver that | the tick, 1 r an hour |
//! | `MAIL`                    | `HEALTH`                   | whether mail works   | each mail, 1 r; settings, inviting, 1 r |
//! | `SEND#<destination>`      | `HEAD`                     | what is on its way   | sending, 1 r; expires         |
//! |                           | `NOW#<entry>`              | news of one thing that are sent at once | sending, 1 r for 8; expires |
//! |                           | `DIGEST#<entry>`           | the same, with the next digest | the same            |
//! | `TOSEND#<shard>`          | `<time>#<destination>`     | destination with something due | the tick, 1 r a shard |
//! | `INBOX#<user>`            | `<entry>`                  | what they are told of one subject | their inbox, 1 r for 8; expires |
//! | `AVATAR#<avatar>`         | `PICTURE`                  | picture of a person  | `/avatars`, 1–75 r, then kept |
//! | `ORG#<org>`               | `PROFILE`                  | organization         | every request, 1 r            |
//! |                           | `DELETED`                  | deleted organization | lists of them; requests in an organization that is not there, 1 r |
//! |                           | `MEMBER#<user>`            | member               | every request, 1 r            |
//! |                           | `PROJECT#<KEY>`            | project              | requests in a project, 1 r    |
//! |                           | `DELETED#<KEY>`            | deleted project      | lists of them; requests in a project that is not there, 1 r |
//! |                           | `INVITE#<invitation>`      | invitation           | lists, joining, 1 r           |
//! |                           | `AGENT#<agent>`            | agent                | dispatch, lists               |
//! |                           | `RUNNER#<runner>`          | runner               | runner's requests, lists, 1 r |
//! |                           | `SEEN#<runner>`            | what a runner said   | lists; `hello`, `take` write  |
//! |                           | `CODEHOST`                 | connection with the  | take of a run with a          |
//! |                           |                            | code host            | repository there, 1 r         |
//! |                           | `BUDGETS`                  | budgets              | a queue that is not empty, 1 r |
//! |                           | `STARTS`                   | when a run began     | the same; a take under a budget, 1 w |
//! |                           | `WEBHOOK`                  | the code host's      | a delivery, 1 r               |
//! |                           |                            | webhook              |                               |
//! |                           | `NOTIFY`                   | what it suggests to its people to be told of | telling them, 1 r |
//! |                           | `CHANNEL#<channel>`        | channel of the organization | what it is told of, 1 r; their page |
//! |                           | `WEBHOOKS`                 | outbound webhooks    | their page; what happens, where there are any, 1–5 r |
//! |                           | `VIEWS`                    | views that are shared | views of an organization, 1 r |
//! |                           | `VIEWS#<user>`             | views of a person    | the same, 1 r                 |
//! |                           | `STORED`                   | counter of bytes of attachments | a new one where a plan bounds them, 1 r |
//! |                           | `BLOCKS`                   | counter of links by  | a new one of these, 1 r;      |
//! |                           |                            | which items block    | raised by it, 1 w             |
//! |                           | `GROUPS`                   | roles of groups      | sign-in by provider, SCIM, 1–5 r |
//! |                           | `SCIM#<token>`             | token of the directory | its page; SCIM, 1 r         |
//! |                           | `SCIMUSER#<id>`            | person of the directory | SCIM, 1 r each; joining, 1 r |
//! |                           | `SCIMGROUP#<id>`           | group of the directory | SCIM, 1 r each              |
//! |                           | `NAME#<kind>#<lower name>` | unique name          | written `absent`              |
//! | `PROJ#<org>#<KEY>`        | `WORKFLOW`                 | workflow             | create, transition, list, 1 r |
//! |                           | `MEMBER#<user>`            | project member       | requests in a project, 1 r    |
//! |                           | `NUMBER`                   | counter of items     | create, 1 w                   |
//! |                           | `LABEL#<lower name>`       | defined label        | labels of a project, 1 r      |
//! |                           | `REPLACE#<id>`             | label or state to    | a worker, until it is done    |
//! |                           |                            | replace in items     |                               |
//! |                           | `TEMPLATES`                | ticket templates     | templates, create by one, 1 r |
//! |                           | `INTAKES`                  | addresses that make items | their page; a delivery, 1 r |
//! |                           | `ARRIVED#<intake>#<sha256>` | item of a key at an intake | a report, 1 r; expires  |
//! |                           | `MILESTONES`               | milestones           | milestones, items that name one, 1–50 r |
//! |                           | `IMPORTED#<kind>#<sha256>` | what a record of a source became | imports, 1 r a record |
//! |                           | `SNAPSHOT`                 | where the feed's is  | cold starts, 1 r; rarely put  |
//! |                           | `FACTORY`                  | factory settings     | dispatch, 1 r                 |
//! |                           | `REFINEMENT`               | refinement settings  | their page, refining, 1–40 r  |
//! |                           | `RULES`                    | rules                | an item enters a state, 1–5 r |
//! |                           | `SCHEDULES`                | schedules            | one is due, 1–80 r            |
//! |                           | `VIEWS`                    | views that are shared| views of a project, 1 r       |
//! |                           | `VIEWS#<user>`             | views of a person    | the same, 1 r                 |
//! |                           | `NAMINGS`                  | counter of saves of  | a new workflow, 1 r; raised   |
//! |                           |                            | what names a state   | by those saves, 1 w           |
//! |                           | `PLAYBOOK#<id>`            | playbook             | dispatch, lists               |
//! |                           | `TEAM#<team>`              | team                 | teams, sprints, 1–2 r         |
//! |                           | `SPRINT#<sprint>`          | sprint               | sprints; moves into it, 1 r   |
//! |                           | `SPRINTS`                  | which are active     | start; `sprint:current`, 1 r  |
//! |                           | `NAME#<kind>#<lower name>` | unique name          | written `absent`              |
//! |                           | `DELETED#<number>`         | deleted item         | deleted items of a project    |
//! | `SPRINTREF#<sprint>`      | `PROJECT`                  | project (pointer)    | short form `/sprints/{id}`    |
//! | `FACTS#<org>#<sprint>`    | `<time>#<number>#<rev>`    | change of its work   | burndown, 1–10 r              |
//! | `FEED#<org>#<KEY>`        | `<changed>#<number>`       | feed entry           | lists: rows since, 1–4 r      |
//! | `ITEM#<org>#<PRJ-12>`     | `ITEM`                     | item                 | item page: one query, 1–3 r   |
//! |                           | `COMMENT#<comment>`        | comment              | with the item                 |
//! |                           | `OUTLINE`                  | long discussion      | comments of an item, 1–40 r   |
//! |                           |                            | without its texts    |                               |
//! |                           | `REACTION#<comment>#<emoji>#<actor>` | reaction | a page of comments, 1 r       |
//! |                           | `HISTORY#<time>#<n>`       | history entry        | history, 1 r a page           |
//! |                           | `TEXT#<time>#<n>`          | what changed of a    | its difference, 1–100 r       |
//! |                           |                            | description          |                               |
//! |                           | `EDIT#<comment>#<n>`       | edit of a comment    | edits of a comment, 1 r       |
//! |                           | `EDITTEXT#<comment>#<n>`   | what changed of it   | its difference, 1–100 r       |
//! |                           | `RUN#<run>`                | pointer              | runs of an item, 1 r          |
//! |                           | `REFINEMENT`               | refinement           | its page, 1–70 r; refine runs |
//! |                           | `MENTION#<time>#<comment>#<place>` | mention that asks for a run | the item is free, 1 r |
//! |                           | `WATCH#<user>`             | who watches it       | watchers of an item, 1 r      |
//! |                           | `FILE#<attachment>`        | attachment           | attachments of an item, 1 r   |
//! |                           | `FILES`                    | how many attachments | announce, remove              |
//! |                           | `CHILDREN`                 | counter of children  | move, delete, 1 r             |
//! |                           | `TRANSFER`                 | where the item went  | old keys, 1 r                 |
//! | `WATCHING#<org>#<user>`   | `<PRJ-12>`                 | item that they watch | `watching:@me` in lists, 1 r  |
//! | `FILEREF#<org>#<attach.>` | `ITEM`                     | item key             | `/attachments/{id}`, 1 r      |
//! | `FILEDUE#<shard>`         | `<time>#<attachment>`      | attachment to look at| the tick, 1 r a shard         |
//! | `WIKI#<org>#<KEY>`        | `PAGE#<lower path>`        | page                 | tree, page, 1 r               |
//! |                           | `DELETED#<page>`           | deleted page         | deleted pages, 1 r            |
//! |                           | `MOVED#<lower path>`       | where pages moved    | old addresses, 1 r            |
//! |                           | `TREE`                     | what is on the move  | tree, page, 1 r               |
//! | `PAGE#<org>#<page>`       | `VERSION#<number>`         | text of a version    | versions, 1 r                 |
//! | `RUN#<org>#<run>`         | `RUN`                      | run                  | run page, 1 r                 |
//! |                           | `PROMPT`                   | prompt snapshot      | take, run page, 1 r           |
//! |                           | `LOG`                      | log head             | append, read, 1 r             |
//! | `RUNREF#<run>`            | `ORG`                      | organization id      | short forms `/runs/{id}`, 1 r |
//! | `RUNS#<org>`              | `<run>`                    | feed of runs         | lists of runs: those that came since and that have not ended, 1 r for 30; cold starts, 1 r for 30 |
//! |                           | `<moment>#<PRJ-12>`        | runs that followed   | the same; expires; servers from before it skip it, and write none |
//! |                           |                            | an item to a new key |                               |
//! | `QUEUE#<org>`             | `<available>#<run>`        | queued run           | take, 1 r; deleted by it      |
//! | `LIVE#<org>`              | `<run>`                    | assigned or running  | the tick, 1 r                 |
//! | `TAKEN#<org>`             | `<runner>#<request>`       | run of a request     | take, 1 r; deleted with `LIVE` |
//! | `ENDED#<org>`             | `<time>#<run>`             | numbers of an ended run | factory stats, 1 r for 15; expires |
//! | `ORGS`                    | `<org>`                    | organization (index) | the tick, 1 r                 |
//! | `FIRED#<org>#<KEY>`       | `<time>#<entry>#<rule>`    | firing of a rule     | firings of a project; expires |
//! | `DUE`                     | `<time>#<org>#<KEY>#<schedule>` | schedule (pointer) | the tick, 1 r             |
//! | `DONE#<org>#<KEY>#<schedule>` | `<time>#<cause>`       | firing of a schedule | firings of it; expires        |
//! | `SENT#<org>`              | `<webhook>#<delivery>`     | what a webhook sent  | its deliveries, 1 r for 5; 4 w an attempt; expires |
//! | `INDEX#<org>#<KEY>`        | `SEGMENTS`                 | segments of the index | search, the indexer, 1 r     |
//! |                            | `MERGE`                    | what is being merged | the indexer                   |
//! |                            | `SEGMENT#<segment>#TEXTS#<number>` | 64 texts of a segment | search              |
//! |                            | `SEGMENT#<segment>#WORDS#<word>` | words, and which texts have them | search     |
//! | `TERM#<org>#<letter>`      | `<term> <place> <text>`    | posting of an earlier index | `svc-server reindex`, which deletes it |
//! | `TERM#<org>#<KEY>#<letter>`| `<term> <place> <text>`    | the same             | the same                      |
//! | `TEXT#<org>#<text>`        | `TEXT`                     | text in the index    | search, the indexer, 1 r      |
//! | `TOINDEX#<shard>`          | `<org>#<text>`             | text to index        | the indexer, 1 r a shard      |
//! | `AUDIT#<org>`             | `<time>#<id>`              | line of the audit log | its readers; expires         |
//! | `INSTANCEAUDIT`           | `<time>#<id>`              | line of the instance's audit log | its admins; expires  |
//! | `JOURNAL#<org>`           | `<time>#<id>`              | line of the journal  | streams: lines since, 1 r; expires |
//! | `OUTBOX#<shard>`          | `<time>#<id>`              | message to send      | the tick, 1 r a shard         |
//! | `DEADLETTERS`             | `<time>#<id>`              | message given up     | `svc-server doctor`, `replay` |
//! | `RATE#<subject>`          | `<minute>`                 | counter, expires     | 1 w for a block of permits    |
//! | `IDEM#<subject>`          | `<key>`                    | what was done, expires | POST with `Idempotency-Key` |
//!
//! What a request costs, beyond what authentication reads (`SECRET`, `SLUG`, then `PROFILE`, `MEMBER` and,
//! in a project, `PROJECT` and project `MEMBER` together with the data: two sequential round trips): view
//! an item 1 query; a warm list 1 query of the feed's tail; claim and transition 1 transaction of item,
//! feed row moved and history (8 w); take a run 1 query and 1 transaction; a terminal run 1 transaction.

mod code_host;
mod directory;
mod files;
mod imports;
mod intakes;
mod left_items;
mod logs;
mod notifications;
mod people;
mod runs;
mod schedules;
mod search;
mod sprints;
mod texts;
mod views;
mod webhooks;
mod wiki;

pub use code_host::*;
pub use directory::*;
pub use files::*;
pub use imports::*;
pub use intakes::*;
pub use left_items::*;
pub use logs::*;
pub use notifications::*;
pub use people::*;
pub use runs::*;
pub use schedules::*;
pub use texts::*;
pub use views::*;
pub use webhooks::*;
pub use wiki::*;

use std::fmt::Display;

use svc_domain::agent::Agent;
use svc_domain::comment::Comment;
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::identity::{Member, Org, ProjectMember};
use svc_domain::ids::{
    ActorId, AgentId, CommentId, ItemKey, OrgId, OrgSlug, PlaybookId, ProjectKey, RuleId, RunId, RunnerId,
    UserId,
};
use svc_domain::item::Item;
use svc_domain::milestone::Milestones;
use svc_domain::outline::Outline;
use svc_domain::playbook::{FactorySettings, Playbook};
use svc_domain::project::Project;
use svc_domain::refinement::{Refinement, RefinementSettings};
use svc_domain::replacement::Replacement;
use svc_domain::rule::Rules;
use svc_domain::runner::{Runner, RunnerStatus};
use svc_domain::template::Templates;
use svc_domain::workflow::Workflow;

use crate::{Key, KeyOf, Range};

pub use search::*;
pub use sprints::{SPRINT_PREFIX, TEAM_PREFIX, fact, facts_pk, sprint, sprint_ref, sprint_register, team};

/// A point of time as a sort key: milliseconds of the Unix epoch, 15 digits, so that bytes sort as time does.
pub fn sortable(millis: i64) -> String {
    format!("{:015}", millis.max(0))
}

/// The milliseconds that a sort key begins with, if it begins with a [`sortable`] time.
pub fn time_of(sk: &str) -> Option<i64> {
    sk.split('#').next()?.parse().ok()
}

/// Shards of the outbox: enough that a partition's write limit is not the service's.
pub const OUTBOX_SHARDS: u32 = 4;

/// Organization id by slug.
pub fn slug(slug: &OrgSlug) -> Key {
    Key::new(format!("SLUG#{slug}"), "ORG")
}

/// Partition of an organization.
pub fn org_pk(org: OrgId) -> String {
    format!("ORG#{org}")
}

/// An organization.
pub fn org(org: OrgId) -> KeyOf<Org> {
    KeyOf::new(org_pk(org), "PROFILE")
}

/// What is kept of an organization that was deleted, in the place of [`org`].
pub fn deleted_org(org: OrgId) -> KeyOf<DeletedOrg> {
    KeyOf::new(org_pk(org), "DELETED")
}

/// Sort keys of an organization's members begin with this, as do those of a project's.
pub const MEMBER_PREFIX: &str = "MEMBER#";

/// A member of an organization.
pub fn member(org: OrgId, user: UserId) -> KeyOf<Member> {
    KeyOf::new(org_pk(org), format!("{MEMBER_PREFIX}{user}"))
}

/// Sort keys of an organization's projects begin with this.
pub const PROJECT_PREFIX: &str = "PROJECT#";

/// A project.
pub fn project(org: OrgId, key: &ProjectKey) -> KeyOf<Project> {
    KeyOf::new(org_pk(org), format!("{PROJECT_PREFIX}{key}"))
}

/// Sort keys of an organization's agents begin with this.
pub const AGENT_PREFIX: &str = "AGENT#";

/// An agent.
pub fn agent(org: OrgId, agent: AgentId) -> KeyOf<Agent> {
    KeyOf::new(org_pk(org), format!("{AGENT_PREFIX}{agent}"))
}

/// Sort keys of an organization's runners begin with this.
pub const RUNNER_PREFIX: &str = "RUNNER#";

/// A runner.
pub fn runner(org: OrgId, runner: RunnerId) -> KeyOf<Runner> {
    KeyOf::new(org_pk(org), format!("{RUNNER_PREFIX}{runner}"))
}

/// Sort keys of the last signs of an organization's runners begin with this.
pub const SEEN_PREFIX: &str = "SEEN#";

/// When a runner was last heard of; apart from the runner, because it changes all the time.
pub fn seen(org: OrgId, runner: RunnerId) -> KeyOf<RunnerStatus> {
    KeyOf::new(org_pk(org), format!("{SEEN_PREFIX}{runner}"))
}

/// A counter that each new link by which an item blocks another raises.
pub fn block_links(org: OrgId) -> Key {
    Key::new(org_pk(org), "BLOCKS")
}

/// A name that is unique in an organization whatever its case, among things of a kind (`agent`, `runner`).
pub fn org_name(org: OrgId, kind: &str, name: &str) -> Key {
    Key::new(org_pk(org), format!("NAME#{kind}#{}", name.to_lowercase()))
}

/// Partition of a project.
pub fn project_pk(org: OrgId, key: &ProjectKey) -> String {
    format!("PROJ#{org}#{key}")
}

/// A project's workflow.
pub fn workflow(org: OrgId, key: &ProjectKey) -> KeyOf<Workflow> {
    KeyOf::new(project_pk(org, key), "WORKFLOW")
}

/// A member of a project.
pub fn project_member(org: OrgId, key: &ProjectKey, user: UserId) -> KeyOf<ProjectMember> {
    KeyOf::new(project_pk(org, key), format!("{MEMBER_PREFIX}{user}"))
}

/// Sort keys of a project's labels begin with this.
pub const LABEL_PREFIX: &str = "LABEL#";

/// A label of a project; labels are the same whatever their case.
pub fn label(org: OrgId, key: &ProjectKey, name: &str) -> Key {
    Key::new(project_pk(org, key), format!("{LABEL_PREFIX}{}", name.to_lowercase()))
}

/// What the sort keys of replacements begin with.
pub const REPLACEMENT_PREFIX: &str = "REPLACE#";

/// A replacement of a label, state or milestone that is being carried out.
pub fn replacement(org: OrgId, key: &ProjectKey, id: impl Display) -> KeyOf<Replacement> {
    KeyOf::new(project_pk(org, key), format!("{REPLACEMENT_PREFIX}{id}"))
}

/// A project's ticket templates, once they were changed.
pub fn templates(org: OrgId, key: &ProjectKey) -> KeyOf<Templates> {
    KeyOf::new(project_pk(org, key), "TEMPLATES")
}

/// A project's milestones, once it has one.
pub fn milestones(org: OrgId, key: &ProjectKey) -> KeyOf<Milestones> {
    KeyOf::new(project_pk(org, key), "MILESTONES")
}

/// The counter that item numbers come from.
pub fn item_number(org: OrgId, key: &ProjectKey) -> Key {
    Key::new(project_pk(org, key), "NUMBER")
}

/// A project's factory settings.
pub fn factory_settings(org: OrgId, key: &ProjectKey) -> KeyOf<FactorySettings> {
    KeyOf::new(project_pk(org, key), "FACTORY")
}

/// A project's refinement settings.
pub fn refinement_settings(org: OrgId, key: &ProjectKey) -> KeyOf<RefinementSettings> {
    KeyOf::new(project_pk(org, key), "REFINEMENT")
}

/// The refinement of an item.
pub fn refinement(org: OrgId, item: &ItemKey) -> KeyOf<Refinement> {
    KeyOf::new(item_pk(org, item), "REFINEMENT")
}

/// The rules of a project.
pub fn rules(org: OrgId, key: &ProjectKey) -> KeyOf<Rules> {
    KeyOf::new(project_pk(org, key), "RULES")
}

/// Partition of what the rules of a project did.
pub fn firings_pk(org: OrgId, key: &ProjectKey) -> String {
    format!("FIRED#{org}#{key}")
}

/// What a rule did when an item entered a state.
pub fn firing(org: OrgId, key: &ProjectKey, millis: i64, entry: impl Display, rule: RuleId) -> Key {
    Key::new(firings_pk(org, key), format!("{}#{entry}#{rule}", sortable(millis)))
}

/// A counter that each save of something that names workflow states raises.
pub fn state_namings(org: OrgId, key: &ProjectKey) -> Key {
    Key::new(project_pk(org, key), "NAMINGS")
}

/// Sort keys of a project's playbooks begin with this.
pub const PLAYBOOK_PREFIX: &str = "PLAYBOOK#";

/// A playbook.
pub fn playbook(org: OrgId, key: &ProjectKey, playbook: PlaybookId) -> KeyOf<Playbook> {
    KeyOf::new(project_pk(org, key), format!("{PLAYBOOK_PREFIX}{playbook}"))
}

/// A name that is unique in a project whatever its case, among things of a kind (`playbook`, `team`).
pub fn project_name(org: OrgId, key: &ProjectKey, kind: &str, name: &str) -> Key {
    Key::new(project_pk(org, key), format!("NAME#{kind}#{}", name.to_lowercase()))
}

/// Partition of a project's feed.
pub fn feed_pk(org: OrgId, key: &ProjectKey) -> String {
    format!("FEED#{org}#{key}")
}

/// Sort key of an item's row in the feed: last change, then number.
pub fn feed_sk(changed_millis: i64, number: u64) -> String {
    format!("{}#{number}", sortable(changed_millis))
}

/// An item's row in the feed.
pub fn feed(org: OrgId, key: &ProjectKey, sk: &str) -> Key {
    Key::new(feed_pk(org, key), sk)
}

/// The blob that a project's feed was last packed into.
pub fn feed_snapshot(org: OrgId, key: &ProjectKey) -> Key {
    Key::new(project_pk(org, key), "SNAPSHOT")
}

/// Partition of an item.
pub fn item_pk(org: OrgId, key: &ItemKey) -> String {
    format!("ITEM#{org}#{key}")
}

/// An item.
pub fn item(org: OrgId, key: &ItemKey) -> KeyOf<Item> {
    KeyOf::new(item_pk(org, key), "ITEM")
}

/// A counter that each item raises which comes to belong to this one.
pub fn children(org: OrgId, key: &ItemKey) -> Key {
    Key::new(item_pk(org, key), "CHILDREN")
}

/// Sort keys of an item's comments begin with this.
pub const COMMENT_PREFIX: &str = "COMMENT#";

/// Sorts behind every comment on an item.
pub const COMMENTS_END: &str = "COMMENT$";

/// What decides who sees which comment of a long discussion.
pub fn outline(org: OrgId, key: &ItemKey) -> KeyOf<Option<Outline>> {
    KeyOf::new(item_pk(org, key), "OUTLINE")
}

/// A comment.
pub fn comment(org: OrgId, key: &ItemKey, comment: CommentId) -> KeyOf<Comment> {
    KeyOf::new(item_pk(org, key), format!("{COMMENT_PREFIX}{comment}"))
}

const REACTION_PREFIX: &str = "REACTION#";

/// Sort keys of the reactions to a comment begin with this.
pub fn reactions_prefix(comment: CommentId) -> String {
    format!("{REACTION_PREFIX}{comment}#")
}

/// Sorts behind every reaction to a comment, and before those to later ones.
pub fn reactions_end(comment: CommentId) -> String {
    format!("{REACTION_PREFIX}{comment}$")
}

/// The reaction of somebody to a comment with an emoji, named by a word.
pub fn reaction(org: OrgId, key: &ItemKey, comment: CommentId, emoji: &str, whose: ActorId) -> Key {
    Key::new(item_pk(org, key), format!("{}{emoji}#{whose}", reactions_prefix(comment)))
}

/// The comment that a reaction's sort key names.
pub fn reacted_comment(sk: &str) -> Option<CommentId> {
    sk.strip_prefix(REACTION_PREFIX)?.split('#').next()?.parse().ok()
}

/// Sort keys of an item's history begin with this.
pub const HISTORY_PREFIX: &str = "HISTORY#";

/// A history entry: `at` is its time, `id` keeps entries of one moment apart and in order.
pub fn history(org: OrgId, key: &ItemKey, at_millis: i64, id: impl Display) -> Key {
    Key::new(item_pk(org, key), format!("{HISTORY_PREFIX}{}#{id}", sortable(at_millis)))
}

/// The history of an item from this time on, oldest first.
pub fn history_since(at_millis: i64) -> Range {
    Range::Between(format!("{HISTORY_PREFIX}{}", sortable(at_millis)), format!("{HISTORY_PREFIX}~"))
}

/// Sort keys of an item's watchers begin with this.
pub const WATCHER_PREFIX: &str = "WATCH#";

/// That a person watches an item.
pub fn watcher(org: OrgId, key: &ItemKey, user: UserId) -> Key {
    Key::new(item_pk(org, key), format!("{WATCHER_PREFIX}{user}"))
}

/// Partition of the items that a person watches.
pub fn watching_pk(org: OrgId, user: UserId) -> String {
    format!("WATCHING#{org}#{user}")
}

/// An item that a person watches, as [`watcher`] seen from the person.
pub fn watching(org: OrgId, user: UserId, key: &ItemKey) -> Key {
    Key::new(watching_pk(org, user), key.to_string())
}

/// Sort keys of an item's runs begin with this.
pub const ITEM_RUN_PREFIX: &str = "RUN#";

/// That a run works on an item.
pub fn item_run(org: OrgId, key: &ItemKey, run: RunId) -> Key {
    Key::new(item_pk(org, key), format!("{ITEM_RUN_PREFIX}{run}"))
}

/// Partition that lists every organization, for the tick.
pub const ORGS_PK: &str = "ORGS";

/// An organization in that list.
pub fn org_entry(org: OrgId) -> Key {
    Key::new(ORGS_PK, org.to_string())
}

/// Partition of the messages that workers gave up on.
pub const DEAD_LETTERS_PK: &str = "DEADLETTERS";

/// A message that workers gave up on.
pub fn dead_letter(at_millis: i64, id: impl Display) -> Key {
    Key::new(DEAD_LETTERS_PK, format!("{}#{id}", sortable(at_millis)))
}

/// Partition of one shard of the outbox.
pub fn outbox_pk(shard: u32) -> String {
    format!("OUTBOX#{shard}")
}

/// A message that a commit wants sent.
pub fn outbox(shard: u32, at_millis: i64, id: impl Display) -> Key {
    Key::new(outbox_pk(shard), format!("{}#{id}", sortable(at_millis)))
}

/// The requests that a subject made in a minute.
pub fn rate(subject: &str, minute: i64) -> Key {
    Key::new(format!("RATE#{subject}"), minute.to_string())
}

/// What a request with an idempotency key answered.
pub fn idempotent_reply(subject: &str, key_hash: &str) -> Key {
    Key::new(format!("IDEM#{subject}"), key_hash)
}

#[cfg(test)]
mod tests {
    use super::{feed_sk, sortable, time_of};

    #[test]
    fn sort_keys_order_as_time_does() {
        assert!(sortable(9) < sortable(10));
        assert!(sortable(999_999_999_999) < sortable(1_000_000_000_000));
        assert!(feed_sk(5, 10) < feed_sk(6, 1));
        assert_eq!((time_of(&feed_sk(5, 10)), time_of("ITEM")), (Some(5), None));
    }
}
