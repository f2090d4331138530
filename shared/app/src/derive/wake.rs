//! Whom to wake in this process after the commit. Only a hint: other processes poll.

use svc_domain::event::{Event, FactoryEvent, Occurrence, OrgEvent, RunEvent, RunnerEvent};

use crate::notifier::Notifier;

/// Wakes who follows what changes, runners that wait for a run where an event may have given them one, and those that
/// wait to hear of a cancel.
pub(crate) fn wake(notifier: &Notifier, occurrence: &Occurrence) {
    let Some(org) = occurrence.org else { return };
    notifier.notify_followers(org);
    if concerns_runners(&occurrence.event) {
        notifier.notify_runners(org);
    }
}

fn concerns_runners(event: &Event) -> bool {
    match event {
        // Its queued run waited for the items that blocked it.
        Event::ItemSaved(saved) => {
            saved.before.as_ref().is_some_and(|before| before.has_open_blocker)
                && !saved.after.has_open_blocker
        }
        Event::Org(event) => matches!(event, OrgEvent::Deleted | OrgEvent::Restored),
        Event::Factory(event) => matches!(event, FactoryEvent::BudgetChanged { .. }),
        // Runs that waited for a runner that is gone or disabled are anyone's.
        Event::Runner(event) => matches!(event, RunnerEvent::Changed { .. } | RunnerEvent::Removed(..)),
        Event::Run(event) => match event {
            RunEvent::Queued(..) | RunEvent::Returned(..) | RunEvent::CancelRequested(..) => true,
            RunEvent::Taken(..)
            | RunEvent::Started(..)
            | RunEvent::Ended(..)
            | RunEvent::ContinuesLater(..) => false,
        },
        Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::Item(_)
        | Event::Comment(_)
        | Event::Sprint(_)
        | Event::Wiki(_) => false,
    }
}
