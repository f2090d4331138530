//! The store on which every schedule plays: Ada, who is told in three places, and Ben, who comments.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use svc_app::notifications::{self, NewChannel};
use svc_app::sealing::Sealing;
use svc_app::tracker::items::{self, NewItem};
use svc_app::{App, BearerCredential, Caller};
use svc_domain::identity::{Org, OrgRole, ProjectRole};
use svc_domain::ids::{ItemKey, UserId};
use svc_domain::item::ItemType;
use svc_domain::notification::NotificationKind;
use svc_domain::notification::channel::{Mode, Platform};
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::{ChatModes, Place, Preference};
use svc_storage::{Key, Row};
use svc_testkit::{CountingIds, TestApp, TestClock, scopes};
use tokio::runtime::Builder;

use super::office::{Counter, MAIL};
use super::scene::Scene;
use super::{Deliveries, ITEMS};
use crate::simulation::blobs::NoBlobs;
use crate::simulation::memory::{Memory, Messages, Mutation};
use crate::simulation::stage::RUNTIME;

/// A furnished store to copy: Ada, who is told in three places, and Ben, who comments.
pub struct Homes {
    kit: TestApp,
    rows: BTreeMap<Key, Row>,
    start: Timestamp,
    pub(super) org: Org,
    pub(super) ada: UserId,
    pub(super) hers: BearerCredential,
    pub(super) his: BearerCredential,
    pub(super) items: Vec<ItemKey>,
}

impl Homes {
    /// Furnishes it.
    ///
    /// # Panics
    /// When a use case refuses what it must not.
    pub fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(Self::furnished())
    }

    async fn furnished() -> Self {
        let kit = TestApp::new();
        let org = kit.org("demo").await;
        let project = kit.project(&org, "PRJ").await;
        let mut people = Vec::new();
        for name in ["ada", "ben"] {
            let user = kit.user(&org, &format!("{name}@example.com"), OrgRole::Member, true).await;
            kit.project_member(&org, &project, user, ProjectRole::Admin).await;
            people.push((user, BearerCredential::new(&kit.token(user, scopes(), None).await)));
        }
        let [(ada, hers), (_, his)] = people.try_into().expect("two people");
        let app = &kit.app;
        for (platform, address) in [
            (Platform::Chat2, "https://hooks.slack.com/services/T0000/B0000/abcd1234"),
            (Platform::Chat3, "https://discord.com/api/webhooks/123456/abc-DEF_456"),
        ] {
            let new = NewChannel { platform, webhook_url: Some(address.to_owned()) };
            notifications::create_channel(app, Some(&hers), &new).await.expect("a channel");
        }
        let chats = ChatModes { chat_2: Some(Mode::Immediate), chat_3: Some(Mode::Digest), chat_1: None };
        let wanted = Preference { in_app: true, email: Mode::Immediate, chats, push: None };
        let kinds = [(NotificationKind::Commented, wanted)].into();
        notifications::set_preferences(app, Some(&hers), &kinds).await.expect("preferences");
        let mut keys = Vec::new();
        for n in 0..ITEMS {
            let caller = Caller { credential: Some(&hers), org: &org.slug };
            let made = items::create(app, caller, &project.key, &new_item(n)).await.expect("an item");
            keys.push(made.item.key);
        }
        let page = app.table.scan(100_000, None).await.expect("the store answers");
        let rows = page.rows.into_iter().map(|row| (row.key.clone(), row)).collect();
        let start = kit.now() + SignedDuration::from_secs(60);
        Self { start, rows, org, ada, hers, his, items: keys, kit }
    }

    /// Plays a schedule; answers what does not hold.
    ///
    /// # Errors
    /// What does not hold.
    pub fn play(&self, schedule: &Deliveries, mutation: Option<Mutation>) -> Result<(), String> {
        let clock = Arc::new(TestClock::at(self.start));
        let scene = Scene {
            homes: self,
            memory: Arc::new(Memory::new(self.rows.clone(), mutation)),
            queue: Arc::new(Messages::new(Arc::clone(&clock))),
            office: Arc::default(),
            said: vec![0; ITEMS].into(),
            missed: Default::default(),
            clock,
        };
        RUNTIME.with(|runtime| {
            runtime.block_on(async {
                let mut servers = [self.server(&scene, 0, 1_000), self.server(&scene, 1, 1_001)];
                for (n, step) in schedule.0.iter().enumerate() {
                    scene.perform(step, &servers).await;
                    if step.failure.is_some() {
                        // A dead process comes back and knows nothing.
                        let instance = 1_002 + u16::try_from(n).unwrap_or(0);
                        servers[step.server] = self.server(&scene, step.server, instance);
                    }
                }
                scene.settle(&servers[0]).await?;
                scene.judge(&servers[0]).await
            })
        })
    }

    fn server(&self, scene: &Scene<'_>, server: usize, instance: u16) -> App {
        let ids = Arc::new(CountingIds::new(Arc::clone(&scene.clock), instance));
        let counter = Arc::new(Counter { office: Arc::clone(&scene.office), server });
        App::new(
            scene.memory.clone(),
            Arc::new(NoBlobs),
            scene.queue.clone(),
            scene.clock.clone(),
            ids,
            self.kit.app.settings.clone(),
        )
        .with_sealing(Sealing::new(&[7; 32]))
        .with_mail(counter.clone())
        .with_outbound(counter)
    }

    pub(super) fn place(&self, place: usize) -> Destination {
        let place = match place {
            MAIL => Place::Mail,
            1 => Place::Chat(Platform::Chat2),
            _ => Place::Chat(Platform::Chat3),
        };
        Destination::Person(self.ada, place)
    }
}

impl Default for Homes {
    fn default() -> Self {
        Self::new()
    }
}

fn new_item(n: usize) -> NewItem {
    NewItem {
        item_type: ItemType::Task,
        title: format!("Item {n}"),
        body: String::new(),
        priority: None,
        labels: Vec::new(),
        estimate: None,
        remaining: None,
        blocked: false,
        due: None,
        sprint: None,
        milestone: None,
        assignee: None,
        parent: None,
        state: None,
        template: None,
    }
}
