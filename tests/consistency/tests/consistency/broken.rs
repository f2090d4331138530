//! The checker proves itself: whatever is broken by hand, of each kind of row, it names.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::SignedDuration;
use serde_json::json;
use svc_app::messages::MailPasswordReset;
use svc_app::outbox::Outgoing;
use svc_consistency::World;
use svc_domain::audit::{AuditAction, AuditEntry};
use svc_domain::deleted_org::DeletedOrg;
use svc_domain::deletion::Deletion;
use svc_domain::identity::Org;
use svc_domain::ids::{
    Actor, ActorId, DirectoryGroupId, DirectoryUserId, OrgId, OrgSlug, RunId, TokenId, UserId,
};
use svc_domain::import::{Became, ImportedRecord, Kind};
use svc_domain::transfer::Transfer;
use svc_storage::{Commit, Condition, Key, Op, Row, keys};
use uuid::Uuid;

/// Kinds of which a row may be missing, or be there twice, without anything being wrong.
const FREE: [&str; 55] = [
    // Of an item that moved on, only the last is missed.
    "ITEM#<org>#<PRJ-12> TRANSFER",
    // Runs that ended under earlier servers have none.
    "ENDED#<org> <time>#<run>",
    // Nor do those that earlier servers handed over.
    "TAKEN#<org> <runner>#<request>",
    // Runs do not say which entry into a state fired the rule that started them.
    "FIRED#<org>#<KEY> <time>#<entry>#<rule>",
    "DONE#<org>#<KEY>#<schedule> <time>#<cause>",
    "AUDIT#<org> <time>#<id>",
    "INSTANCEAUDIT <time>#<id>",
    "IDEM#<subject> <key>",
    "INVITE#<sha256> INVITATION",
    // Items that earlier servers made raised none.
    "ITEM#<org>#<PRJ-12> CHILDREN",
    "ITEM#<org>#<PRJ-12> HISTORY#<time>#<n>",
    "ITEM#<org>#<PRJ-12> MENTION#<time>#<comment>#<place>",
    "ITEM#<org>#<PRJ-12> OUTLINE",
    "ITEM#<org>#<PRJ-12> REACTION#<comment>#<emoji>#<actor>",
    "ITEM#<org>#<PRJ-12> TEXT#<time>#<n>",
    "ITEM#<org>#<PRJ-12> EDITTEXT#<comment>#<n>",
    "WATCHING#<org>#<user> <PRJ-12>",
    // What people were told of is not written down anywhere else, nor what they want to be told of, and where.
    "INBOX#<user> <entry>",
    "USER#<user> NOTIFY",
    "USER#<user> CHANNEL#<platform>",
    "ORG#<org> NOTIFY",
    "ORG#<org> CHANNEL#<channel>",
    "CHATCODE#<sha256> CHANNEL",
    "CHAT#<name> USER#<user>",
    "SEND#<destination> HEAD",
    "SEND#<destination> NOW#<entry>",
    "SEND#<destination> DIGEST#<entry>",
    "TOSEND#<shard> <time>#<destination>",
    "ORG#<org> SEEN#<runner>",
    // Stores of earlier servers have none.
    "ORG#<org> STORED",
    // A take under a budget makes it where it is missing.
    "ORG#<org> STARTS",
    // Without it, groups give nothing.
    "ORG#<org> GROUPS",
    "JOURNAL#<org> <time>#<id>",
    "OUTBOX#<shard> <time>#<id>",
    "PROJ#<org>#<KEY> FACTORY",
    // What came stays when it is forgotten that it came.
    "PROJ#<org>#<KEY> IMPORTED#<kind>#<sha256>",
    "ORG#<org> VIEWS",
    "ORG#<org> VIEWS#<user>",
    "PROJ#<org>#<KEY> LABEL#<lower name>",
    "PROJ#<org>#<KEY> MEMBER#<user>",
    // Items miss it where any has a milestone.
    "PROJ#<org>#<KEY> MILESTONES",
    "PROJ#<org>#<KEY> NAMINGS",
    "PROJ#<org>#<KEY> REFINEMENT",
    "PROJ#<org>#<KEY> REPLACE#<id>",
    // Firings miss it, and the workload may leave none.
    "PROJ#<org>#<KEY> RULES",
    "PROJ#<org>#<KEY> TEMPLATES",
    "PROJ#<org>#<KEY> VIEWS",
    "PROJ#<org>#<KEY> VIEWS#<user>",
    "RATE#<subject> <minute>",
    "RUN#<org>#<run> LOG",
    // It tells servers that run what to read again.
    "RUNS#<org> <moment>#<PRJ-12>",
    // What a webhook sent.
    "SENT#<org> <webhook>#<delivery>",
    "SETUP DONE",
    "USER#<user> USED#<token>",
    // Where an address led once.
    "WIKI#<org>#<KEY> MOVED#<lower path>",
];

