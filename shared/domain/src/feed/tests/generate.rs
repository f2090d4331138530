//! Entries, changes and requests to test with, from vocabularies small enough that they meet.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use uuid::Uuid;

use crate::claim::Claim;
use crate::feed::{FeedEntry, FilterContext, ListRequest, Sort, SortKey};
use crate::filter::{Filter, FilterError, Problem};
use crate::ids::{Actor, ActorId, AgentId, MilestoneId, ProjectKey, RunId, UserId};
use crate::item::{Commenter, Commenters, ItemType, Priority};
use crate::rank::Rank;
use crate::schedule::cron::time_zone;
use crate::workflow::Workflow;

pub(super) fn project() -> ProjectKey {
    "PRJ".parse().unwrap()
}

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

/// So many days after the day of [`at`].
pub(super) fn day(days: i64) -> Date {
    at(days * 86_400).to_zoned(TimeZone::UTC).date()
}

pub(super) fn person(n: u128) -> Actor {
    Actor { id: ActorId::User(UserId(Uuid::from_u128(n))), name: format!("person {n}") }
}

fn agent(n: u128) -> Actor {
    Actor { id: ActorId::Agent(AgentId(Uuid::from_u128(n))), name: format!("agent {n}") }
}

/// A milestone among few.
fn milestone_id(number: u128) -> MilestoneId {
    MilestoneId(Uuid::from_u128(number))
}

/// An entry with nothing special about it.
pub(super) fn plain(number: u64, title: &str) -> FeedEntry {
    let changed = at(i64::try_from(number).unwrap());
    FeedEntry {
        number,
        version: 1,
        item_type: ItemType::Task,
        title: title.to_owned(),
        state: "Backlog".to_owned(),
        priority: Priority::Medium,
        labels: Vec::new(),
        estimate: None,
        remaining: None,
        assignee: None,
        parent: None,
        sprint: None,
        milestone: None,
        rank: None,
        blocked: false,
        due: None,
        resolved_at: None,
        started_at: None,
        claim: None,
        live_run: None,
        last_run: None,
        link_urls: Vec::new(),
        standings: Vec::new(),
        linked_items: false,
        commenters: Commenters::default(),
        counts: None,
        created_by: person(1),
        created_at: changed,
        updated_at: changed,
        deleted: false,
    }
}

fn actor() -> impl Strategy<Value = Actor> {
    prop_oneof![(1..4_u128).prop_map(person), (3..6_u128).prop_map(agent)]
}

fn claim() -> impl Strategy<Value = Claim> {
    (actor(), 0..600_i64).prop_map(|(holder, second)| Claim {
        holder,
        since: at(0),
        heartbeat_at: at(second),
    })
}

fn number() -> impl Strategy<Value = Option<f64>> {
    option::of(select(vec![0.0, -0.0, 0.5, 1.0, 4.0, 8.0, f64::NAN]))
}

fn title() -> impl Strategy<Value = String> {
    let word = select(vec![
        "Login",
        "login",
        "page",
        "Ärger",
        "ärgerlich",
        "STRASSE",
        "fails",
        "a",
        "ΣΑΣ",
        "日本語",
    ]);
    prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "))
}

/// Seconds between times of items: some are of the same day in one place and not in another.
const SPREAD: i64 = 11_000;

fn commenter() -> impl Strategy<Value = Commenter> {
    (actor(), 0..2_u32, any::<bool>()).prop_map(|(by, comments, factory)| Commenter {
        by: by.id,
        comments,
        factory,
    })
}

/// Each once.
fn commenters_of(mut all: Vec<Commenter>) -> Commenters {
    all.sort_by_key(|commenter| commenter.by);
    all.dedup_by_key(|commenter| commenter.by);
    Commenters(all)
}

