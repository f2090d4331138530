//! Closed sets of words that the domain and the wire share, paired variant by variant.
//!
//! A word added to one side without the other does not compile. The wire has one more, `Unknown`: a word of a
//! later program, which no request may ask for.

use serde::Serialize;
use svc_api::{administration, factory, identity, notifications, tracker, webhooks, wiki};
use svc_app::factory::log;
use svc_app::factory::mentions::MentionEffect;
use svc_domain::mention::request::MentionStatus;
use svc_domain::notification::{channel, preferences};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::run::numbers::GroupBy;
use svc_domain::{
    harness, invitation, item, item_link, milestone, notification, playbook, pull_request, refinement, run,
    saved_view, sprint, webhook, workflow,
};
use svc_text::diff;

/// A word of the domain that the wire has too.
pub trait Word: Sized {
    /// The same set on the wire.
    type Wire: WireWord<Domain = Self>;

    /// The word as sent.
    fn sent(self) -> Self::Wire;
}

/// A word of the wire that the domain has too, unless a later program sent it.
pub trait WireWord: Sized + Serialize + 'static {
    /// The same set in the domain.
    type Domain;
    /// Every word that this program knows.
    const ALL: &'static [Self];

    /// The word in the domain; `None` for one that this program does not know.
    fn known(self) -> Option<Self::Domain>;
}

macro_rules! same_words {
    ($($domain:ty = $wire:ty { $($word:ident)* })*) => {$(
        impl Word for $domain {
            type Wire = $wire;

            fn sent(self) -> $wire {
                match self { $(Self::$word => <$wire>::$word,)* }
            }
        }

        impl WireWord for $wire {
            type Domain = $domain;
            const ALL: &'static [Self] = &[$(Self::$word,)*];

            fn known(self) -> Option<$domain> {
                match self {
                    $(Self::$word => Some(<$domain>::$word),)*
                    Self::Unknown => None,
                }
            }
        }
    )*};
}

same_words! {
    svc_domain::identity::OrgRole = identity::OrgRole { Owner Admin Member Guest }
    svc_domain::identity::Plan = administration::Plan { Hosted Evaluation Free }
    svc_domain::identity::ProjectRole = identity::ProjectRole { Admin Member }
    svc_domain::identity::Scope = identity::Scope { Read Write Admin Mcp }
    invitation::Preset = identity::InvitationPreset { Member Admin Guest Stakeholder }
    invitation::Delivery = identity::InvitationDelivery { ByHand Waiting Sent Refused }
    item::ItemType = tracker::ItemType { Story Bug Task Epic Subtask }
    item::Priority = tracker::Priority { Lowest Low Medium High Highest }
    item_link::LinkKind = tracker::LinkKind { Blocks BlockedBy Relates Duplicates DuplicatedBy }
    workflow::StateGroup = tracker::StateGroup { Backlog Active Resolved Closed }
    pull_request::PullRequestState = tracker::PullRequestState { Open Merged Closed }
    pull_request::Checks = tracker::PullRequestChecks { Passing Failing }
    pull_request::Review = tracker::PullRequestReview { Approved ChangesRequested }
    pull_request::Cause = tracker::FollowUpCause { ChecksFailed ChangesRequested }
    notification::NotificationKind = notifications::NotificationKind {
        Assigned Mentioned Commented Transitioned Claimed SprintStarted SprintCompleted WikiMentioned InviteAccepted
        Replied Reacted RunSucceeded RunFailed RunNeedsInput WebhookDisabled
        ChannelBroken RunWaiting RunnerOffline BudgetNearlyUsed SchedulePaused
    }
    channel::Mode = notifications::NotificationMode { Off Immediate Digest }
    preferences::Source = notifications::NotificationSource { You Organization Mail Usual }
    channel::ChannelStatus = notifications::ChannelStatus { Pending Active Broken }
    channel::Platform = notifications::ChannelType { Chat1 Chat2 Chat3 Chat4 }
    webhook::WebhookEvent = webhooks::WebhookEvent {
        ItemCreated ItemChanged ItemMoved ItemDeleted CommentCreated CommentEdited CommentDeleted RunEnded
        SprintStarted SprintCompleted Ping
    }
    webhook::DeliveryState = webhooks::WebhookDeliveryState { Waiting Sent Failed Skipped }
    milestone::MilestoneState = tracker::MilestoneState { Open Closed }
    saved_view::Layout = tracker::ViewLayout { List Board }
    sprint::SprintState = tracker::SprintState { Planned Active Completed }
    harness::Harness = factory::Harness { Harness1 Harness2 Harness3 Harness4 Harness5 }
    playbook::DeliveryMode = factory::DeliveryMode { BranchAndPullRequest PushToDefaultBranch }
    playbook::Delivers = factory::Delivers { Commit Nothing }
    playbook::RepositorySource = factory::RepositorySource { RunnerLocal CodeHost }
    run::RunKind = factory::RunKind { Implement Refine Continue Retry FollowUp }
    run::RunStatus = factory::RunStatus { Queued Assigned Running Succeeded Failed Cancelled TimedOut }
    GroupBy = factory::GroupBy { Day Project Agent Playbook Harness Model }
    MentionStatus = factory::MentionStatus { Waiting Started Dropped Withdrawn }
    MentionEffect = factory::MentionEffect { Starts Waits Refused Notifies }
    refinement::RefinementStatus = factory::RefinementStatus { Running Questions Proposed Failed Confirmed }
    log::Stream = factory::LogStream { Stdout Stderr Event }
    diff::LineKind = wiki::DiffLineKind { Context Removed Added }
}