/// Kinds whose rows only count, or say nothing of which another could be expected.
const SAY_NOTHING: [&str; 8] = [
    "IDEM#<subject> <key>",
    "ITEM#<org>#<PRJ-12> CHILDREN",
    "ITEM#<org>#<PRJ-12> RUN#<run>",
    "ORG#<org> BLOCKS",
    "ORG#<org> STORED",
    "PROJ#<org>#<KEY> NAMINGS",
    "PROJ#<org>#<KEY> NUMBER",
    "RATE#<subject> <minute>",
];

/// A store with a row of nearly every kind, in which nothing contradicts anything.
struct Store {
    world: World,
    /// One of each kind.
    rows: BTreeMap<String, Row>,
    /// What waits for a worker: the row, and what is said of it.
    waiting: BTreeSet<(String, String)>,
}

async fn store() -> Store {
    let mut world = World::new(7).await;
    world.work_quietly(60).await;
    world.index().await;
    world.hand_over().await;
    world.tell().await;
    commit(&world, passing(&world)).await;
    commit(&world, vec![followed(&world).await, brought(&world).await]).await;
    commit(&world, directory(&world).await).await;
    let report = world.check().await;
    assert!(report.is_clean() && report.restless == 0, "{report:#?}");
    let (mut rows, mut notes, mut awaited) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
    let mut cursor = None;
    loop {
        let page = world.kit.app.table.scan(500, cursor.as_ref()).await.unwrap();
        for row in page.rows {
            let kind = svc_app::check::kind_name(&row.key);
            // What is over counts as gone, and nobody misses a deleted comment, agent or playbook, or a count of nothing.
            let is_over = row.ttl.is_some_and(|end| end <= world.kit.now().as_second());
            let is_nothing = |mark: &&str| row.doc.contains(*mark);
            if let Some(id) = row.key.sk.strip_prefix("FILE#").filter(|_| !is_nothing(&"\"attached\"")) {
                awaited.insert(id.to_owned());
            }
            if row.key.pk.starts_with("FILEDUE#") {
                notes.push((kind, row));
            } else if !is_over && !["\"deleted\":true", "\"deleted\":{", "\"files\":0"].iter().any(is_nothing)
            {
                rows.insert(kind, row);
            }
        }
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    // Of a file that was attached or removed meanwhile, a note is left over until its time, and nobody misses it.
    let is_missed = |row: &Row| row.key.sk.rsplit('#').next().is_some_and(|id| awaited.contains(id));
    rows.extend(notes.into_iter().find(|(_, row)| is_missed(row)));
    assert!(rows.len() >= 60, "rows of few kinds: {:#?}", rows.keys());
    let waiting = report.waiting.into_iter().map(|finding| (finding.row, finding.problem)).collect();
    Store { world, rows, waiting }
}

/// Rows that the workload does not leave.
fn passing(world: &World) -> Vec<Op> {
    let (app, now) = (&world.kit.app, world.kit.now());
    let end = (now + SignedDuration::from_hours(1)).as_second();
    let message = MailPasswordReset { email: "a@example.com".into() };
    let (id, slug): (_, OrgSlug) = (OrgId(Uuid::from_u128(99)), "gone".parse().unwrap());
    let by = Actor { id: ActorId::User(UserId(Uuid::from_u128(98))), name: "ada".to_owned() };
    let (slug_of, name) = (slug.clone(), "Gone".to_owned());
    let org =
        Org { id, slug: slug_of, name, read_only: false, created_at: now, plan: None, has_webhooks: false };
    let deletion = Deletion { by, at: now };
    let deleted = DeletedOrg { slug: slug.clone(), org: Some(org), row_version: 1, deletion };
    vec![
        Op::create(keys::setup(), &now),
        Op::create(
            keys::instance_audit(now.as_millisecond(), 1),
            &AuditEntry::new(now, None, AuditAction::MailTested),
        )
        .expiring(end),
        Op::create(keys::slug(&slug), &id),
        Op::create(keys::org_entry(id), &slug),
        Op::create(keys::deleted_org(id), &deleted),
        Op::create(keys::idempotent_reply("subject", "key"), &1).expiring(end),
        Outgoing::new(app, message, SignedDuration::ZERO).op(),
    ]
}

/// A run that has followed an item to another project, which the workload moves without any.
async fn followed(world: &World) -> Op {
    let app = &world.kit.app;
    let rows = app.table.scan(100_000, None).await.unwrap().rows;
    let moved = rows.iter().find(|row| row.key.sk == "TRANSFER").expect("an item has moved");
    let (org, from) = (moved.key.pk.split('#').nth(1).unwrap(), moved.read::<Transfer>().unwrap().from);
    let key = keys::moved_runs(org.parse().unwrap(), app.uuid(), &from);
    let end = (world.kit.now() + SignedDuration::from_hours(1)).as_second();
    Op::create(key, &[RunId(Uuid::from_u128(7))]).expiring(end)
}

/// What a record became that was brought into a project.
async fn brought(world: &World) -> Op {
    let rows = world.kit.app.table.scan(100_000, None).await.unwrap().rows;
    let workflow = rows.iter().find(|row| row.key.sk == "WORKFLOW").expect("there is a project");
    let mut parts = workflow.key.pk.split('#').skip(1);
    let (org, project) = (parts.next().unwrap().parse().unwrap(), parts.next().unwrap().parse().unwrap());
    let (source, id) = ("github:acme/shop".to_owned(), "1 relates 2".to_owned());
    let key = keys::imported(org, &project, Kind::Link.as_str(), &source, &id);
    Op::create(key, &ImportedRecord { source, kind: Kind::Link, id, became: Became::Part })
}

/// The directory of an organization, which the workload does not write: an identity provider does.
async fn directory(world: &World) -> Vec<Op> {
    let rows = world.kit.app.table.scan(100_000, None).await.unwrap().rows;
    let workflow = rows.iter().find(|row| row.key.sk == "WORKFLOW").expect("there is a project");
    let org = workflow.key.pk.split('#').nth(1).unwrap().parse().unwrap();
    let (at, by) = (world.kit.now(), UserId(Uuid::from_u128(8)));
    let (token, id) = (TokenId(Uuid::from_u128(9)), DirectoryUserId(Uuid::from_u128(10)));
    let group = DirectoryGroupId(Uuid::from_u128(11));
    let hash = "d".repeat(64);
    let credential = json!({
        "subject": {"kind": "directory", "token": token, "by": by}, "scopes": [], "org": org, "expiresAt": null,
    });
    let email = "ada@example.com";
    vec![
        Op::create(keys::group_roles(org), &json!({"roles": {"Staff": "member"}})),
        Op::create(
            keys::directory_token(org, token),
            &json!({"id": token, "name": "Okta", "by": by, "secretHash": hash, "createdAt": at}),
        ),
        Op::create(keys::credential(&hash), &credential),
        Op::create(
            keys::directory_user(org, id),
            &json!({"id": id, "email": email, "active": false, "createdAt": at, "changedAt": at}),
        ),
        Op::create(keys::directory_email(org, email), &id),
        Op::create(
            keys::directory_group(org, group),
            &json!({"id": group, "name": "Staff", "createdAt": at, "changedAt": at}),
        ),
        Op::create(keys::directory_group_name(org, "Staff"), &group),
    ]
}

async fn commit(world: &World, ops: Vec<Op>) {
    for op in ops {
        world.kit.app.table.commit(&Commit { ops: vec![op], token: None }).await.unwrap();
    }
}

/// The rows that the checker names since something was broken.
async fn named(store: &Store) -> BTreeSet<String> {
    let report = store.world.check().await;
    let named = report.findings.into_iter().chain(report.waiting);
    let named = named.map(|finding| (finding.row, finding.problem));
    named.filter(|named| !store.waiting.contains(named)).map(|(row, _)| row).collect()
}

fn name(key: &Key) -> String {
    format!("{} {}", key.pk, key.sk)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_says_nonsense_is_named() {
    let store = store().await;
    let rows: Vec<_> = store.rows.iter().filter(|(kind, _)| !SAY_NOTHING.contains(&kind.as_str())).collect();
    let nonsense = |row: &Row| Op::put(row.key.clone(), Condition::Present, &json!([[{"no": "sense"}]]));
    commit(&store.world, rows.iter().map(|(_, row)| nonsense(row)).collect()).await;
    let named = named(&store).await;
    let unnamed: Vec<_> = rows.iter().filter(|(_, row)| !named.contains(&name(&row.key))).collect();
    assert!(unnamed.is_empty(), "{unnamed:#?}");
}

/// The name of a row of the same kind, of something that there is not; `n` tells such names apart.
fn elsewhere(key: &Key, n: usize) -> Key {
    let names_all = key.sk.chars().all(|c| c.is_ascii_uppercase()) && key.pk.contains('#');
    match names_all {
        true => Key::new(other(&key.pk, n), key.sk.clone()),
        false => Key::new(key.pk.clone(), other(&key.sk, n)),
    }
}

/// A text with another last part.
fn other(text: &str, n: usize) -> String {
    let start = text.rfind(['#', ' ']).map_or(0, |at| at + 1);
    let (before, last) = text.split_at(start);
    let id = Uuid::from_u128(n as u128 + 1);
    let changed = match Uuid::try_parse(last) {
        Ok(_) if last.contains('-') => id.to_string(),
        Ok(_) => id.simple().to_string(),
        Err(_) if last.ends_with(|c: char| c.is_ascii_digit()) => format!("{last}7{n}"),
        Err(_) => format!("{last}{}", "X".repeat(n + 1)),
    };
    format!("{before}{changed}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_belongs_to_nothing_is_named() {
    let store = store().await;
    // Of these there may be any number.
    let free = ["HISTORY#", "OUTBOX#", "RATE#", "IDEM#", "SETUP", "INVITE#<sha256>", "MOVED#"];
    let copy = |(n, row): (usize, &Row)| {
        let doc: serde_json::Value = serde_json::from_str(&row.doc).unwrap();
        Op::create(elsewhere(&row.key, n), &doc)
    };
    let rows = store.rows.iter().filter(|(kind, _)| !free.iter().any(|free| kind.contains(free)));
    let copies: Vec<Op> = rows.map(|(_, row)| row).enumerate().map(copy).collect();
    commit(&store.world, copies.clone()).await;
    let named = named(&store).await;
    let unnamed: Vec<_> = copies.iter().filter(|op| !named.contains(&name(&op.key))).collect();
    assert!(unnamed.is_empty(), "{unnamed:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_misses_a_row_is_named() {
    let store = store().await;
    let mut unmissed = Vec::new();
    for (kind, row) in store.rows.iter().filter(|(kind, _)| !FREE.contains(&kind.as_str())) {
        commit(&store.world, vec![Op::delete(row.key.clone(), Condition::Present)]).await;
        if named(&store).await.is_empty() {
            unmissed.push(format!("{kind}: {}", name(&row.key)));
        }
        commit(&store.world, again(row)).await;
    }
    assert!(unmissed.is_empty(), "nobody misses {unmissed:#?}");
    assert_eq!(named(&store).await, BTreeSet::new(), "each is there again");
}

/// The operations that make a row again.
fn again(row: &Row) -> Vec<Op> {
    let doc: serde_json::Value = serde_json::from_str(&row.doc).unwrap();
    let mut put = Op::create(row.key.clone(), &doc);
    if let Some(end) = row.ttl {
        put = put.expiring(end);
    }
    let counters = row.counters.iter().map(|(field, n)| Op::add(row.key.clone(), field, *n));
    // A row that only counts has no document.
    Some(put).filter(|_| *row.doc != *"null").into_iter().chain(counters).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_counts_wrong_is_named() {
    let store = store().await;
    let comment = &store.rows["ITEM#<org>#<PRJ-12> COMMENT#<comment>"];
    let item = Key::new(comment.key.pk.clone(), "ITEM");
    let row = store.world.kit.app.table.get(&item).await.unwrap().unwrap();
    let told: serde_json::Value = serde_json::from_str(&row.doc).unwrap();
    for counts in [json!({"comments": 700}), json!({"attachments": 700})] {
        let mut wrong = told.clone();
        wrong["counts"] = counts;
        commit(&store.world, vec![Op::put(item.clone(), Condition::Present, &wrong)]).await;
        let named = named(&store).await;
        assert!(named.contains(&name(&item)), "{named:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_of_no_known_kind_is_named() {
    let world = World::new(7).await;
    let key = Key::new("PROJ#1#PRJ", "SURPRISE#1");
    commit(&world, vec![Op::create(key.clone(), &1)]).await;
    let report = world.check().await;
    let found: Vec<_> =
        report.findings.iter().map(|found| (found.row.as_str(), found.kind.as_str())).collect();
    assert_eq!(found, [(name(&key).as_str(), "unknown")]);
}

/// As where a server works meanwhile: what waits is told, and counts only where somebody waited for it.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_worker_counts_when_patience_ends() {
    let world = World::new(7).await;
    let app = &world.kit.app;
    let message = MailPasswordReset { email: "a@example.com".into() };
    commit(&world, vec![Outgoing::new(app, message, SignedDuration::ZERO).op()]).await;
    world.kit.advance(SignedDuration::from_mins(6));
    let told = world.check().await;
    assert!(told.is_clean() && told.waiting.len() == 1, "{told:#?}");
    let impatient = svc_app::check::run(app, Some(Duration::ZERO)).await.unwrap();
    assert_eq!((impatient.findings, impatient.waiting.len()), (told.waiting, 0));
    let (patient, done) =
        tokio::join!(svc_app::check::run(app, Some(Duration::from_secs(60))), svc_workers::run_jobs(app),);
    done.unwrap();
    assert!(patient.unwrap().is_clean());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_writes_nothing() {
    let Store { world, .. } = store().await;
    let all = async || {
        let page = world.kit.app.table.scan(100_000, None).await.unwrap();
        page.rows.into_iter().map(|row| (row.key, row.version)).collect::<Vec<_>>()
    };
    let before = all().await;
    world.check().await;
    assert_eq!(all().await, before);
}