prop_compose! {
    fn entry()(
        (number, version, deleted) in (1..40_u64, 1..6_u64, prop::bool::weighted(0.1)),
        (title, state, labels) in (
            title(),
            select(vec!["Backlog", "In progress", "in review", "Resolved", "Closed", "Gone"]),
            subsequence(vec!["Bug", "bug", "c++", "frontend", "needs review"], 0..4),
        ),
        (item_type, priority) in (select(ItemType::ALL), select(Priority::ALL)),
        (estimate, remaining, blocked) in (number(), number(), any::<bool>()),
        (assignee, claim) in (option::of(actor()), option::of(claim())),
        parent in option::of(select(vec!["PRJ-1", "PRJ-2", "OTHER-1"])),
        sprint in option::of(select(vec!["s-1", "s-2", "none"])),
        milestone in option::of(1_u128..=2),
        rank in option::of((0..6_u64, 1..6_u64)),
        (running, linked, created_by) in (any::<bool>(), any::<bool>(), actor()),
        (created, updated) in (0..20_i64, 0..20_i64),
        (linked_items, commenters) in (any::<bool>(), prop::collection::vec(commenter(), 0..3)),
        (due, resolved) in (option::of(-3..4_i64), option::of(0..20_i64)),
    ) -> FeedEntry {
        FeedEntry {
            version,
            item_type,
            title: title.clone(),
            state: state.to_owned(),
            priority,
            labels: labels.into_iter().map(str::to_owned).collect(),
            estimate,
            remaining,
            assignee,
            parent: parent.map(|key| key.parse().unwrap()),
            sprint: sprint.map(str::to_owned),
            milestone: milestone.map(milestone_id),
            rank: rank.map(|(after, number)| Rank::between(Some(&Rank::initial(after)), None, number)),
            blocked,
            claim,
            created_at: at(SPREAD * (created - 15)),
            updated_at: at(SPREAD * (updated - 15)),
            due: due.map(day),
            resolved_at: resolved.map(|resolved| at(SPREAD * (resolved - 15))),
            deleted,
            live_run: running.then(|| RunId(Uuid::from_u128(1))),
            link_urls: if linked { vec!["https://example.org/1".to_owned()] } else { vec![] },
            linked_items,
            commenters: commenters_of(commenters),
            created_by,
            ..plain(number, &title)
        }
    }
}

/// Rows as a feed brings them: of few numbers and versions, so that they often meet.
pub(super) fn rows() -> impl Strategy<Value = Vec<FeedEntry>> {
    prop::collection::vec(entry(), 0..120)
}

fn term() -> impl Strategy<Value = String> {
    let terms = vec![
        "state:active",
        "state:resolved,backlog",
        r#"state:"IN PROGRESS",Gone"#,
        "state:closed",
        "state:unknown",
        "type:bug",
        "type:task,epic,story",
        "priority:high",
        "priority:>=high",
        "priority:<low,>high",
        "priority:<=medium",
        "assignee:@me",
        "assignee:none",
        "assignee:any",
        "assignee:00000000-0000-0000-0000-000000000003,@me",
        "title:log",
        r#"title:"login page",are"#,
        "title:PRJ",
        "commented:@me",
        "commented:any",
        "commented:none,00000000-0000-0000-0000-000000000003",
        "project:PRJ,OTHER",
        "project:OTHER",
        "created:today",
        "created:<=yesterday",
        "updated:<2d",
        "updated:>=1d,none",
        "resolved:0d",
        "label:bug",
        "label:BUG+frontend,c",
        r#"label:"c++""#,
        r#"label:"needs review",bug"#,
        "sprint:current",
        "sprint:none",
        "sprint:any",
        r#"sprint:"none",s-2"#,
        "blocked:true",
        "blocked:false",
        "estimate:>0.5",
        "estimate:0",
        "estimate:none,>=8",
        "estimate:any",
        "remaining:<=1",
        "remaining:none",
        "claimed:any",
        "claimed:none",
        "claimed:@me",
        "claimed:@agent",
        "claimed:00000000-0000-0000-0000-000000000003",
        "parent:PRJ-1",
        "parent:none,OTHER-1",
        "due:none",
        "due:any",
        "due:<today",
        "due:<=+1d,2027-01-14",
        "due:<=friday,-1m",
        "created:>=monday",
        "created:>=today",
        "updated:yesterday,today",
        "resolved:none,>=-1d",
        "creator:@me",
        "creator:none",
        r#"creator:"person 2",agent"#,
        "assignee:PERSON",
        "claimed:agent",
        "sprint:First",
        "milestone:none",
        "milestone:any",
        r#"milestone:"none",Beta"#,
        "milestone:00000000-0000-0000-0000-000000000001",
        "watching:@me",
        "text:login",
        r#"text:"login page",fails"#,
        "has:due",
        "has:label,claim",
        "has:subtasks",
        "has:run,link,sprint",
        "has:milestone",
        "has:estimate,remaining",
    ];
    (prop::bool::weighted(0.25), select(terms))
        .prop_map(|(negated, term)| format!("{}{term}", if negated { "-" } else { "" }))
}