/// A word as received in this field of a request.
///
/// # Errors
/// [`Refusal::Invalid`] for one that this program does not know; it names those that it does.
pub fn read<W: WireWord>(field: &str, word: W) -> Result<W::Domain, Refusal> {
    word.known().ok_or_else(|| Refusal::invalid(field, one_of(&all::<W>())))
}

/// The same, among other fields that may be wrong too.
pub(crate) fn check<W: WireWord>(field: &str, word: W, errors: &mut FieldErrors) -> Option<W::Domain> {
    let known = word.known();
    if known.is_none() {
        errors.add(field, one_of(&all::<W>()));
    }
    known
}

/// Every word of a set, as written on the wire.
pub(crate) fn all<W: WireWord>() -> Vec<String> {
    let written = |word: &W| match serde_json::to_value(word) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    };
    W::ALL.iter().map(written).collect()
}

/// What to do about a word that is none of these.
pub(crate) fn one_of(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    format!("Give one of {}.", words.join(", "))
}

#[cfg(test)]
mod tests {
    use svc_api::factory::{DeliveryMode, Harness};
    use svc_domain::refusal::Refusal;

    use super::{WireWord as _, Word as _, read};

    #[test]
    fn every_word_comes_back_as_it_was_sent() {
        for harness in svc_domain::harness::Harness::ALL {
            assert_eq!(harness.sent().known(), Some(harness));
            let sent = serde_json::to_value(harness.sent()).unwrap();
            assert_eq!(sent, harness.as_str(), "both sides write it alike");
        }
    }

    #[test]
    fn the_document_lists_what_is_sent_as_text() {
        let actions: Vec<&str> = svc_domain::project::Action::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(svc_api::tracker::HistoryEntry::ACTIONS, actions);
        let reasons = svc_domain::failure::FailureReason::ALL.map(|reason| reason.as_str());
        assert_eq!(svc_api::factory::Run::FAILURE_REASONS, reasons);
    }

    #[test]
    fn a_word_that_nobody_knows_is_refused_with_those_that_are() {
        assert!(read("harness", Harness::Unknown).is_err());
        let Err(Refusal::Invalid(errors)) = read("deliveryMode", DeliveryMode::Unknown) else {
            panic!("it is refused as an invalid field");
        };
        let said = format!("{errors:?}");
        assert!(said.contains("Give one of branchAndPullRequest, pushToDefaultBranch."), "{said}");
    }
}
