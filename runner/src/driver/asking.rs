//! The calls of a registration: introduces the machine, asks for runs, gives them back.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use svc_api::runner::{Assignment, Hello, Take};

use super::profiles::remember_organization;
use super::{Connected, Driver};
use crate::calls::{CallError, Link, RunCalls, hello};
use crate::locking::lock;
use crate::run::Heartbeats;
use crate::supervisor::{HelloAnswer, Message, ProfileId, TakeAnswer};

const GIVE_BACK_PATIENCE: Duration = Duration::from_secs(30);
/// How long a runner that stops waits for the instances to hear of it.
const GOODBYE: Duration = Duration::from_secs(3);
/// Between two looks whether there is room for runs again.
const LOOK_FOR_ROOM: Duration = Duration::from_secs(10);

impl Connected {
    /// Tells the instance that the disk is full, for as long as it is, and that it is not any more.
    async fn tell_full_disk(&self, full: bool) {
        let news = lock(&self.introduced).as_mut().and_then(|known| {
            let changed = std::mem::replace(&mut known.disk_full, full) != full;
            (changed || full).then(|| known.clone())
        });
        let (Some(news), Some(link)) = (news, &self.link) else { return };
        if let Err(error) = link.client().runner().hello(&news).await {
            tracing::debug!(%error, "an instance could not be told about the disk");
        }
    }
}

impl Driver {
    /// Tells the instances that this runner stops, so that it is offline at once. One that does not answer in time, or
    /// does not know this, finds it gone after a while.
    pub(super) async fn say_goodbye(&self) {
        let calls = self.profiles.values().filter_map(|connected| {
            let (link, known) = (connected.link.clone()?, lock(&connected.introduced).clone()?);
            let goodbye = Hello { leaving: true, ..known };
            Some(async move { link.client().runner().hello(&goodbye).await.map(drop) })
        });
        match tokio::time::timeout(GOODBYE, join_all(calls)).await {
            Ok(answers) => answers.into_iter().filter_map(Result::err).for_each(|error| {
                tracing::debug!(%error, "an instance could not be told that this runner is stopping");
            }),
            Err(_) => tracing::debug!("an instance could not be told in time that this runner is stopping"),
        }
    }

    pub(super) fn hello(&self, id: ProfileId) {
        let Some(connected) = self.profiles.get(&id).cloned() else { return };
        let (file, detector, messages) =
            (lock(&self.file).clone(), Arc::clone(&self.detector), self.messages.clone());
        let (parallel, service) = (self.options.parallel, self.options.service);
        let store = self.options.file.clone();
        tokio::spawn(async move {
            let introduction = hello(&file, &detector, parallel, service).await;
            *lock(&connected.introduced) = Some(introduction.clone());
            let answer = match &connected.link {
                Some(link) => link.client().runner().hello(&introduction).await.map_err(CallError::from),
                None => Err(CallError::Unreachable("no client".to_owned())),
            };
            let before = lock(&connected.reachable).replace(answer.is_ok());
            let url = &connected.spec.url;
            let answer = match answer {
                Ok(reply) => {
                    let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
                    let take_wait = seconds(reply.take_wait_seconds);
                    *lock(&connected.heartbeats) = Heartbeats {
                        every: seconds(reply.heartbeat_seconds.max(1)),
                        held: !take_wait.is_zero(),
                    };
                    remember_organization(&store, &connected.spec, &reply.organization);
                    let (name, organization) = (&reply.name, &reply.organization);
                    match before {
                        None => tracing::info!("connected to {url} as runner {name} of {organization}"),
                        Some(false) => tracing::info!("connected again to {url} ({organization})"),
                        Some(true) => {}
                    }
                    HelloAnswer::Accepted { take_wait, take_every: seconds(reply.take_every_seconds) }
                }
                Err(CallError::SecretRefused) => HelloAnswer::Refused,
                Err(CallError::AssignmentEnded) => {
                    tracing::warn!("{url} has no runner API; check the address");
                    HelloAnswer::Unreachable
                }
                Err(CallError::Unreachable(reason) | CallError::Rejected(reason)) => {
                    tracing::warn!("{url}: {reason}; trying again");
                    HelloAnswer::Unreachable
                }
            };
            // The receiver is gone only when the process ends.
            let _ = messages.send(Message::Hello(id, answer, connected.spec.token.clone()));
        });
    }

    pub(super) fn take(&mut self, id: ProfileId, request_id: String, wait: Duration) {
        let Some(connected) = self.profiles.get(&id).cloned() else { return };
        self.takes.note(&connected.spec, &request_id);
        let (file, detector, messages) =
            (lock(&self.file).clone(), Arc::clone(&self.detector), self.messages.clone());
        let (root, room) = (self.options.root.clone(), Arc::clone(&self.room));
        tokio::spawn(async move {
            let full = !lock(&room).is_enough(&root);
            connected.tell_full_disk(full).await;
            if full {
                // Told to stop, there is nothing to wait for.
                let _ = tokio::time::timeout(LOOK_FOR_ROOM, connected.stop_waiting.notified()).await;
                let _ = messages.send(Message::Take(id, TakeAnswer::Nothing, connected.spec.token.clone()));
                return;
            }
            let harnesses = detector.all(&file.executables).await;
            let harnesses = harnesses.iter().filter(|one| one.works()).map(|one| one.harness).collect();
            let wait_seconds = u32::try_from(wait.as_secs()).unwrap_or(0);
            let mut take = Take { harnesses, wait_seconds, request_id };
            let answer = match connected.link.as_ref().map(Link::client) {
                Some(client) => tokio::select! {
                    answer = client.runner().take(&take) => answer,
                    // The request may have brought a run already: the same id asks for the same answer.
                    () = connected.stop_waiting.notified() => {
                        take.wait_seconds = 0;
                        client.runner().take(&take).await
                    }
                },
                None => return,
            };
            let answer = match answer.map_err(CallError::from) {
                Ok(Some(assignment)) => TakeAnswer::Run(Box::new(assignment)),
                Ok(None) => TakeAnswer::Nothing,
                Err(CallError::SecretRefused) => TakeAnswer::Refused,
                Err(CallError::Rejected(error)) => {
                    tracing::warn!(%error, "the service refused the request for runs of {}", connected.spec.organization);
                    TakeAnswer::Rejected
                }
                Err(error) => {
                    tracing::debug!(?error, "no answer to take");
                    TakeAnswer::Unreachable
                }
            };
            let _ = messages.send(Message::Take(id, answer, connected.spec.token.clone()));
        });
    }

    pub(super) fn give_back(&self, id: ProfileId, assignment: Assignment, reason: &'static str) {
        let link = self.profiles.get(&id).and_then(|connected| connected.link.clone());
        let messages = self.messages.clone();
        tracing::info!("giving {} of {} back: {reason}", assignment.item.key, assignment.organization);
        tokio::spawn(async move {
            if let Some(link) = link {
                let calls = RunCalls::new(link, &assignment.run_id, assignment.fence);
                match calls.give_back(reason, GIVE_BACK_PATIENCE).await {
                    Ok(()) | Err(CallError::AssignmentEnded) => {}
                    Err(error) => tracing::warn!(?error, "a run could not be given back"),
                }
            }
            let _ = messages.send(Message::GaveBack);
        });
    }
}