/// A request that owns what it is about.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) filter: Filter,
    pub(super) q: Option<String>,
    pub(super) described: Vec<u64>,
    pub(super) sort: Sort,
    pub(super) page: u32,
    pub(super) page_size: u32,
    pub(super) me: Option<ActorId>,
    pub(super) current_sprints: Vec<String>,
    pub(super) named_sprints: Vec<(String, String)>,
    pub(super) named_milestones: Vec<(String, MilestoneId)>,
    pub(super) watched: Vec<u64>,
    pub(super) texts: Vec<(String, Vec<u64>)>,
    pub(super) now: Timestamp,
    pub(super) zone: TimeZone,
    pub(super) factory: bool,
    pub(super) workflow: Workflow,
}

impl Request {
    pub(super) fn of(filter: &str) -> Self {
        Self {
            filter: Filter::parse(filter).unwrap(),
            q: None,
            described: Vec::new(),
            sort: Sort::default(),
            page: 1,
            page_size: 50,
            me: Some(person(1).id),
            current_sprints: vec!["s-1".to_owned()],
            named_sprints: vec![("First".to_owned(), "s-1".to_owned())],
            named_milestones: vec![("Beta".to_owned(), milestone_id(2))],
            watched: vec![1, 2, 3, 50],
            texts: vec![("login page".to_owned(), vec![3, 4])],
            now: at(600),
            zone: TimeZone::UTC,
            factory: false,
            workflow: Workflow::default(),
        }
    }

    pub(super) fn borrowed(&self) -> ListRequest<'_> {
        ListRequest {
            filter: &self.filter,
            context: FilterContext {
                me: self.me,
                current_sprints: &self.current_sprints,
                named_sprints: &self.named_sprints,
                named_milestones: &self.named_milestones,
                watched: &self.watched,
                texts: &self.texts,
                workflow: &self.workflow,
                factory: self.factory,
                zone: &self.zone,
                claim_stale_after: SignedDuration::from_mins(5),
                now: self.now,
            },
            q: self.q.as_deref(),
            described: &self.described,
            sort: self.sort,
            page: self.page,
            page_size: self.page_size,
        }
    }
}

/// The terms as a filter with groups of one shape or another.
fn grouped(terms: &[String], shape: u8) -> String {
    let or = terms.join(" OR ");
    match (shape, terms) {
        (1, [_, _, ..]) => format!("({or})"),
        (2, [_, _, ..]) => format!("-({or})"),
        (3, [first, second, rest @ ..]) => format!("({first} OR {second}) {}", rest.join(" ")),
        (4, [first, second, third, ..]) => format!("{first} ({second} OR -({third} {first}))"),
        _ => terms.join(" "),
    }
}

/// Whether that filter is refused because it looks for too many texts.
fn looks_for_many(terms: &[String], shape: u8) -> bool {
    let many = |error: &FilterError| matches!(error.problem, Problem::TooManyTexts { .. });
    Filter::parse(&grouped(terms, shape)).is_err_and(|errors| errors.iter().any(many))
}

prop_compose! {
    pub(super) fn request()(
        (terms, shape) in (prop::collection::vec(term(), 0..6), 0..5_u8)
            .prop_filter("a filter looks for few texts", |(terms, shape)| !looks_for_many(terms, *shape)),
        q in option::of(select(vec!["", "login", "LOG", "a", "är", "ÄRGER fails", "arger", "A\u{308}rger", "prj-1", "bug", "ΣΑ", "日", "nowhere", "s p", "2", "0 in"])),
        described in prop::collection::vec(0..12_u64, 0..3),
        (key, descending) in (select(SortKey::ALL), any::<bool>()),
        (page, page_size) in (0..4_u32, 0..20_u32),
        me in option::of(actor()),
        current_sprints in subsequence(vec!["s-1", "s-2"], 0..=2),
        second in 0..1_000_i64,
        (zone, factory) in (select(vec!["UTC", "Asia/Kathmandu", "America/Los_Angeles"]), any::<bool>()),
    ) -> Request {
        Request {
            q: q.map(str::to_owned),
            described,
            sort: Sort { key, descending },
            page,
            page_size,
            me: me.map(|actor| actor.id),
            current_sprints: current_sprints.into_iter().map(str::to_owned).collect(),
            now: at(second),
            zone: time_zone(zone).unwrap(),
            factory,
            ..Request::of(&grouped(&terms, shape))
        }
    }
}
